package mcpcall

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file has servers ask the agent's model, see the option Sampling of an agent. The model is sent what the server says
// and nothing of the conversation, and it is told of no tools.

// sampled asks the model, if a person approves.
func (k *Call) sampled(wait *flow.Pending, a mcp.Sample) (mcp.Sampled, error) {
	verdict, err := said(wait)
	switch {
	case err != nil:
		return mcp.Sampled{}, unnoted{k.wrap(err)}
	case verdict.Expired:
		return mcp.Sampled{}, unnoted{k.failed("nobody has approved its request to the model in time")}
	case verdict.Denied:
		return mcp.Sampled{}, unnoted{k.failed("a person has denied its request to the model")}
	}
	request := model.Request{System: a.System, Messages: messagesOf(a)}
	ask := func(tx *durable.Tx, key flow.Key) { k.servers.askModel(tx, key, request) }
	data, err := k.Await(flow.Op{
		Name: "model for " + k.server, Begin: ask, Again: ask,
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { k.servers.leaveModel(tx, key) },
	}).Wait()
	if err != nil {
		return mcp.Sampled{}, unnoted{k.wrap(err)}
	}
	name, text, _ := strings.Cut(string(data), "\n")
	return mcp.Sampled{
		SampleMessage: mcp.SampleMessage{Role: string(model.Assistant), Content: mcp.Blocks{mcp.TextContent(text)}}, Model: name, Stop: "endTurn",
	}, nil
}

// sample is an answer of the model, while it comes.
type sample struct {
	key    flow.Key
	model  string
	answer model.Answer
	text   []byte
}

func sampleName(key flow.Key) string {
	return mcpclient.SampleOf + key.Routine + "#" + strconv.Itoa(key.Position)
}

// askModel begins an answer. What the await gets is the model's name, a line break, and the text.
func (s *Servers) askModel(tx *durable.Tx, key flow.Key, request model.Request) {
	m, err := s.object.Model()
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	answer, err := m.Begin(tx, sampleName(key), request)
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	if s.samples == nil {
		s.samples = map[string]*sample{}
	}
	s.samples[sampleName(key)] = &sample{key: key, model: m.Name(), answer: answer}
}

// leaveModel ends an answer for which nobody waits any more.
func (s *Servers) leaveModel(tx *durable.Tx, key flow.Key) {
	if a := s.samples[sampleName(key)]; a != nil {
		a.answer.Cancel(tx)
		delete(s.samples, sampleName(key))
	}
}

// Sampled implements [author.Servers].
func (s *Servers) Sampled(tx *durable.Tx, name string, event durable.Event) {
	a := s.samples[name]
	if a == nil {
		return
	}
	deltas, err := a.answer.Take(tx, event)
	over, failure := false, ""
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			a.text = append(a.text, d.Text...)
		case model.Finished:
			over = true
		}
	}
	switch {
	case err != nil:
		over, failure = true, err.Error()
	case len(a.text) > limit.Answer:
		a.answer.Cancel(tx)
		over, failure = true, "the model's answer is too long"
	}
	if over {
		delete(s.samples, name)
		flow.Complete(tx, a.key, append([]byte(a.model+"\n"), a.text...), failure)
		s.object.Resume(tx, a.key.Routine)
	}
}

// messagesOf returns the texts of a request, in the form that models are sent.
func messagesOf(a mcp.Sample) (list []model.Message) {
	for _, m := range a.Messages {
		role := model.User
		if m.Role == string(model.Assistant) {
			role = model.Assistant
		}
		var content []model.Content
		for _, c := range m.Content {
			if c.Type == mcp.ContentText {
				content = append(content, model.Text{Text: c.Text})
			}
		}
		list = append(list, model.Message{Role: role, Content: content})
	}
	return list
}

// promptOf returns what a person is shown of a request: all that the model is sent, with who is to have said it.
func promptOf(a mcp.Sample) string {
	texts := []string{"It wants to send this to the model:"}
	if a.System != "" {
		texts = append(texts, "System: "+mcp.Escaped(a.System))
	}
	left := 0
	for i, m := range messagesOf(a) {
		left += len(a.Messages[i].Content) - len(m.Content)
		who := "User: "
		if m.Role == model.Assistant {
			who = "Assistant: "
		}
		for _, c := range m.Content {
			if t, ok := c.(model.Text); ok {
				texts = append(texts, who+mcp.Escaped(t.Text))
			}
		}
	}
	if left > 0 {
		texts = append(texts, fmt.Sprintf("(%d parts of it are no text, and are not sent.)", left))
	}
	return strings.Join(texts, "\n")
}
