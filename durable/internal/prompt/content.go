package prompt

import (
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// userContent returns the texts and pictures of a user's message.
func userContent(m protocol.Message) []model.Content {
	content := text(message.TextOf(m))
	for _, raw := range m.Parts {
		if protocol.PartType(raw) != protocol.PartFile {
			continue
		}
		p, err := protocol.ReadPart(raw)
		if err != nil {
			continue
		}
		if image, err := message.Picture(p); err == nil {
			content = append(content, image)
		}
	}
	return content
}
