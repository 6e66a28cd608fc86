package model

import "github.com/tributary-agents/tributary/durable"

// Fits makes the tools of requests fit for every provider, see [FitSchema]. It remembers the schemas, because the same
// tools come with every request. The zero value is ready.
type Fits struct {
	// known are the schemas by the place of their first byte, which they keep from being used for anything else.
	known map[*byte]fit
}

type fit struct {
	fitted Fitted
	err    error
	size   int
}

// maxFits bounds how many schemas are remembered.
const maxFits = 512

// Renames are the names of properties, by the tools that the model is told of with others. Nil is none.
type Renames map[string]Fitted

// Request makes the tools of a request fit. A tool that cannot be told is left out, and the log says so. Calls are
// told under the names that the tools are told with.
func (f *Fits) Request(tx *durable.Tx, r *Request) Renames {
	var told []Tool
	var renames Renames
	for i, t := range r.Tools {
		fitted, err := f.schema(tx, t)
		same := err == nil && (len(t.Schema) == 0 || &fitted.Schema[0] == &t.Schema[0])
		if told == nil && !same { // the caller's list stays as it is
			told = append(make([]Tool, 0, len(r.Tools)), r.Tools[:i]...)
		}
		if err != nil {
			continue
		}
		if len(fitted.told) > 0 {
			if renames == nil {
				renames = Renames{}
			}
			renames[t.Name] = fitted
		}
		if t.Schema = fitted.Schema; told != nil {
			told = append(told, t)
		}
	}
	if told != nil {
		r.Tools = told
	}
	r.Messages = renames.outgoing(r.Messages)
	return renames
}

func (f *Fits) schema(tx *durable.Tx, t Tool) (Fitted, error) {
	if len(t.Schema) == 0 {
		return Fitted{}, nil
	}
	at := &t.Schema[0]
	if have, ok := f.known[at]; ok && have.size == len(t.Schema) {
		return have.fitted, have.err
	}
	fitted, err := FitSchema(t.Schema)
	if err != nil {
		tx.Log(durable.Warn, "a tool is not told to the model", "tool", t.Name, "reason", err.Error())
	}
	if f.known == nil || len(f.known) >= maxFits {
		f.known = map[*byte]fit{}
	}
	f.known[at] = fit{fitted, err, len(t.Schema)}
	return fitted, err
}

// outgoing returns messages with calls under the names that the model is told.
func (r Renames) outgoing(messages []Message) []Message {
	if r == nil {
		return messages
	}
	out := append([]Message(nil), messages...)
	for i, m := range out {
		for j, c := range m.Content {
			call, is := c.(ToolCall)
			if fitted, has := r[call.Name]; is && has {
				content := append([]Content(nil), out[i].Content...)
				call.Input = fitted.Told(call.Input)
				content[j] = call
				out[i].Content = content
			}
		}
	}
	return out
}

// Own puts the calls among deltas under the names of their tools. It changes the list.
func (r Renames) Own(deltas []Delta) {
	for i, d := range deltas {
		call, is := d.(ToolCall)
		if fitted, has := r[call.Name]; is && has {
			call.Input = fitted.Own(call.Input)
			deltas[i] = call
		}
	}
}
