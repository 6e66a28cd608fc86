package run

import "github.com/tributary-agents/tributary/durable"

// Delivery is the end of a detached run, until its handler has taken it. It enters the outbox in
// the event in which the run ends, and leaves it in the event in which the handler succeeds. So a
// handler that never fails gets it exactly once.
type Delivery struct {
	Run     string
	Handler string
	State   DeliveryState
	// Attempts counts the calls of the handler, including one that is about to be made.
	Attempts int
	// Failure says in words why the last attempt failed.
	Failure string
	// Last says that the run is deleted together with the delivery.
	Last bool
}

// DeliveryState is the state of a delivery.
type DeliveryState string

// The states of a delivery.
const (
	// Claimed deliveries are about to be attempted. The attempt is counted first, so that it stays
	// counted if the handler crashes the instance.
	Claimed DeliveryState = "claimed"
	// Waits is the state of deliveries that wait for their next attempt.
	Waits DeliveryState = "waits"
	// Dead is the state of dead letters: deliveries that have used all their attempts. They are
	// kept with their run.
	Dead DeliveryState = "dead"
)

// deliveryBackoff is how long a delivery waits after each of its failures, in milliseconds.
var deliveryBackoff = durable.Backoff{5_000, 15_000, 30_000, 120_000}

// EnqueueDelivery puts the end of a detached run into the outbox, claimed for its first attempt.
func EnqueueDelivery(tx *durable.Tx, r Run) {
	tx.SQL(`INSERT OR REPLACE INTO letter (run, handler, state, attempts) VALUES (?, ?, ?, 1)`, r.ID, r.Handler, string(Claimed))
}

// FindDelivery returns the delivery of a run.
func FindDelivery(tx *durable.Tx, run string) (Delivery, bool) {
	for _, d := range deliveries(tx, `run = ?`, run) {
		return d, true
	}
	return Delivery{}, false
}

// Deliveries returns the deliveries in a state.
func Deliveries(tx *durable.Tx, state DeliveryState) []Delivery {
	return deliveries(tx, `state = ?`, string(state))
}

// ClaimDelivery counts an attempt that is about to be made.
func ClaimDelivery(tx *durable.Tx, d *Delivery) {
	d.State, d.Attempts = Claimed, d.Attempts+1
	keepDelivery(tx, *d)
}

// DeliveryFailed notes a failed attempt, and returns the back-off in milliseconds, or 0 if there is
// no other attempt.
func DeliveryFailed(tx *durable.Tx, d *Delivery, why string) int64 {
	d.Failure, d.State = why, Dead
	var wait int64
	if d.Attempts <= len(deliveryBackoff) {
		d.State, wait = Waits, deliveryBackoff.Wait(d.Attempts)
	}
	keepDelivery(tx, *d)
	return wait
}

// RetryDelivery delivers a dead letter again, with as many attempts as a new delivery has.
func RetryDelivery(tx *durable.Tx, d *Delivery) {
	d.State, d.Attempts = Claimed, 1
	keepDelivery(tx, *d)
}

// Delivered removes a delivery from the outbox.
func Delivered(tx *durable.Tx, d Delivery) { tx.SQL(`DELETE FROM letter WHERE run = ?`, d.Run) }

// ForgetAfter notes that a run is deleted together with its delivery.
func ForgetAfter(tx *durable.Tx, run string) { tx.SQL(`UPDATE letter SET last = 1 WHERE run = ?`, run) }

func keepDelivery(tx *durable.Tx, d Delivery) {
	tx.SQL(`UPDATE letter SET state = ?, attempts = ?, failure = ? WHERE run = ?`, string(d.State), d.Attempts, d.Failure, d.Run)
}

func deliveries(tx *durable.Tx, where string, args ...any) []Delivery {
	var list []Delivery
	for _, row := range tx.SQL(`SELECT run, handler, state, attempts, failure, last FROM letter WHERE `+where+` ORDER BY run`, args...) {
		list = append(list, Delivery{
			Run: row.Text(0), Handler: row.Text(1), State: DeliveryState(row.Text(2)), Attempts: int(row.Int(3)), Failure: row.Text(4), Last: row.Bool(5),
		})
	}
	return list
}
