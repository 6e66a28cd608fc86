package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// This file calls what schedules say. Each call is an event, and so a transaction, of its
// own: what one callback breaks is nobody else's. It claims the next one, so that however
// many fall due together, one event does a bounded amount of work.

// Callback is called at the time that a schedule says, within an event of its own. It does
// not wait for anything: what takes long is begun by it, as a turn ([Conversation.Notify])
// or a detached run ([Conversation.StartRun]). When its error is not nil it is called again
// later, with all that it did standing.
type Callback func(c *Conversation, s Scheduled) error

// Scheduled is one call of a [Callback].
type Scheduled struct {
	// ID names the schedule, Payload is what it was made with, JSON or nil.
	ID      string
	Payload json.RawMessage
	// Planned is the time that the schedule says, Now the time that it is; both are in
	// milliseconds since 1970. They are far apart where nothing ran in between.
	Planned, Now int64
	// Attempt counts the calls for this time, from 1 on.
	Attempt int
}

// callDue makes the call that was claimed, and claims the next.
func (h *Host) callDue(tx *durable.Tx) {
	if e, ok := schedule.ToCall(tx); ok {
		h.callBack(tx, e)
	}
	schedule.Claim(tx)
	h.followSchedules(tx)
	h.pumpAll(tx) // nothing may come of a run for long now
}

// followSchedules lets the object's own schedule follow those of its agent.
func (h *Host) followSchedules(tx *durable.Tx) {
	if due := schedule.Next(tx); due > 0 {
		tx.Schedule(dueCallback, "", due)
	} else if tx.Scheduled(dueCallback, "") {
		tx.Unschedule(dueCallback, "")
	}
}

func (h *Host) callBack(tx *durable.Tx, e schedule.Entry) {
	callback := h.agent.Callbacks[e.Callback]
	if callback == nil { // a deployment has lost it; trying again would not help
		e.Attempts = e.Tries
		h.callFailed(tx, e, h.noCallback(e.Callback), true)
		return
	}
	schedule.Take(tx, e)
	call := Scheduled{ID: e.ID, Payload: e.Payload, Planned: e.Planned, Now: tx.Now, Attempt: e.Attempts}
	if err := callback(h.conversation(tx), call); err != nil {
		h.callFailed(tx, e, err.Error(), false)
	}
}

func (h *Host) noCallback(name string) string {
	return fmt.Sprintf("%s has no callback named %.80q", h.agent.Class, name)
}

func (h *Host) callFailed(tx *durable.Tx, e schedule.Entry, why string, last bool) {
	state := schedule.Fail(tx, e, cutOff(why, maxWords), last)
	tx.Log(durable.Error, "a callback failed", "schedule", e.ID, "callback", e.Callback,
		"attempt", fmt.Sprint(e.Attempts), "state", string(state), "error", why)
}

// lapseCallback charges the call that was being made when the instance was lost by a fault
// of this object, and says whether there was one: most likely it was its callback's.
func (h *Host) lapseCallback(tx *durable.Tx, lost durable.Loss) bool {
	if lost == durable.LostQuietly {
		return false
	}
	e, ok := schedule.ToCall(tx)
	if ok {
		h.callFailed(tx, e, "the instance was lost: "+string(lost), true)
		h.followSchedules(tx)
	}
	return ok
}
