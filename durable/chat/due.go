package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// handleDue handles the entries of the schedule that have fallen due.
func (o *Object) handleDue(tx *durable.Tx) {
	taken := durable.TakeDue(tx)
	for _, due := range taken {
		switch {
		case due.Kind == flow.DueSleep:
			o.resumeRoutine(tx, "", flow.Wake(tx, due.ID))
		case due.Kind == question.DueQuestion:
			o.expires()
			o.expireQuestion(tx, due.ID)
		case o.mcpServer != nil && o.mcpServer.HandleDue(tx, due):
		case o.runs.HandleDue(tx, due), o.loop.HandleDue(tx, due), o.serversDue(tx, due):
		case due.Kind == admission.DueTurn:
			o.startNext(tx)
		case due.Kind == dueCallback && len(taken) > 1: // each callback gets a transaction of its own
			tx.Schedule(dueCallback, "", tx.Now)
		case due.Kind == dueCallback:
			o.callDueCallback(tx)
		case due.Kind == approval.DueExpiry:
			o.expires()
			o.expireApproval(tx, due.ID)
		case due.Kind == task.DueReport:
			o.tails.FlushAll(tx)
		}
	}
	o.loop.ResumeTools(tx)
}

// expires has a turn that goes on because nobody has answered begin in an event of its own. The event
// of the expiry comes again if it traps, and would charge no turn for it.
func (o *Object) expires() { o.quarantined = o.quarantined || !o.loop.IsActive() }

// causes says what cause a turn is charged with for each kind of loss of its instance.
var causes = map[durable.Loss]turn.Cause{
	durable.LostQuietly: turn.InstanceLost, durable.LostByTrap: turn.ProviderFailed, durable.LostInEvent: turn.ProviderFailed, durable.LostByMemory: turn.OutOfMemory,
}

// The rest of this file calls the callbacks of schedules. Each call is an event of its own, and so a
// transaction of its own: a failing callback affects no other. Each call claims the next one. So an
// event does a bounded amount of work, however many callbacks are due at the same time.

// callDueCallback makes the call that was claimed, and claims the next one.
func (o *Object) callDueCallback(tx *durable.Tx) {
	if e, ok := schedule.ToCall(tx); ok {
		o.runCallback(tx, e)
	}
	schedule.Claim(tx)
	o.followSchedules(tx)
	o.tails.FlushAll(tx) // a reader may hear nothing of a run for a long time after this
}

// followSchedules sets the object's own schedule to the time of the next callback.
func (o *Object) followSchedules(tx *durable.Tx) {
	if due := schedule.Next(tx); due > 0 {
		tx.Schedule(dueCallback, "", due)
	} else if tx.Scheduled(dueCallback, "") {
		tx.Unschedule(dueCallback, "")
	}
}

func (o *Object) runCallback(tx *durable.Tx, e schedule.Entry) {
	callback := o.agent.Callbacks[e.Callback]
	if callback == nil { // a deployment has removed it; a retry would not help
		e.Attempts = e.MaxAttempts
		o.callbackFailed(tx, e, o.noCallback(e.Callback), true)
		return
	}
	schedule.Take(tx, e)
	call := agent.Scheduled{ID: e.ID, Payload: e.Payload, Planned: e.Planned, Now: tx.Now, Attempt: e.Attempts}
	defer o.actFor(e.Claims)()
	if err := callback(o.conversation(tx), call); err != nil {
		o.callbackFailed(tx, e, err.Error(), false)
	}
}

func (o *Object) noCallback(name string) string {
	return fmt.Sprintf("%s has no callback named %.80q", o.agent.Name, name)
}

func (o *Object) callbackFailed(tx *durable.Tx, e schedule.Entry, why string, last bool) {
	state := schedule.Fail(tx, e, why, last)
	tx.Log(durable.Error, "a callback failed", "schedule", e.ID, "callback", e.Callback,
		"attempt", fmt.Sprint(e.Attempts), "state", string(state), "error", why)
}

// failClaimedCallback charges the claimed callback for the loss of the instance, which this object
// has caused: most likely by the callback. It says whether a callback was claimed.
func (o *Object) failClaimedCallback(tx *durable.Tx, why string) bool {
	e, ok := schedule.ToCall(tx)
	if ok {
		o.callbackFailed(tx, e, why, true)
		o.followSchedules(tx)
	}
	return ok
}
