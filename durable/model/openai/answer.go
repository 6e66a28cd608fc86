package openai

import (
	"bytes"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// answer reads an answer in the format of chat completions.
type answer struct {
	origin model.Origin
	// host is that of the server, or "" if nothing is kept for it. model is the model's name there.
	host, model string
	calls       model.ToolCallList
	finish      string
	usage       model.Usage
	// id is the server's id of the answer. thinking says that a thought is open, and field is the name
	// under which its text comes, or "".
	id       string
	thinking bool
	field    string
	data     openData
}

func (a *answer) Complete() bool { return a.finish != "" }

func (a *answer) CallsWhole() bool { return a.calls.Whole() }

func (a *answer) Event(tx *durable.Tx, data []byte) ([]model.Delta, error) {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return nil, model.ErrDone
	}
	chunk, err := decodeChunk(data)
	if err != nil {
		return nil, model.Garbledf("the model sent an event that is not JSON: %s", model.Quote(string(data)))
	}
	return a.chunk(tx, chunk)
}

func (a *answer) Whole(tx *durable.Tx, body []byte) ([]model.Delta, error) {
	chunk, err := decodeChunk(body)
	if err != nil {
		return nil, model.Garbledf("the model's answer is not JSON: %s", model.Quote(string(body)))
	}
	return a.chunk(tx, chunk)
}
