package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// sendTranscript sends the transcript to some connections. If there are none, it is not read.
func (o *Object) sendTranscript(tx *durable.Tx, to ...durable.ConnID) {
	if len(to) > 0 {
		o.noteTranscript(tx)
		send(tx, protocol.Transcript(message.Transcript(tx), false), to...)
	}
}
