package main

// These faults take an acknowledgement away, one at each place that repeats what it says until then: see the table in
// durable/internal/README.md. Others of them are among the faults of their rooms.

const (
	repeats      = "its worlds end before what is repeated is noticed, or find the repetition without effect"
	acknowledged = "internal/supervisor TestWhatIsAcknowledgedIsNotRepeated/"
	ignored      = "internal/supervisor TestNothingIsRepeatedForEver/"
)

var owedMutations = []mutation{
	{
		name: "owed: a run that its helper has taken is handed over again", file: "internal/supervisor/tail.go",
		old:  "\t\trun.Move(tx, r, run.Running, run.Result{})\n\t\ts.notifyOrigin(tx, r, false)",
		new:  "\t\ts.notifyOrigin(tx, r, false)",
		test: acknowledged + "a_run_that_a_helper_is_handed", unseen: repeats,
	},
	{
		name: "owed: a helper that is heard counts as silent", file: "internal/supervisor/tail.go",
		old:  "\tacknowledged(tx, owed{owedStream, r.ID})\n}",
		new:  "}",
		test: acknowledged + "the_stream_of_a_run", unseen: repeats,
	},
	{
		name: "owed: a cancellation that was acknowledged is sent again", file: "internal/supervisor/end.go",
		old:  "\t\trun.CancelAcknowledged(tx, r.ID)\n",
		new:  "",
		test: acknowledged + "a_cancellation", unseen: repeats,
	},
	{
		name: "owed: signals that are stored are sent again", file: "internal/supervisor/signal.go",
		old:  "\trun.AcknowledgeSignals(tx, id, result.Last)\n",
		new:  "",
		test: acknowledged + "a_signal", unseen: repeats,
	},
	{
		name: "owed: a pause that was acknowledged is sent again", file: "internal/supervisor/pause.go",
		old:  "case run.PauseAcknowledged(tx, &r, p.Change):",
		new:  "case p.Change < 0:",
		test: acknowledged + "a_pause", unseen: repeats,
	},
	{
		name: "owed: a helper that has answered a wake is woken again", file: "internal/supervisor/wake.go",
		old:  "\ts.ScheduleWake(tx, r.ID, w.At)\n\ts.NoteIdle",
		new:  "\ts.NoteIdle",
		test: acknowledged + "a_wake", unseen: repeats,
	},
	{
		name: "owed: news that were taken are told again", file: "internal/supervisor/host.go",
		old:  "\tdefault:\n\t\tt.waits = 0\n\t\ttx.Unschedule(dueNotice, id)",
		new:  "\tdefault:\n\t\tt.waits = 0",
		test: acknowledged + "news_of_a_run", unseen: repeats,
	},
	{
		name: "owed: a request that the root has heard goes up again", file: "internal/supervisor/origin.go",
		old:  "\t\tr.Hosted.Asked, r.Hosted.NoQueue = false, false\n",
		new:  "",
		test: "internal/supervisor TestRequestGoesUpUntilTheRootHasHeard", unseen: repeats,
	},
	{
		name: "owed: a slot that was wiped is wiped in each life", file: "internal/supervisor/slot.go",
		old:  "\t\trun.Wiped(tx)\n",
		new:  "",
		test: "internal/supervisor TestSlotIsWipedUntilThatIsDone", unseen: repeats,
	},
	{
		name: "owed: a helper that has heard from the ledger is told again", file: "internal/supervisor/ledger.go",
		old:  "\t\ts.config.Ledger.Acknowledge(tx, n)\n",
		new:  "\t\t_ = n\n",
		test: "internal/supervisor TestUnreachableHelperBlocksNoOther", unseen: repeats,
	},
	{
		name: "owed: an end that its handler has taken is handed over again", file: "internal/supervisor/host.go",
		old:  "\trun.Delivered(tx, *d)\n",
		new:  "",
		test: "internal/supervisor TestDeliveryIsRetried", unseen: repeats,
	},
	{
		name: "owed: a request for a key that was answered goes up again", file: "action/root.go",
		old:  "DELETE FROM action_up WHERE n = ? RETURNING routine, position`, r.N",
		new:  "SELECT routine, position FROM action_up WHERE n = ?`, r.N",
		test: "action TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a request for a key that waits goes up again", file: "action/root.go",
		old:  "\t\ttx.SQL(`UPDATE action_up SET heard = 1 WHERE n = ?`, r.N)\n",
		new:  "",
		test: "action TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a call that has heard of its key is told again", file: "action/root.go",
		old:  "DELETE FROM action_waiter WHERE n = ? AND action = 0 RETURNING routine, position`, id",
		new:  "SELECT routine, position FROM action_waiter WHERE n = ? AND action = 0`, id",
		test: "action TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a request for a server that was answered goes up again", file: "internal/mcpclient/helper.go",
		old:  "DELETE FROM mcp_up WHERE n = ? RETURNING routine, position, IIF(json_valid(body), body ->> 'offer', 0)`, reply.N",
		new:  "SELECT routine, position, IIF(json_valid(body), body ->> 'offer', 0) FROM mcp_up WHERE n = ?`, reply.N",
		test: "internal/mcpclient TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a request for a server that waits goes up again", file: "internal/mcpclient/helper.go",
		old:  "\t\ttx.SQL(`UPDATE mcp_up SET heard = 1 WHERE n = ?`, reply.N)\n",
		new:  "",
		test: "internal/mcpclient TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a helper that has heard the reply of a server is told again", file: "internal/mcpclient/relay_reply.go",
		old:  "\t\tint64(never), tx.Now, id/(1+maxAnswers), id%(1+maxAnswers))",
		new:  "\t\ttx.Now, tx.Now, id/(1+maxAnswers), id%(1+maxAnswers)-1)",
		test: "internal/mcpclient TestWhatWasHeardIsNotSaidAgain", unseen: repeats,
	},
	{
		name: "owed: a callback that has returned is called again", file: "schedule/call.go",
		old:  "\t\ttx.SQL(`DELETE FROM callback WHERE seq = ?`, e.Seq)\n\t\treturn Waits",
		new:  "\t\treturn Waits",
		test: "schedule TestScheduleForOneCallIsDeletedWhenCalled", unseen: repeats,
	},
	{
		name: "owed: a Workflow that is terminated is told so again", file: "flow/watch.go",
		old:  "\t\ttx.Unschedule(DueTerminate, key)\n",
		new:  "",
		test: "flow TestWorkflowIsTerminated", unseen: repeats,
	},
	{
		name: "owed: a notice that was posted is posted again", file: "internal/admission/notice.go",
		old:  "DELETE FROM untold WHERE n = (SELECT MIN(n) FROM untold) RETURNING react, text`",
		new:  "SELECT react, text FROM untold WHERE n = (SELECT MIN(n) FROM untold)`",
		test: "internal/admission TestNoticesAreShared", unseen: repeats,
	},
	{
		name: "owed: how often something was repeated is not kept", file: "internal/supervisor/owed.go",
		old:  "\ttries++\n",
		new:  "\ttries = 1\n",
		test: ignored + "a_pause", unseen: repeats,
	},
	{
		name: "owed: what is not acknowledged is repeated without a pause that grows", file: "internal/supervisor/owed.go",
		old:  "if before[o].next > tx.Now {",
		new:  "if before[o].next < 0 {",
		test: "internal/supervisor TestPausesGrowBesideOtherWork", unseen: repeats,
	},
	{
		name: "owed: a stream that breaks each time is opened every eight seconds", file: "internal/supervisor/log.go",
		old:  "f.failures > maxSendAttempts || repeated(tx)[o].tries > 0",
		new:  "f.failures < 0",
		test: ignored + "the_stream_of_a_run_fails", unseen: repeats,
	},
	{
		name: "owed: a wake that hangs is repeated every half minute", file: "internal/supervisor/wake.go",
		old:  "if s.waking[id] { // the last call has hung",
		new:  "if id == \"\" {",
		test: ignored + "a_wake_hangs", unseen: repeats,
	},
	{
		name: "owed: news that are lost with the memory are not counted", file: "internal/supervisor/host.go",
		old:  "if t := s.notices[id]; t == nil || t.calling { // the call",
		new:  "if t := s.notices[id]; t != nil && t.calling { // the call",
		test: ignored + "news_of_a_run", unseen: repeats,
	},
}
