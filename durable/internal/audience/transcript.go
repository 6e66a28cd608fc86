package audience

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// SendTranscript sends the transcript to some connections, or owes it to them. If there are none, it
// is not read.
func (c *Audience) SendTranscript(tx *durable.Tx, to ...durable.ConnID) {
	c.Show(tx, Transcript, func() string { return protocol.Transcript(message.Transcript(tx), false) }, to...)
}
