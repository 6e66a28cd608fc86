package run

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
)

// Delivery is the end of a detached run, until its handler has taken it. It enters the outbox in
// the event in which the run ends, and leaves it in the event in which the handler succeeds. So a
// handler that never fails gets it exactly once.
type Delivery struct {
	Run     string
	Handler string
	attempt.Record
	// Last says that the run is deleted together with the delivery.
	Last bool
	// Claims are those that the handler works for, or "" for those of the run.
	Claims string
}

// Dead is the state of dead letters: deliveries that have used all their attempts. They are kept
// with their run.
const Dead = attempt.Failed

// stored are the states as the table has them, and states the other way round.
var (
	stored = map[attempt.State]string{attempt.Waiting: "waits", attempt.Claimed: "claimed", Dead: "dead"}
	states = map[string]attempt.State{"waits": attempt.Waiting, "claimed": attempt.Claimed, "dead": Dead}
)

// EnqueueDelivery puts the end of a detached run into the outbox, claimed for its first attempt. by are the
// claims that its handler works for, or "" for those of the run.
func EnqueueDelivery(tx *durable.Tx, r Run, by string) {
	tx.SQL(`INSERT OR REPLACE INTO letter (run, handler, state, attempts, claims) VALUES (?, ?, ?, 1, ?)`, r.ID, r.Handler, stored[attempt.Claimed], by)
}

// EnqueueForOrigin puts the end of a run that was begun by a helper into the outbox. No attempt is
// claimed: the helper counts its own.
func EnqueueForOrigin(tx *durable.Tx, r Run) {
	tx.SQL(`INSERT OR REPLACE INTO letter (run, handler, state, attempts) VALUES (?, ?, ?, 0)`, r.ID, r.Handler, stored[attempt.Waiting])
}

// FindDelivery returns the delivery of a run.
func FindDelivery(tx *durable.Tx, run string) (Delivery, bool) {
	for _, d := range deliveries(tx, `run = ?`, run) {
		return d, true
	}
	return Delivery{}, false
}

// Deliveries returns the deliveries in a state.
func Deliveries(tx *durable.Tx, state attempt.State) []Delivery {
	return deliveries(tx, `state = ?`, stored[state])
}

// KeepAttempts stores what was noted of the attempts at a delivery.
func KeepAttempts(tx *durable.Tx, d Delivery) {
	tx.SQL(`UPDATE letter SET state = ?, attempts = ?, failure = ?, claims = ? WHERE run = ?`, stored[d.State], d.Attempts, d.Failure, d.Claims, d.Run)
}

// For returns a run as its handler gets it: for the claims that the delivery has of its own, if somebody has
// asked for it again.
func (d Delivery) For(r Run) Run {
	if d.Claims != "" {
		r.Claims = d.Claims
	}
	return r
}

// Delivered removes a delivery from the outbox.
func Delivered(tx *durable.Tx, d Delivery) { tx.SQL(`DELETE FROM letter WHERE run = ?`, d.Run) }

// ForgetAfter notes that a run is deleted together with its delivery.
func ForgetAfter(tx *durable.Tx, run string) { tx.SQL(`UPDATE letter SET last = 1 WHERE run = ?`, run) }

func deliveries(tx *durable.Tx, where string, args ...any) []Delivery {
	var list []Delivery
	for _, row := range tx.SQL(`SELECT run, handler, state, attempts, failure, last, claims FROM letter WHERE `+where+` ORDER BY run`, args...) {
		list = append(list, Delivery{
			Run: row.Text(0), Handler: row.Text(1), Last: row.Bool(5), Claims: row.Text(6),
			Record: attempt.Record{State: states[row.Text(2)], Attempts: int(row.Int(3)), Failure: row.Text(4)},
		})
	}
	return list
}

// isForgotten says whether a run is deleted once its delivery is over.
func isForgotten(tx *durable.Tx, r Run) bool {
	d, ok := FindDelivery(tx, r.ID)
	return ok && d.Last
}
