package main

// flowMutations are faults in steps with attempts, in the copies of journals, and in signals.
var flowMutations = []mutation{
	{
		name: "flow: a copied step does not know what had ended when it began", file: "flow/copy.go",
		old:  "Salt: row.Blob(12), Seen: row.Int(13),",
		new:  "Salt: row.Blob(12),",
		test: "chat TestRestartOfARestartFromEachStep", unseen: "few of its worlds restart a run twice from one of its steps",
	},
	{
		name: "flow: what code waited for that is not run again stays with the journal that is kept", file: "flow/copy.go",
		old:  "\t\trelease(tx, Key{Routine: routine, Position: int(row.Int(0))}, row.Text(1))\n",
		new:  "",
		test: "flow TestWorkflowIsTerminated", unseen: "few of its worlds cancel a run whose helper was lost in its own event",
	},
	{
		name: "flow: each attempt of a step has another key", file: "flow/stepping.go",
		old:  "[]byte(string(outermost.step.salt) +",
		new:  "[]byte(strconv.Itoa(e.step.attempts) + string(outermost.step.salt) +",
		seed: 2,
	},
	{
		name: "flow: all steps of a run have one key", file: "flow/stepping.go",
		old:  "string(outermost.step.salt) + r.options.Inbox + \"\\n\" + r.journal.path(e)",
		new:  "r.options.Inbox + string(outermost.step.salt[:0])",
		seed: 2,
	},
	{
		name: "flow: a step that has failed for good is tried again", file: "flow/attempt.go",
		old:  "if v.permanent || over ||",
		new:  "if over ||",
		seed: 110,
	},
	{
		name: "flow: signals are received in the wrong order", file: "flow/inbox.go",
		old:  "ORDER BY seq LIMIT 1) RETURNING",
		new:  "ORDER BY seq DESC LIMIT 1) RETURNING",
		seed: 120,
	},
	{
		name: "flow: an attempt that has failed is not counted", file: "flow/stepping.go",
		old:  "SET attempts = ?, lost = ?, reason = ?, error",
		new:  "SET attempts = 0 * ?, lost = ?, reason = ?, error",
		test: "flow TestStepsSurviveEveryLoss", unseen: "the server of its worlds does not count attempts",
	},
	{
		name: "flow: a step is copied without its result", file: "flow/copy.go",
		old:  "if r.Ended == 0 || r.Ended > seen {",
		new:  "if seen >= 0 {",
		test: "chat TestRestartFromAStep", unseen: "few of its worlds restart a run from one of its steps",
	},
	{
		name: "flow: a step is interrupted for good when its instance is lost", file: "flow/attempt.go",
		old:  "uncounted := wasLost && d.retry.Attempts > 1 && step.lost < maxLost",
		new:  "uncounted := wasLost && d.retry.Attempts < 1 && step.lost < maxLost",
		test: "flow TestAttemptThatIsLost", unseen: "a step of its clerks has five attempts, and its instance is seldom lost in each of them",
	},
}
