package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The kinds of entries in the schedule.
const (
	// dueCallback calls the callback of a schedule.
	dueCallback = "callback"
	// dueTimer is a helper's timer. A helper has no alarm.
	dueTimer = "due"
)

// handleDue handles the entries of the schedule that have fallen due.
func (o *Object) handleDue(tx *durable.Tx) {
	taken := durable.TakeDue(tx)
	for _, due := range taken {
		switch {
		case due.Kind == flow.DueSleep:
			flow.Wake(tx, due.ID)
		case o.runs.HandleDue(tx, due), o.loop.HandleDue(tx, due):
		case due.Kind == admission.DueTurn:
			o.startNext(tx)
		case due.Kind == dueCallback && len(taken) > 1: // each callback gets a transaction of its own
			tx.Schedule(dueCallback, "", tx.Now)
		case due.Kind == dueCallback:
			o.callDueCallback(tx)
		case due.Kind == task.DueReport:
			o.tails.FlushAll(tx)
		}
	}
	o.loop.ResumeTools(tx)
}

// causes says what cause a turn is charged with for each kind of loss of its instance.
var causes = map[durable.Loss]turn.Cause{
	durable.LostQuietly: turn.InstanceLost, durable.LostByTrap: turn.ProviderFailed, durable.LostByMemory: turn.OutOfMemory,
}
