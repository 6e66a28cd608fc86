package main

// fewSignals is why the simulator is not known to find them.
const fewSignals = "few of its worlds send a run more than one signal"

// signalMutations are faults in the signals to runs.
var signalMutations = []mutation{
	{
		name: "flow: a signal that is sent again is kept again", file: "flow/inbox.go",
		old:  "if s.N <= b.Last {",
		new:  "if s.N <= 0 {",
		test: "flow TestSignalsAreReceivedInOrderAndOnce", unseen: fewSignals,
	},
	{
		name: "flow: a signal is received although the time limit is over", file: "flow/routine.go",
		old:  "!r.cancelOverdue() && !r.takeSignal()",
		new:  "!r.takeSignal() && !r.cancelOverdue()",
		test: "flow TestReceiveWithinALimitLeavesTheSignal", unseen: fewSignals,
	},
	{
		name: "flow: the newest await gets the signal", file: "flow/signal.go",
		old:  "e := r.receiving[slices.Index(names, s.Name)]",
		new:  "slices.Reverse(r.receiving)\n\tslices.Reverse(names)\n\te := r.receiving[slices.Index(names, s.Name)]",
		test: "flow TestOldestReceiveGetsTheSignal", unseen: fewSignals,
	},
	{
		name: "flow: a run that waits for a signal is not left alone", file: "internal/loop/idle.go",
		old:  "if due == 0 && a.awaitsParent() {",
		new:  "if due < 0 && a.awaitsParent() {",
		test: "chat TestRunThatWaitsForASignalHoldsNothing", unseen: fewSignals,
	},
	{
		name: "chat: a helper that goes on after a signal is not read again", file: "chat/task_serve.go",
		old:  "_, result.GoesOn = c.object.unread(c.tx)",
		new:  "result.GoesOn = false",
		test: "chat TestHelperThatCrashesAtASignalIsReadAgain", unseen: fewSignals,
	},
	{
		name: "run: a signal with an id that was seen is taken again", file: "run/signal.go",
		old:  "if named && len(",
		new:  "if !named && len(",
		test: "chat TestSignalsAreKeptUpToTheirLimits", unseen: fewSignals,
	},
	{
		name: "run: an answer deletes the signals that were not sent yet", file: "run/signal.go",
		old:  "WHERE run = ? AND n <= ?`, run, last)",
		new:  "WHERE run = ? AND ? > 0`, run, last)",
		test: "chat TestSignalThatComesDuringACallFollowsIt", unseen: fewSignals,
	},
	{
		name: "supervisor: a helper that has ended its run by a signal is not read", file: "internal/supervisor/signal.go",
		old:  "\t\ts.resumeDormant(tx, r) // the answer to the signal that has ended it may be lost\n",
		new:  "",
		test: "chat TestLossesBetweenAllEventsOfASignal/of_commands", unseen: fewSignals,
	},
	{
		name: "supervisor: a stream that ended before a signal is not opened again", file: "internal/supervisor/signal.go",
		old:  "return f != nil && f.signalled &&",
		new:  "return f == nil && f.signalled &&",
		test: "chat TestAnswerToASignalOvertakesTheEndOfTheStream", unseen: fewSignals,
	},
	{
		name: "supervisor: a call that hangs keeps back all later signals", file: "internal/supervisor/signal.go",
		old:  "\t\t\tdelete(s.signalling, r.ID)\n\t\t}\n\t\ts.sendSignals",
		new:  "\t\t}\n\t\ts.sendSignals",
		test: "chat TestHungCallIsMadeAgain", unseen: fewSignals,
	},
	{
		name: "chat: a run that has ended keeps its signals", file: "chat/task_serve.go",
		old:  "\t\tflow.DropInbox(tx, k.Run)\n",
		new:  "",
		test: "chat TestEndedRunKeepsNoSignal", unseen: fewSignals,
	},
}
