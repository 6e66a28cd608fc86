package main

// fewMeet is why the simulator is not known to find them.
const fewMeet = "few of its worlds have two calls that meet at one key"

// actionMutations are faults in the ledger of actions.
var actionMutations = []mutation{
	{
		name: "action: a key is taken from a call that works on it", file: "action/claim.go",
		old:  "case !a.abandoned(tx):",
		new:  "case a.Owner == \"nobody\":",
		test: "action TestOneCallOwnsAKey", unseen: fewMeet,
	},
	{
		name: "action: what may have happened is begun again", file: "action/claim.go",
		old:  "return Claimed{Seq: a.Seq, State: Unknown, Failure: why, Sent: a.Sent}",
		new:  "return Claimed{Seq: a.Seq, State: Begun, Failure: why, Sent: a.Sent}",
		test: "action TestOwnerThatIsGone", unseen: fewMeet,
	},
	{
		name: "action: a call that was given up counts as failed", file: "action/end.go",
		old:  "case a.State == Begun && begun:",
		new:  "case a.State == Unknown && begun:",
		test: "action TestAbandonedCall", unseen: fewMeet,
	},
	{
		name: "action: what is wished again behind an undoing has the old key", file: "action/claim.go",
		old:  "state = 'undone' LIMIT 1",
		new:  "state = 'lost' LIMIT 1",
		test: "action TestUndoneKeyIsFree", unseen: fewMeet,
	},
	{
		name: "action: a call that waits for a key is not woken", file: "action/claim.go",
		old:  "`DELETE FROM action_waiter WHERE action = ? RETURNING routine, position`",
		new:  "`SELECT routine, position FROM action_waiter WHERE action = -?`",
		test: "action TestOneCallOwnsAKey", unseen: fewMeet,
	},
	{
		name: "action: an action whose call is gone stays with it", file: "action/action.go",
		old:  "a.Owner[0] != '^' && !flow.Exists(tx, a.Owner)",
		new:  "a.Owner[0] != '^' && a.Owner == \"nobody\" && !flow.Exists(tx, a.Owner)",
		test: "action TestOwnerThatIsGone", unseen: "the ledger is told when a journal is deleted, and this is for what it was not told",
	},
	{
		name: "action: a request to undo that comes late takes the action", file: "action/root.go",
		old:  "case last >= n, isLate(tx, f.Token, n):",
		new:  "case last >= n+1000:",
		test: "action TestLateUndoRequestsChangeNothing", unseen: fewMeet,
	},
	{
		name: "action: a late word counts although another call has taken the key", file: "action/claim.go",
		old:  "hop = '', heard = 0, code = ''",
		new:  "attempts = attempts",
		test: "action TestWordOfAStoppedHelper", unseen: fewMeet,
	},
	{
		name: "action: what a stopped call has learnt does not count", file: "action/root.go",
		old:  "f.regain(tx, n, owner, Unknown, r)",
		new:  "",
		test: "action TestWordOfAStoppedHelper", unseen: "one in ten thousand worlds stops a run at that moment",
	},
	{
		name: "loop: a turn that undoes something runs an approved call as its program", file: "internal/loop/loop.go",
		old:  "	if l.active.code == nil {\n		approval.AssignTo(tx, l.active.turn.Seq)\n	}\n	if !l.runApproved",
		new:  "	approval.AssignTo(tx, l.active.turn.Seq)\n	if !l.runApproved",
		test: "chat TestApprovalBesideAnUndoing", unseen: "few of its worlds undo something while a person answers",
	},
	{
		name: "action: the root does not hear of code that is over", file: "internal/once/root.go",
		old:  "task.HasToken(tx) && action.GoneAtRoot",
		new:  "!task.HasToken(tx) && action.GoneAtRoot",
		test: "durabletest/sim TestScripts/crashed_code_that_is_stopped_holds_no_key", unseen: fewMeet,
	},
	{
		name: "agent: whether an action is in doubt is decided anew", file: "internal/once/action.go",
		old:  "doubt, err := flow.Step(c, \"action effects\", func(*durable.Tx) (bool, error) {",
		new:  "doubt, err := func(decide func(*durable.Tx) (bool, error)) (bool, error) { return decide(nil) }(func(*durable.Tx) (bool, error) {",
		test: "chat TestCodeGoesOnBehindARefusal", unseen: "few of its worlds lose a helper behind a refusal",
	},
	{
		name: "agent: an undo whose error hides that it is in doubt is repeated", file: "internal/once/undo.go",
		old:  "err != nil && inDoubt(c, begun, err)",
		new:  "err != nil && begun != nil && errors.Is(err, flow.ErrDoubtful)",
		test: "chat TestUndoInDoubtIsNotRepeated", unseen: "the simulator's undoing passes its errors on as they are",
	},
	{
		name: "agent: the runs of all errands have the same names", file: "agent/context.go",
		old:  "id := cmp.Or(c.of.Code.Base, c.of.Code.Run)",
		new:  "id := cmp.Or(\"\", c.of.Code.Run)",
		test: "chat TestUndoByHelper", unseen: "the simulator undoes nothing by a helper",
	},
	{
		name: "chat: anybody says whether an action has happened", file: "chat/question.go",
		old:  "if !q.Open() || len(missing) == 0 {",
		new:  "if !q.Open() || len(missing) >= 0 {",
		test: "chat TestScopesBelow", unseen: "the people of the simulator have all scopes",
	},
	{
		name: "action: a helper that waits for a key is not told", file: "action/claim.go",
		old:  "\t\ttx.Schedule(DueNotice, \"\", tx.Now)\n",
		new:  "",
		test: "chat TestManyWaitersAreToldAtOnce", unseen: fewMeet,
	},
	{
		name: "action: a helper that asks again waits for itself", file: "action/root.go",
		old:  "if found && a.Owner == owner && lastServed(tx, a.Seq) == n {",
		new:  "if found && a.Owner != owner && lastServed(tx, a.Seq) == n {",
		test: "action TestLateRequestsChangeNothing", unseen: fewMeet,
	},
	{
		name: "agent: a request without an answer has failed", file: "internal/once/action.go",
		old:  "return e.Doubtful || e.Begun && errors.Is",
		new:  "return e.Begun && errors.Is",
		test: "chat TestUndoInDoubtIsNotRepeated", unseen: "the simulator's tools pass their errors on as they are",
	},
}
