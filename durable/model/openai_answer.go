package model

import (
	"bytes"

	"github.com/tributary-agents/tributary/durable"
)

// openaiAnswer reads an answer of chat completions.
type openaiAnswer struct {
	origin origin
	calls  callList
	finish string
	usage  Usage
}

func (a *openaiAnswer) complete() bool { return a.finish != "" }

func (a *openaiAnswer) event(tx *durable.Tx, data []byte) ([]Delta, error) {
	if string(bytes.TrimSpace(data)) == "[DONE]" {
		return nil, errDone
	}
	chunk, err := decodeChunk(data)
	if err != nil {
		return nil, garbled("the model sent an event that is not JSON: %s", quote(string(data)))
	}
	return a.chunk(tx, chunk)
}

func (a *openaiAnswer) whole(tx *durable.Tx, body []byte) ([]Delta, error) {
	chunk, err := decodeChunk(body)
	if err != nil {
		return nil, garbled("the model's answer is not JSON: %s", quote(string(body)))
	}
	return a.chunk(tx, chunk)
}
