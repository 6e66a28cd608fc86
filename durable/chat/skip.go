package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about messages that are not answered, because a person has sent them while another
// turn was active or queued and the agent's policy drops or skips them.

// dropRequest refuses a message, and removes it from the page that shows it already.
func (o *Object) dropRequest(tx *durable.Tx, conn durable.ConnID, request string, body protocol.ChatBody) {
	var origin []string
	for _, m := range body.UserMessages {
		origin = append(origin, m.ID)
	}
	o.audience.SendTranscript(tx, conn)
	audience.Send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Skipped, MessageIDs: origin}.Encode(), conn)
}

// skipTurns ends turns that have not begun.
func (o *Object) skipTurns(tx *durable.Tx, turns []turn.Turn) {
	for _, t := range turns {
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
	}
}
