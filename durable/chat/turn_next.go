package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

// chargeNextTurn charges the next turn for the loss, if the turn was due to begin in an event of
// its own when the instance was lost.
func (o *Object) chargeNextTurn(tx *durable.Tx, cause turn.Cause) {
	due := durable.NextDueOf(tx, func(kind string) bool { return kind == dueTurn })
	if t, ok := turn.Next(tx); ok && o.quarantined && due > 0 && due <= tx.Now {
		_ = turn.ChargeRetry(tx, &t, 0, cause, 0) // the error is checked when the turn begins
	}
}

// isHeldBack says whether a turn that has crashed the instance as it began waits for the event that
// begins it next. If another event began it, that event would trap whenever it came, and the turn
// would not be charged.
func isHeldBack(tx *durable.Tx, t turn.Turn) bool {
	if t.Spent.Retries == 0 {
		return false
	}
	wait := durable.NextDueOf(tx, func(kind string) bool { return kind == dueTurn }) - tx.Now
	return wait > 0 && wait <= durable.BackoffAfterCrash(t.Spent.Retries) // a longer wait means that the clock was set back
}
