package main

// actionMutations are faults in the ledger of actions.
var actionMutations = []mutation{
	{
		name: "action: a key is taken from a call that works on it", file: "action/claim.go",
		old:  "case !a.abandoned(tx):",
		new:  "case a.Owner == \"nobody\":",
		seed: 2,
	},
	{
		name: "action: what may have happened is begun again", file: "action/claim.go",
		old:  "return Claimed{Seq: a.Seq, State: Unknown, Failure: why, Sent: a.Sent}",
		new:  "return Claimed{Seq: a.Seq, State: Begun, Failure: why, Sent: a.Sent}",
		seed: 2,
	},
	{
		name: "action: a call that was given up counts as failed", file: "action/end.go",
		old:  "case a.State == Begun && begun:",
		new:  "case a.State == Unknown && begun:",
		seed: 2,
	},
	{
		name: "action: what is wished again behind an undoing has the old key", file: "action/claim.go",
		old:  "state = 'undone' LIMIT 1",
		new:  "state = 'lost' LIMIT 1",
		seed: 2,
	},
	{
		name: "action: a call that waits for a key is not woken", file: "action/claim.go",
		old:  "`DELETE FROM action_waiter WHERE action = ? RETURNING routine, position`",
		new:  "`SELECT routine, position FROM action_waiter WHERE action = -?`",
		seed: 2,
	},
	{
		name: "action: a helper that waits for a key is not told", file: "action/remote.go",
		old:  "AND position = ?`, waits, owner, n)) == 0 {",
		new:  "AND position = ?`, waits, owner, n)) > 0 {",
		seed: 2,
	},
	{
		name: "action: a helper that asks again waits for itself", file: "action/remote.go",
		old:  "if found && a.Owner == owner && heard(tx, a.Seq, n) {",
		new:  "if found && a.Owner != owner && heard(tx, a.Seq, n) {",
		seed: 2,
	},
	{
		name: "agent: a request without an answer has failed", file: "agent/action.go",
		old:  "inDoubt := effects.Doubtful || errors",
		new:  "inDoubt := errors",
		seed: 2,
	},
	{
		name: "action: an action whose call is gone stays with it", file: "action/action.go",
		old:  "a.Owner[0] != '^' && !flow.Exists(tx, a.Owner)",
		new:  "a.Owner[0] != '^' && a.Owner == \"nobody\" && !flow.Exists(tx, a.Owner)",
		test: "action TestOwnerThatIsGone", unseen: "the ledger is told when a journal is deleted, and this is for what it was not told",
	},
}
