package chat

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// request puts together what the model is asked in a turn: the instructions,
// with what system messages add, and the conversation before the reply's place.
func (h *Host) modelRequest(tx *durable.Tx, before int64) model.Request {
	r := model.Request{System: h.agent.Instructions}
	for _, body := range newest(tx, before, historyBudget) {
		m := parse(body)
		text := textOf(m)
		switch {
		case text == "":
		case m.Role == protocol.RoleSystem:
			r.System = strings.TrimPrefix(r.System+"\n\n"+text, "\n\n")
		default:
			r.Messages = append(r.Messages, model.Message{Role: model.Role(m.Role), Content: []model.Content{model.Text{Text: text}}})
		}
	}
	return r
}

// textOf joins a message's text parts.
func textOf(m protocol.Message) string {
	var texts []string
	for _, raw := range m.Parts {
		var p protocol.Part
		if json.Unmarshal(raw, &p) == nil && p.Type == protocol.PartText && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
