package main

// controlMutations are faults in pauses, in questions and approvals, and in the runs that helpers
// begin.
var controlMutations = []mutation{
	{
		name: "chat: yes to a helper's question is no", file: "chat/question.go",
		old:  "Approved: !a.Denied, Conn: conn,",
		new:  "Approved: a.Denied, Conn: conn,",
		seed: 18,
	},
	{
		name: "chat: a parent does not wake a helper whose handler has refused an end", file: "chat/task_serve.go",
		old:  "supervisor.DueAsk, supervisor.DueDelivery, approval",
		new:  "supervisor.DueAsk, approval",
		test: "chat TestScripts/origin/handler_of_a_helper_that_fails", unseen: "few of its helpers of helpers refuse the end of a run",
	},
	{
		name: "run: an older pause is acknowledged for a newer one", file: "run/pause.go",
		old:  "if r.Pause.Change != change || !r.Pause.Due {",
		new:  "if r.Pause.Change < change || !r.Pause.Due {",
		test: "run TestPauseIsAcknowledged", unseen: "few of its worlds resume a run whose helper has not heard of the pause",
	},
	{
		name: "supervisor: a pause that was lost is not sent again", file: "internal/supervisor/pause.go",
		old:  "if r.Pause.Due && again(owedPause, r.ID) {",
		new:  "if !r.Pause.Due && again(owedPause, r.ID) {",
		test: "chat TestLossesBetweenAllEventsOfAPause/of_commands", unseen: "few of its worlds lose a pause on its way to the helper",
	},
	{
		name: "supervisor: a run goes on that was paused for itself", file: "internal/supervisor/pause.go",
		old:  "case r.Pause.Own:",
		new:  "case r.Pause.Own && r.ID == \"\":",
		test: "chat TestRunThatWaitsForAPausedOne", unseen: "its people pause runs of the root alone",
	},
	{
		name: "run: the timeout of a run goes on while it is paused", file: "run/pause.go",
		old:  "\tstopClock(tx, r)\n",
		new:  "",
		test: "chat TestTimesStandStillInAPause", unseen: "few of its runs come near to their timeout behind a pause",
	},
	{
		name: "supervisor: a journal is copied from its beginning again and again", file: "internal/supervisor/copy.go",
		old:  "From: int64(r.Restart.Copied),",
		new:  "From: 0,",
		test: "chat TestLongJournalTravelsInPieces", unseen: "the journals of its clerks travel in one piece",
	},
	{
		name: "chat: an answer is taken that does not fit its question", file: "chat/question.go",
		old:  "if err := run.FitAnswer(q.Schema, a.Value); err != nil {",
		new:  "if err := run.FitAnswer(q.Schema, a.Value); err != nil && a.Denied {",
		test: "chat TestAnswerIsRefused", unseen: "few of its worlds have an answer that does not fit its question",
	},
	{
		name: "chat: a question that nobody answers never ends", file: "chat/question.go",
		old:  "\to.answered(tx, \"\", q, a)\n",
		new:  "",
		test: "chat TestQuestionEnds", unseen: "its people answer within a day",
	},
	{
		name: "question: an answer closes every question", file: "internal/question/question.go",
		old:  "WHERE id = ? AND over_at = 0`, tx.Now, by, sent, id)",
		new:  "WHERE ? <> '' AND over_at = 0`, tx.Now, by, sent, id)",
		test: "chat TestPersonChatsOnBesideAQuestion", unseen: "few of its worlds have two open questions at once",
	},
	{
		name: "chat: the scopes of those who approve do not count", file: "chat/approvals.go",
		old:  "out.Missing = by.Missing(descriptorOf(part).Scopes)",
		new:  "out.Missing = by.Missing(descriptorOf(part).Scopes[:0])",
		test: "chat TestScopes$", unseen: "everything is granted in its worlds",
	},
	{
		name: "chat: a call that nobody approves waits for ever", file: "chat/approvals.go",
		old:  "\to.answer(tx, \"\", verdictReply(v, true))\n",
		new:  "",
		test: "chat TestNobodyAnswers", unseen: "the approvals of its worlds have no time limit",
	},
	{
		name: "run: a run that is deleted once its end is told is restarted", file: "run/restart.go",
		old:  "case isForgotten(tx, r):",
		new:  "case isForgotten(tx, r) && from == \"never\":",
		test: "run TestForgottenRunIsNotRestarted", unseen: "few of its worlds restart a run of a conversation that was just cleared",
	},
}
