package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// dequeue takes a turn from the queue, because the turn begins or because it never will. This makes
// room in the queue.
func (o *Object) dequeue(tx *durable.Tx, t *turn.Turn, to turn.Status) {
	admission.Dequeue(tx, t, to)
	o.agenda.room = true
}

// busy says whether a turn is active or queued.
func (o *Object) busy(tx *durable.Tx) bool { return o.loop.IsActive() || turn.Waiting(tx) > 0 }

// refusalReason says why no message is accepted of the person with some claims, or returns nil.
func (o *Object) refusalReason(tx *durable.Tx, claims string) error {
	switch {
	case o.agent.Program != nil:
		return errors.New(o.agent.Name + " is a program and takes no messages")
	case o.clearing:
		return errors.New("the conversation is being cleared")
	}
	return admission.Refusal(tx, claims)
}

// startNext starts the next turn, if none is active. While everything is being cleared, nothing
// starts, because it would only be stopped. Nothing starts in a helper whose run is paused.
func (o *Object) startNext(tx *durable.Tx) {
	if o.loop.IsActive() || o.clearing || o.loop.Paused() {
		return
	}
	if t, ok := admission.Ready(tx, o.quarantined); ok {
		o.startTurn(tx, t, o.audience.All()...)
	}
}

// drainAgenda does at the end of an event what code within the event could only request: a turn
// cannot begin or end in the middle of another turn's hook or tool.
func (o *Object) drainAgenda(tx *durable.Tx) {
	o.resumeWaiting(tx)
	for o.agenda.resume || o.agenda.next || o.agenda.room || len(o.agenda.cancel) > 0 {
		switch {
		case o.agenda.resume:
			o.agenda.resume = false
			o.loop.ResumeTools(tx)
			if o.mcpServer != nil {
				o.mcpServer.Resume(tx)
			}
		case len(o.agenda.cancel) > 0:
			seq := o.agenda.cancel[0]
			o.agenda.cancel = o.agenda.cancel[1:]
			if t, ok := turn.BySeq(tx, seq); ok {
				o.abort(tx, t)
			}
		case o.agenda.room:
			o.agenda.room = false
			o.postDeferredNotices(tx)
		default:
			o.agenda.next = false
			o.startNext(tx)
			if !o.busy(tx) {
				o.releaseWaiting(tx)
			}
		}
		o.resumeWaiting(tx)
	}
}

// resumeWaiting has the calls go on that have waited for the action of another call.
func (o *Object) resumeWaiting(tx *durable.Tx) {
	if flow.Forgotten == nil { // no tool acts once
		return
	}
	for _, routine := range action.TakeResumable(tx) {
		o.resumeRoutine(tx, "", routine)
	}
}

// The rest of this file is about messages that are not answered, because a person has sent them while another
// turn was active or queued and the agent's policy drops or skips them.

// dropRequest refuses a message, and removes it from the page that shows it already.
func (o *Object) dropRequest(tx *durable.Tx, conn durable.ConnID, request string, body protocol.ChatBody) {
	var origin []string
	for _, m := range body.UserMessages {
		origin = append(origin, m.ID)
	}
	o.audience.RefuseWithTranscript(tx, conn)
	audience.Send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Skipped, MessageIDs: origin}.Encode(), conn)
}

// skipTurns ends turns that have not begun.
func (o *Object) skipTurns(tx *durable.Tx, turns []turn.Turn) {
	for _, t := range turns {
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
	}
}
