// Package approval keeps the tool calls that wait for a person's approval, or for a tool in the
// browser. The turn that made them ends, so that nothing is held while they wait. When all calls of
// a message are answered, and an answer asked the model to go on, another turn continues.
package approval

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
)

// State says how far a call has come.
type State string

// The states of a call.
const (
	// Open calls wait for an answer.
	Open State = "open"
	// Answered calls wait for the other calls of their message.
	Answered State = "answered"
	// Approved calls are run by the next turn.
	Approved State = "approved"
	// Asking calls have begun, and their code waits for a person's answer to its own question. Then
	// they are approved calls, and their code goes on.
	Asking State = "asking"
)

// Call is a tool call that waits, or has waited.
type Call struct {
	ID, Message string
	// Run is the parent's run that waits for the call, or "".
	Run   string
	State State
	// Routine is the id of the code that has begun, or "".
	Routine string
	// Continues says that an answer has asked the model to continue.
	Continues bool
	// Asked is when the call began to wait, in milliseconds since 1970. Claims are those of the turn
	// that made the call. The turn that continues has them too.
	Asked  int64
	Claims string
	// History is what the model of that turn is told, a turn.History. In a row of an earlier release it is "".
	History string
}

// Ask adds an open call of a message. If there is a call with this id, nothing changes.
func Ask(tx *durable.Tx, c Call) {
	tx.SQL(`INSERT INTO ask (call, message, run, state, asked, claims, told) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call) DO NOTHING`,
		c.ID, c.Message, c.Run, string(Open), tx.Now, c.Claims, c.History)
}

// Refusal says why a turn that works for some claims can have no more calls wait, or returns nil. more is
// how many calls of its own wait already and have no row.
func Refusal(tx *durable.Tx, claims string, more int) error {
	held := share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM ask GROUP BY claims`))
	held.Add(claims, more)
	return share.Approvals.Refusal(claims, held)
}

// Find returns the call with an id.
func Find(tx *durable.Tx, id string) (Call, bool) { return first(calls(tx, `call = ?`, id)) }

// FindOpen returns the call with an id if it is open.
func FindOpen(tx *durable.Tx, id string) (Call, bool) {
	return first(calls(tx, `call = ? AND state = ?`, id, string(Open)))
}

// OfMessage returns the calls of a message, in the order in which they were made.
func OfMessage(tx *durable.Tx, message string) []Call { return calls(tx, `message = ?`, message) }

// HasOpen says whether a call of a message is open, or its code asks a person.
func HasOpen(tx *durable.Tx, message string) bool {
	return len(calls(tx, `message = ? AND (state = ? OR state = ?)`, message, string(Open), string(Asking))) > 0
}

// IsUnfinished says whether a call of a message is open, asks a person, or goes on soon.
func IsUnfinished(tx *durable.Tx, message string) bool {
	return len(calls(tx, `message = ? AND state != ?`, message, string(Answered))) > 0
}

// Suspend notes that the code of a call, which has begun, waits for a person. A call that has waited
// before keeps its claims, and what is told.
func Suspend(tx *durable.Tx, c Call) {
	tx.SQL(`INSERT INTO ask (call, message, run, state, routine, asked, claims, told) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (call) DO UPDATE SET state = excluded.state, routine = excluded.routine, turn = 0`,
		c.ID, c.Message, c.Run, string(Asking), c.Routine, tx.Now, c.Claims, c.History)
}

// Resume has the next turn go on with code that was put away, and says whether there is such code.
func Resume(tx *durable.Tx, routine string) bool {
	return len(tx.SQL(`UPDATE ask SET state = ?, goes_on = 1 WHERE routine = ? AND state = ? RETURNING call`, string(Approved), routine, string(Asking))) > 0
}

// Begun returns the calls whose code has begun, and was put away.
func Begun(tx *durable.Tx) []Call { return calls(tx, `routine != ''`) }

// OfRoutine returns the call whose code has begun as a routine, and was put away.
func OfRoutine(tx *durable.Tx, routine string) (Call, bool) {
	return first(calls(tx, `routine = ? AND routine != ''`, routine))
}

// OfRun returns the calls that a run waits for, in the order in which they were made.
func OfRun(tx *durable.Tx, run string) []Call { return calls(tx, `run = ?`, run) }

// OpenOfRun returns the open calls that a run waits for.
func OpenOfRun(tx *durable.Tx, run string) []Call {
	return calls(tx, `run = ? AND run != '' AND state = ?`, run, string(Open))
}

// Opened returns all open calls, in the order in which they were made.
func Opened(tx *durable.Tx) []Call { return calls(tx, `state = ?`, string(Open)) }

// OfTurn returns the approved calls that a turn runs.
func OfTurn(tx *durable.Tx, turn int64) []Call { return calls(tx, `turn = ?`, turn) }

// Answer notes the answer to a call: its new state, and whether the model is asked to continue.
func Answer(tx *durable.Tx, c Call, to State, goesOn bool) {
	tx.SQL(`UPDATE ask SET state = ?, goes_on = ? WHERE call = ?`, string(to), goesOn, c.ID)
}

// AssignTo has a turn run all approved calls.
func AssignTo(tx *durable.Tx, turn int64) {
	tx.SQL(`UPDATE ask SET turn = ? WHERE state = ?`, turn, string(Approved))
}

// DeleteAnswered deletes the answered calls of a message. The approved ones stay until they have
// run.
func DeleteAnswered(tx *durable.Tx, message string) {
	tx.SQL(`DELETE FROM ask WHERE message = ? AND state = ?`, message, string(Answered))
}

// Delete deletes a call that has run, or was withdrawn.
func Delete(tx *durable.Tx, id string) {
	tx.SQL(`DELETE FROM ask WHERE call = ?`, id)
	StopExpiry(tx, id)
}

// DeleteLost deletes the calls whose messages are gone, except those that a turn runs. It returns
// the run of each, which is "" if no run waits for it, and the routines of those that have begun.
func DeleteLost(tx *durable.Tx) (runs, routines []string) {
	for _, row := range tx.SQL(`DELETE FROM ask WHERE message NOT IN (SELECT id FROM message) AND turn = 0 RETURNING run, routine, call`) {
		runs = append(runs, row.Text(0))
		if routine := row.Text(1); routine != "" {
			routines = append(routines, routine)
		}
		StopExpiry(tx, row.Text(2))
	}
	return runs, routines
}

// DeleteAll deletes every call, and who has answered which.
func DeleteAll(tx *durable.Tx) {
	tx.SQL(`DELETE FROM ask`)
	tx.SQL(`DELETE FROM answered`)
	tx.UnscheduleAll(DueExpiry, "")
}

// Any says whether there are calls.
func Any(tx *durable.Tx) bool { return len(tx.SQL(`SELECT 1 FROM ask LIMIT 1`)) > 0 }

func calls(tx *durable.Tx, where string, args ...any) []Call {
	var list []Call
	for _, row := range tx.SQL(`SELECT call, message, run, state, goes_on, routine, asked, claims, told FROM ask WHERE `+where+` ORDER BY seq`, args...) {
		list = append(list, Call{
			ID: row.Text(0), Message: row.Text(1), Run: row.Text(2), State: State(row.Text(3)), Continues: row.Bool(4), Routine: row.Text(5),
			Asked: row.Int(6), Claims: row.Text(7), History: row.Text(8),
		})
	}
	return list
}

func first(calls []Call) (Call, bool) {
	if len(calls) == 0 {
		return Call{}, false
	}
	return calls[0], true
}
