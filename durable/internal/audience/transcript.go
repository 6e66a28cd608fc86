package audience

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// SendTranscript sends the transcript to some connections. If there are none, it is not read.
func (c *Audience) SendTranscript(tx *durable.Tx, to ...durable.ConnID) {
	if len(to) > 0 {
		c.NoteTranscript(tx, to...)
		Send(tx, protocol.Transcript(message.Transcript(tx), false), to...)
	}
}
