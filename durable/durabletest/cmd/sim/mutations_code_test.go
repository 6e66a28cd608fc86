package main

// codeMutations are faults in the code that models write: in its journal, its calls and its limits.
var codeMutations = []mutation{
	{
		name: "code: the calls of code whose question is gone stay open", file: "chat/answer.go",
		old:  "part.Open() && strings.HasPrefix(id, call+\"/\")",
		new:  "part.Open() && strings.HasPrefix(id, call+\"//\")",
		test: "chat TestCodeWhoseQuestionIsGone", unseen: "few of its worlds remove the message in which approved code asks",
	},
	{
		name: "code: an answer goes to another call", file: "internal/coderun/run.go",
		old:  "result = r.answer(answeredCall{call.number, answer})",
		new:  "result = r.answer(answeredCall{call.number%2 + 1, answer})",
		seed: 8,
	},
	{
		name: "code: a call that has failed resolves", file: "internal/coderun/call.go",
		old:  "a := outcome{OK: err == nil,",
		new:  "a := outcome{OK: true,",
		seed: 8,
	},
	{
		name: "code: chance is another one in each life", file: "internal/coderun/run.go",
		old:  "Seed: r.begun.Seed,",
		new:  "Seed: [16]byte{byte(flow.Event(r).Now)},",
		seed: 16,
	},
	{
		name: "code: the time begins anew in each life", file: "internal/coderun/run.go",
		old:  "r.now = r.begun.Now",
		new:  "r.now = flow.Event(r).Now",
		seed: 8,
	},
	{
		name: "code: the clock of code stands still", file: "internal/coderun/run.go",
		old:  "a.At = max(a.At, r.now)",
		new:  "a.At = min(a.At, r.now)",
		seed: 16,
	},
	{
		name: "code: a sleep takes no time", file: "internal/coderun/call.go",
		old:  "time.Duration(ms)*time.Millisecond)",
		new:  "time.Duration(ms)*time.Microsecond)",
		seed: 16,
	},
	{
		name: "code: it may make as many calls as it likes", file: "internal/coderun/run.go",
		old:  "case r.calls > most:",
		new:  "case r.calls < -most:",
		seed: 40,
	},
	{
		name: "code: what it writes is not told", file: "internal/coderun/output.go",
		old:  "Logs: logs, Result:",
		new:  "Logs: nil, Result:",
		seed: 124,
	},
	{
		name: "code: a call that is left stays open in the message", file: "internal/coderun/call.go",
		old:  "\t\t\tt.Object.EndCall(tx, parent, t.call, cancelled(why))\n",
		new:  "",
		seed: 10,
	},
	{
		name: "code: a person who denies is not told of", file: "internal/coderun/call.go",
		old:  "return a, errors.New(\"a person has denied this call\")",
		new:  "return a, errors.New(\"the tool failed\")",
		seed: 8,
	},
	{
		name: "code: a call that was denied runs", file: "internal/coderun/call.go",
		old:  "case a.Denied:\n",
		new:  "case a.Denied && a.Expired:\n",
		seed: 8,
	},
	{
		name: "chat: a call of code that waits for a person is no question", file: "chat/code.go",
		old:  "\tquestion.Ask(tx, question.Question{ID: call.ID, Key: key, Message: o.messageOf(tx, parent), Scopes: t.ApproverScopes, Claims: claims})\n",
		new:  "\to.messageOf(tx, parent)\n",
		seed: 112,
	},
	{
		name: "chat: the output of a call of code is not shown", file: "chat/code.go",
		old:  "\t\tc.Provider = protocol.Replayed\n\t}\n\to.show(tx, parent, c)\n",
		new:  "\t\tc.Provider = protocol.Replayed\n\t}\n",
		seed: 8,
	},
	{
		name: "chat: a call of code that was put away is shown in the active turn", file: "chat/code.go",
		old:  "\tif !ok {\n\t\to.loop.Show(tx, c)\n\t\treturn\n\t}\n\to.changing(tx, p.Message)",
		new:  "\tif !ok || o.loop.IsActive() {\n\t\to.loop.Show(tx, c)\n\t\treturn\n\t}\n\to.changing(tx, p.Message)",
		seed: 8,
	},
	{
		name: "loop: code that is put away is forgotten", file: "internal/loop/ask.go",
		old:  "\t\tapproval.Suspend(tx, c)\n",
		new:  "",
		seed: 8,
	},
	{
		name: "prompt: the model is told of the calls that its code has made", file: "internal/prompt/prompt.go",
		old:  "p.ToolCallID != \"\" && !p.MadeByCode():",
		new:  "p.ToolCallID != \"\":",
		seed: 8,
	},
	{
		name: "code: the work that it has done is not counted", file: "internal/coderun/run.go",
		old:  "r.used += result.Work",
		new:  "r.used = result.Work",
		test: "chat TestWorkOfCode", unseen: "code that works for so long would make the worlds slow",
	},
	{
		name: "flow: a stretch that ends its instance is not counted", file: "flow/guard.go",
		old:  "min(g.attempts+1, MaxSliceLosses+1), true",
		new:  "1, true",
		test: "flow TestStretchThatEndsItsInstance", unseen: "no code of its models ends its instance each time",
	},
	{
		name: "flow: an exhausted stretch is charged for every loss", file: "flow/guard.go",
		old:  "attempts BETWEEN 1 AND ?",
		new:  "attempts BETWEEN 1 AND 1000 * ?",
		test: "flow TestLossBesideAStretch", unseen: "in few of its worlds the model is asked what breaks in the event in which code is given up",
	},
	{
		name: "code: calls of code that is given up stay open in the message", file: "internal/coderun/output.go",
		old:  "	r.Object.EndCalls(flow.Event(r), r.Code.Call.ID, cancelled(flow.Left))\n",
		new:  "",
		test: "chat TestCode", unseen: "no code of its models ends its instance each time",
	},
	{
		name: "loop: code that was held does not go on", file: "internal/loop/hold.go",
		old:  "r.routine.ResumeLater(tx)",
		new:  "_ = r",
		test: "chat TestPausedCodeGoesOn", unseen: "a pause seldom meets the moment between two stretches of code",
	},
	{
		name: "flow: the time in which code waits for a person counts", file: "flow/guard.go",
		old:  "case stands && g.left == 0:",
		new:  "case stands && g.left < 0:",
		test: "flow TestTimeOfGuardedCode", unseen: "its code has a day, and nobody lets it wait for so long",
	},
	{
		name: "flow: a stretch runs in the event that makes it possible", file: "flow/guard.go",
		old:  "func() bool { return g.goes }",
		new:  "func() bool { return g.goes || g.waits }",
		test: "flow TestStretchRunsInAnEventOfItsOwn", unseen: "what is told and shown is the same",
	},
}
