package chat

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// modelRequest puts together what the model is asked: the instructions, with what
// system messages add, and as much as it may be told of the conversation before the
// reply's place and of the steps that the turn has made.
func (h *Host) modelRequest(tx *durable.Tx, t turn.Turn) model.Request {
	schema := schemaOf(tx, t)
	r := model.Request{System: h.instructions(schema), Tools: h.toolsOffered(tx), Output: schema}
	w := windowOf(tx)
	place, steps := t.Place, 0
	var units []unit
	stored, earlier := h.history(tx, w, t.Place)
	for _, s := range stored {
		m, ok := parse(tx, s.id, s.body)
		switch {
		case !ok:
			continue
		case m.Role == protocol.RoleSystem:
			r.System = strings.TrimPrefix(r.System+"\n\n"+textOf(m), "\n\n")
			continue
		}
		told := h.unitsOf(tx, s.place, m)
		told[len(told)-1].read = s.extent
		units = append(units, told...)
		if s.id == t.Reply { // it goes on with a message that is stored
			place, steps = s.place, len(told)
		}
	}
	for n, s := range turn.Steps(tx, t) {
		units = append(units, unit{place: place, step: steps + n, messages: h.appendStep(tx, nil, thoughtsOf(s.Thoughts), s.Text, s.Calls)})
	}
	w, units = h.fit(tx, w, w.without(units), earlier)
	r.Messages = w.instead()
	for _, u := range units {
		r.Messages = append(r.Messages, u.messages...)
	}
	return r
}

// history returns the stored messages that the model may be told before a place: from the
// window on as many as could fit, and in any case what a person has said last. It says
// whether there are earlier ones.
func (h *Host) history(tx *durable.Tx, w window, before int64) (messages []storedMessage, earlier bool) {
	messages = newest(tx, w.From, before, h.readable())
	oldest := before
	if len(messages) > 0 {
		oldest = messages[0].place
	}
	earlier = len(tx.SQL(`SELECT 1 FROM message WHERE place >= ? AND place < ? LIMIT 1`, w.From, oldest)) > 0
	for _, row := range tx.SQL(`SELECT place FROM message WHERE place < ? AND role = ? ORDER BY place DESC LIMIT 1`, before, protocol.RoleUser) {
		if asked := row.Int(0); asked < oldest {
			messages = append(newest(tx, asked, asked+1, extent{}), messages...)
		}
	}
	return messages, earlier
}

// schemaOf is what a run asks of the turn's answer, or nil.
func schemaOf(tx *durable.Tx, t turn.Turn) json.RawMessage {
	k, _ := taskOf(tx, t.Seq)
	return k.asked.Output
}

// instructions are the agent's, and what a run asks of the answer: not every model can be
// held to a schema.
func (h *Host) instructions(schema json.RawMessage) string {
	if len(schema) == 0 {
		return h.agent.Instructions
	}
	rule := "Your last message has to be one JSON value and nothing else. It has to fit this JSON Schema: " + string(schema)
	return strings.TrimPrefix(h.agent.Instructions+"\n\n"+rule, "\n\n")
}

// unitsOf is a stored message as the model is told of it: an answer step by step, each
// with the results of its calls behind it.
func (h *Host) unitsOf(tx *durable.Tx, place int64, m protocol.Message) []unit {
	if m.Role == protocol.RoleUser {
		return []unit{{place: place, asks: true, messages: appendContent(nil, model.User, asked(m)...)}}
	}
	if len(m.Parts) > 0 { // it is no step before its first that begins with a part of its own
		if p, _ := protocol.ReadPart(m.Parts[0]); p.Type == protocol.PartStepStart {
			m.Parts = m.Parts[1:]
		}
	}
	var units []unit
	var thoughts []model.Content
	var said []string
	var calls []turn.Call
	flush := func() {
		told := h.appendStep(tx, nil, thoughts, strings.Join(said, "\n\n"), calls)
		units = append(units, unit{place: place, step: len(units), messages: told})
		thoughts, said, calls = nil, nil, nil
	}
	for _, raw := range m.Parts {
		p, err := protocol.ReadPart(raw)
		switch {
		case err != nil:
		case p.Type == protocol.PartStepStart:
			flush()
		case p.Type == protocol.PartText && p.Text != "":
			said = append(said, p.Text)
		case p.Type == protocol.PartReasoning && len(p.Provider) > 0:
			thoughts = append(thoughts, model.Reasoning{Text: p.Text, Provider: p.Provider})
		case p.ToolCallID != "":
			calls = append(calls, turn.Call{
				ID: p.ToolCallID, Name: strings.TrimPrefix(p.Type, protocol.PartTool), Input: p.Input,
				Output: p.Output, Failure: failureOf(p),
			})
		}
	}
	flush()
	return units
}

// deniedText is what the model is told of a call that a person has refused.
const deniedText = "a person has denied this call"

func failureOf(p protocol.Part) string {
	if p.State == protocol.OutputDenied {
		return deniedText
	}
	return p.ErrorText
}

// appendStep appends what one model call has thought and said, and what came of its
// tools. Thoughts alone are nothing.
func (h *Host) appendStep(tx *durable.Tx, messages []model.Message, thoughts []model.Content, said string, calls []turn.Call) []model.Message {
	if said == "" && len(calls) == 0 {
		return messages
	}
	content := append(thoughts, text(said)...)
	var results []model.Content
	for _, c := range calls {
		content = append(content, model.ToolCall{ID: c.ID, Name: c.Name, Input: object(c.Input)})
		results = append(results, model.ToolResult{ID: c.ID, Name: c.Name, Output: h.resultOf(tx, c)})
	}
	return appendContent(appendContent(messages, model.Assistant, content...), model.ToolRole, results...)
}

func appendContent(messages []model.Message, role model.Role, content ...model.Content) []model.Message {
	if len(content) == 0 {
		return messages
	}
	return append(messages, model.Message{Role: role, Content: content})
}

// resultOf is a call's result for the model: its output, or a failure in words. A call
// that has neither was interrupted.
func (h *Host) resultOf(tx *durable.Tx, c turn.Call) json.RawMessage {
	failure := c.Failure
	switch {
	case failure == "" && len(c.Output) > 0:
		return c.Output
	case failure == "":
		if result := h.repaired(tx, c); result != nil {
			return result
		}
		failure = "the call was interrupted"
	}
	b, err := json.Marshal(map[string]any{"ok": false, "error": failure})
	if err != nil {
		panic("chat: " + err.Error())
	}
	return b
}

// object is a call's input; providers accept nothing but an object.
func object(input json.RawMessage) json.RawMessage {
	if len(input) == 0 || input[0] != '{' {
		return json.RawMessage("{}")
	}
	return input
}

func text(s string) []model.Content {
	if s == "" {
		return nil
	}
	return []model.Content{model.Text{Text: s}}
}

// textOf joins a message's text parts.
func textOf(m protocol.Message) string {
	var texts []string
	for _, raw := range m.Parts {
		if p, err := protocol.ReadPart(raw); err == nil && p.Type == protocol.PartText && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}
