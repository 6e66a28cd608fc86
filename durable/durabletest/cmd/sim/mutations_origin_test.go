package main

// fewDetachedBelow is why the simulator is not known to find them.
const fewDetachedBelow = "few helpers of its worlds begin a detached run"

// originMutations are faults in the detached runs that helpers begin, and that the root hosts.
var originMutations = []mutation{
	{
		name: "origin: a request to the root is not repeated", file: "internal/supervisor/origin.go",
		old:  "\ttx.Schedule(DueAsk, \"\", tx.Now)\n",
		new:  "",
		test: "chat TestRunOfAHelperWhoseCommandsAreLost/Pilot", unseen: fewDetachedBelow,
	},
	{
		name: "origin: code that awaits the beginning of a run is not told", file: "internal/supervisor/origin.go",
		old:  "\ts.completeAll(tx, run.TakeHostWaiters(tx, r), r.Outcome())\n",
		new:  "",
		test: "chat TestScripts/origin/end_reaches_the_helper", unseen: fewDetachedBelow,
	},
	{
		name: "origin: news that were lost are not told again", file: "internal/supervisor/host.go",
		old:  "\ttx.Schedule(dueNotice, r.ID, tx.Now+max(checkDelay, durable.UntilAcknowledged.Wait(t.tries)))\n\tif t.calling {",
		new:  "\tif t.calling {",
		test: "chat TestRunOfAHelperWhoseCommandsAreLost/Pilot", unseen: fewDetachedBelow,
	},
	{
		name: "origin: an end counts as taken before its handler has succeeded", file: "internal/supervisor/host.go",
		old:  "case res.Taken && owed:",
		new:  "case owed:",
		test: "chat TestScripts/origin/handler_of_a_helper_that_fails", unseen: fewDetachedBelow,
	},
	{
		name: "origin: an end that was taken is handed over again", file: "internal/supervisor/origin.go",
		old:  "\tif r.Status.Final() || n.Refused && n.Request != r.Seq {",
		new:  "\tif n.Owed {\n\t\trun.EnqueueDelivery(tx, *r, n.Claims)\n\t\ttx.Schedule(DueDelivery, r.ID, tx.Now)\n\t}\n\tif r.Status.Final() || n.Refused && n.Request != r.Seq {",
		test: "chat TestRunOfAHelperWhoseCommandsAreLost/Pilot", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a run joins that of another helper", file: "run/begin.go",
		old:  "(r.Handler != have.Handler || !r.Origin.Same(have.Origin))",
		new:  "r.Handler != have.Handler",
		test: "chat TestScripts/origin/what_the_root_refuses", unseen: fewDetachedBelow,
	},
	{
		name: "origin: progress is told to a helper that nobody watches", file: "internal/supervisor/host.go",
		old:  "|| watched && !s.originWatched(tx, r) {",
		new:  "{",
		test: "chat TestScripts/origin/progress_goes_to_those_who_watch_the_helper", unseen: fewDetachedBelow,
	},
	{
		name: "origin: an end that nobody takes outlives a clear", file: "internal/supervisor/host.go",
		old:  "\tif d.Last {\n\t\ts.delivered(tx, r, d)\n",
		new:  "\tif d == nil {\n\t\ts.delivered(tx, r, d)\n",
		test: "chat TestScripts/origin/clear_ends", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a run that the root hosts is granted everything", file: "internal/facet/host.go",
		old:  "Labels: h.Labels, Claims: h.Claims,",
		new:  "Labels: h.Labels, Claims: \"\",",
		test: "chat TestRootControlsARunOfAHelper$", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a helper pauses its row of a run that the root hosts", file: "internal/supervisor/pause.go",
		old:  "\tcase r.Hosted != nil:\n\t\treturn hostedByRoot(id)\n\tcase r.Status.Final():",
		new:  "\tcase r.Status.Final():",
		test: "chat TestRootControlsARunOfAHelper$", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a restart belongs to the root", file: "run/restart.go",
		old:  "Origin: r.Origin.Again(),",
		new:  "Origin: nil,",
		test: "chat TestRestartOfAHelpersRunIsToldOnce", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a helper is told the end of a restart that it does not know", file: "internal/supervisor/host.go",
		old:  "if r.Origin.Request == 0 { // the helper learns",
		new:  "if r.Origin.Request < -1 { // the helper learns",
		test: "chat TestRestartOfAHelpersRunIsToldOnce", unseen: fewDetachedBelow,
	},
	{
		name: "origin: nothing is read of a helper that goes on with what the root has brought", file: "internal/supervisor/host.go",
		old:  "\t\tif res.GoesOn {",
		new:  "\t\tif res.GoesOn && len(path) == 0 {",
		test: "chat TestScripts/origin/end_reaches_a_helper_of_a_helper", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a helper that waits for a key of the root keeps its stream", file: "flow/routine.go",
		old:  "if e.open() && e.op.FromParent {",
		new:  "if !e.open() && e.op.FromParent {",
		test: "chat TestWaitForAKeyHoldsNothing/a_helper_has_it", unseen: "no tool of a world has a key",
	},
	{
		name: "chat: code that was put away goes on with everything granted", file: "internal/loop/ask.go",
		old:  "Routine: r.routine.ID(), Claims: a.turn.Claims, History",
		new:  "Routine: r.routine.ID(), History",
		test: "chat TestLedgerNamesPeople", unseen: "nobody in a world has claims",
	},
	{
		name: "chat: the ledger does not name the person who has approved a call", file: "chat/turn.go",
		old:  "approvedBy = answer.Person",
		new:  "approvedBy = answer.Reason",
		test: "chat TestLedgerNamesPeople", unseen: "nobody in a world has claims",
	},
	{
		name: "origin: an end whose helper is gone goes to nobody", file: "internal/supervisor/host.go",
		old:  "if s.config.HasHandler(d.Handler) {",
		new:  "if r.Origin == nil && s.config.HasHandler(d.Handler) {",
		test: "chat TestScripts/origin/end_of_an_orphan_reaches_the_root", unseen: fewDetachedBelow,
	},
	{
		name: "origin: a helper between takes no end for one that is gone", file: "internal/supervisor/origin.go",
		old:  "\tcase next == nil:\n\t\ts.takeNews(tx, call, n, false)\n",
		new:  "\tcase next == nil:\n\t\ts.answerNews(call, facet.HostedResult{Taken: true})\n",
		test: "chat TestScripts/origin/end_of_an_orphan_reaches_the_helper_above", unseen: fewDetachedBelow,
	},
	{
		name: "origin: the end of a run is accepted by a helper and by its root", file: "internal/supervisor/host.go",
		old:  "case res.Gone && owed:",
		new:  "case (res.Gone || res.Taken) && owed:",
		test: "chat TestScripts/origin/end_of_an_orphan_reaches_the_helper_above", unseen: fewDetachedBelow,
	},
}
