// Package prompt builds what the model is told: the instructions, as much of the conversation as
// fits, and the steps of the turn.
package prompt

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Builder builds requests to the model.
type Builder struct {
	// Instructions are the agent's system prompt. Tools are what the model may call.
	Instructions string
	Tools        []model.Tool
	// Output is the JSON Schema for the turn's answer, or nil.
	Output json.RawMessage
	// History is how many tokens of the conversation the model is told, by estimate.
	History int
	// Compact returns a summary in place of what is left out, or nil for none. It may be nil.
	Compact func(left LeftOut) ([]model.Message, error)
	// Repair returns the result for a call that was interrupted, or nil for an error. It may be nil.
	Repair func(c turn.Call) json.RawMessage
}

// LeftOut is the part of the conversation that the model is no longer told: its messages, with the
// summary of earlier ones in front, and their estimated cost. Earlier says that still earlier
// messages were not even read.
type LeftOut struct {
	Messages []model.Message
	Tokens   int
	Earlier  bool
}

// Request builds the request of a turn's next step. It holds the instructions, the additions of
// system messages, as much of the conversation before the reply's place as fits, and the steps of
// the turn. A turn that goes on after answers is told less, see [turn.ForModel]. What it is told moves no
// window, because other turns are told more.
func (b Builder) Request(tx *durable.Tx, t turn.Turn) model.Request {
	r := model.Request{System: b.system(), Tools: b.Tools, Output: b.Output}
	w := windowOf(tx)
	place, steps := t.Place, 0
	before, answers := t.History.Before()
	limited := before > 0
	switch {
	case !limited:
		before = t.Place
	case w.Upto >= before, w.From >= before: // its summary would tell of what has come since, or it has nothing of before
		w = window{}
	}
	var units []promptUnit
	stored, earlier := b.history(tx, w, before)
	if limited {
		stored = append(slices.Clone(stored), message.At(tx, answers, message.PromptBudget(b.History))...)
	}
	for _, s := range stored {
		m, ok := message.Parse(tx, s.ID, s.Body)
		switch {
		case !ok:
			continue
		case m.Role == protocol.RoleSystem:
			r.System = strings.TrimPrefix(r.System+"\n\n"+message.TextOf(m), "\n\n")
			continue
		}
		told := b.unitsOf(s.Place, m)
		told[len(told)-1].budget = s.Budget
		units = append(units, told...)
		if s.ID == t.Reply { // the reply continues a stored message
			place, steps = s.Place, len(told)
		}
	}
	for n, s := range turn.Steps(tx, t) {
		units = append(units, promptUnit{place: place, step: steps + n, messages: b.stepMessages(reasoningOf(s), s.Text, s.Calls)})
	}
	w, units = b.fitWindow(tx, w, w.without(units), earlier, !limited)
	r.Messages = w.summary()
	for _, u := range units {
		r.Messages = append(r.Messages, u.messages...)
	}
	return r
}

// history returns the stored messages before a place that the model may be told: as many as could
// fit, from the window on, and always the last message of a person. It says whether there are
// earlier ones.
func (b Builder) history(tx *durable.Tx, w window, before int64) (messages []message.Stored, earlier bool) {
	messages = message.ForModel(tx, w.From, before, message.PromptBudget(b.History))
	oldest := before
	if len(messages) > 0 {
		oldest = messages[0].Place
	}
	earlier = message.AnyBetween(tx, w.From, oldest)
	if asked, found := message.LastOfUser(tx, before); found && asked < oldest {
		messages = append(message.NewestWithin(tx, asked, asked+1, message.Budget{}), messages...)
	}
	return messages, earlier
}

// system is the agent's instructions, and the run's schema in words: not every model can be
// held to a schema.
func (b Builder) system() string {
	if len(b.Output) == 0 {
		return b.Instructions
	}
	rule := "Your last message has to be one JSON value and nothing else. It has to fit this JSON Schema: " + string(b.Output)
	return strings.TrimPrefix(b.Instructions+"\n\n"+rule, "\n\n")
}

// unitsOf returns a stored message in the form that the model is told. An answer is split into
// steps, each followed by the results of its calls.
func (b Builder) unitsOf(place int64, m protocol.Message) []promptUnit {
	if m.Role == protocol.RoleUser {
		return []promptUnit{{place: place, fromUser: true, messages: appendContent(nil, model.User, userContent(m)...)}}
	}
	if len(m.Parts) > 0 { // a step-start in front of all other parts ends no step
		if p, _ := protocol.ReadPart(m.Parts[0]); p.Type == protocol.PartStepStart {
			m.Parts = m.Parts[1:]
		}
	}
	var units []promptUnit
	var thoughts []model.Content
	var said []string
	var calls []turn.Call
	flush := func() {
		told := b.stepMessages(thoughts, strings.Join(said, "\n\n"), calls)
		units = append(units, promptUnit{place: place, step: len(units), messages: told})
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
		case p.ToolCallID != "" && !p.MadeByCode():
			calls = append(calls, turn.Call{
				ID: p.ToolCallID, Name: strings.TrimPrefix(p.Type, protocol.PartTool), Input: p.Input,
				Output: OutputOf(p), Failure: failureOf(p), Provider: p.CallProvider(),
			})
		}
	}
	flush()
	return units
}

// OutputOf returns a part's output as the model is told it. If it is the result of an earlier call,
// the model is told so too.
func OutputOf(p protocol.Part) json.RawMessage {
	if !p.WasReplayed() || len(p.Output) == 0 {
		return p.Output
	}
	if p.Output[0] == '{' {
		rest := strings.TrimLeft(string(p.Output[1:]), " \n\t\r")
		if rest == "}" {
			return json.RawMessage(`{"replayed":true}`)
		}
		return json.RawMessage(`{"replayed":true,` + rest)
	}
	return json.RawMessage(`{"replayed":true,"result":` + string(p.Output) + `}`)
}

// DeniedText is the model's result for a call that a person has refused without a reason.
const DeniedText = "a person has denied this call"

// Denied is the model's result for a refused call, with the reason.
func Denied(p protocol.Part) string {
	switch a := p.Approval; {
	case a == nil || a.Reason == "":
		return DeniedText
	case a.Automatic:
		return "this call was denied, because " + a.Reason
	default:
		return DeniedText + ": " + a.Reason
	}
}

func failureOf(p protocol.Part) string {
	if p.State == protocol.OutputDenied {
		return Denied(p)
	}
	return p.ErrorText
}

// stepMessages returns a model call's thoughts and text, and the results of its tools. Thoughts
// alone are no message.
func (b Builder) stepMessages(thoughts []model.Content, said string, calls []turn.Call) []model.Message {
	if said == "" && len(calls) == 0 {
		return nil
	}
	content := append(thoughts, text(said)...)
	var results []model.Content
	for _, c := range calls {
		content = append(content, model.ToolCall{ID: c.ID, Name: c.Name, Input: object(c.Input), Provider: c.Provider})
		results = append(results, model.ToolResult{ID: c.ID, Name: c.Name, Output: b.resultOf(c)})
	}
	return appendContent(appendContent(nil, model.Assistant, content...), model.ToolRole, results...)
}

func appendContent(messages []model.Message, role model.Role, content ...model.Content) []model.Message {
	if len(content) == 0 {
		return messages
	}
	return append(messages, model.Message{Role: role, Content: content})
}

// resultOf is a call's result for the model: its output, or an error text. A call that has neither
// was interrupted.
func (b Builder) resultOf(c turn.Call) json.RawMessage {
	failure := c.Failure
	switch {
	case failure == "" && len(c.Output) > 0:
		return c.Output
	case failure == "":
		if b.Repair != nil {
			if result := b.Repair(c); result != nil {
				return result
			}
		}
		failure = "the call was interrupted"
	}
	return limit.MustMarshal(map[string]any{"ok": false, "error": failure})
}

// object is a call's input as an object. Providers accept nothing else.
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
