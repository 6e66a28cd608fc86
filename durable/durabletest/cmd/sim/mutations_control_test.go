package main

// controlMutations are faults in pauses, in questions and approvals, and in the runs that helpers
// begin.
var controlMutations = []mutation{
	{
		name: "chat: yes to a helper's question is no", file: "chat/question.go",
		old:  "Approved: !a.Denied, Conn: conn,",
		new:  "Approved: a.Denied, Conn: conn,",
		seed: 2,
	},
	{
		name: "chat: a parent does not wake a helper whose handler has refused an end", file: "chat/task_serve.go",
		old:  "supervisor.DueAsk, supervisor.DueDelivery, approval",
		new:  "supervisor.DueAsk, approval",
		test: "chat TestScripts/origin/handler_of_a_helper_that_fails", unseen: "few of its helpers of helpers refuse the end of a run",
	},
}
