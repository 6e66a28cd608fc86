package main

// runMutations are those of runs, turns, schedules and the alarm.
var runMutations = []mutation{
	{
		name: "run: a slot is not freed", file: "run/keep.go",
		old:  "freeSlot(tx, r.ID)\n",
		new:  "",
		seed: 26,
	},
	{
		name: "run: one that is over holds its place", file: "run/begin.go",
		old:  "WHERE slot > 0 AND ended_at = 0",
		new:  "WHERE slot > 0",
		seed: 2,
	},
	{
		name: "run: nobody who waits is let in", file: "run/begin.go",
		old:  "if atWork(tx) >= limits.Concurrent {\n\t\treturn Run{}, false",
		new:  "if true {\n\t\treturn Run{}, false",
		seed: 2,
	},
	{
		name: "run: the parent forgets which chunk it expects", file: "run/move.go",
		old:  "UPDATE run SET next = ?, heard_at",
		new:  "UPDATE run SET next = next + 0 * ?, heard_at",
		seed: 1,
	},
	{
		name: "run: who awaits a run is not noted", file: "run/waiter.go",
		old:  "\ttx.SQL(`INSERT OR REPLACE INTO waiter (routine, position, run) VALUES (?, ?, ?)`, w.Routine, w.Position, r.ID)\n",
		new:  "",
		seed: 1,
	},
	{
		name: "run: nobody is told that a run is cancelled", file: "run/move.go",
		old:  "if r.Slot > 0 {",
		new:  "if r.Slot < 0 {",
		seed: 12,
	},
	{
		name: "turn: a step is not journaled", file: "turn/step.go",
		old:  "n int, s Step) {",
		new:  "n int, s Step) {\n\tif n >= 0 {\n\t\treturn\n\t}",
		seed: 2,
	},
	{
		name: "turn: a call's end is not journaled", file: "turn/step.go",
		old:  "SET done = 1,",
		new:  "SET done = 0,",
		seed: 16,
	},
	{
		name: "turn: the queue is last in first out", file: "turn/queue.go",
		old:  "ORDER BY seq LIMIT 1`, string(Queued))",
		new:  "ORDER BY seq DESC LIMIT 1`, string(Queued))",
		seed: 2,
	},
	{
		name: "turn: the key of a submission is not looked up", file: "turn/submission.go",
		old:  `if !joined && t.Key != "" {`,
		new:  `if !joined && t.Key == "\x00" {`,
		seed: 26,
	},
	{
		name: "run: a letter that was handed over stays in the ledger", file: "run/letter.go",
		old:  "{ tx.SQL(`DELETE FROM letter WHERE run = ?`, l.Run) }",
		new:  "{}",
		seed: 2,
	},
	{
		name: "run: an attempt to hand a letter over is not counted", file: "run/letter.go",
		old:  "Claimed, l.Attempts+1",
		new:  "Claimed, l.Attempts",
		seed: 24,
	},
	{
		name: "schedule: an attempt is not counted", file: "schedule/call.go",
		old:  "attempts = attempts + 1 WHERE",
		new:  "attempts = attempts WHERE",
		seed: 2,
	},
	{
		name: "schedule: the next time is not written", file: "schedule/call.go",
		old:  "e.State, e.Planned, e.Due, e.Attempts = Waits, next, next, 0",
		new:  "e.State, e.Due, e.Attempts = Waits, next, 0",
		seed: 32,
	},
	{
		name: "schedule: what is cancelled stays", file: "schedule/list.go",
		old:  "`DELETE FROM callback WHERE id = ? RETURNING seq`",
		new:  "`SELECT seq FROM callback WHERE id = ?`",
		seed: 18,
	},
	{
		name: "run: a milestone is not counted", file: "run/milestone.go",
		old:  "= n+1, tx.Now",
		new:  "= n, tx.Now",
		seed: 2,
	},
	{
		name: "alarm: one for what is overdue goes off without a pause", file: "alarm.go",
		old:  "a.at = retryAt(due, tx.Now)",
		new:  "a.at = due",
		test: ". TestAlarmIsSetByEachLife", unseen: "it comes to the same end, with more alarms",
	},
}
