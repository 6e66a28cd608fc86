package model

import "github.com/tributary-agents/tributary/durable"

// chunk turns what one chunk adds to the answer into deltas.
func (a *openaiAnswer) chunk(tx *durable.Tx, chunk openaiChunk) ([]Delta, error) {
	if chunk.Usage != nil {
		a.usage = chunk.Usage.usage()
	}
	deltas, err := a.flat(tx, chunk)
	if err != nil {
		return deltas, err
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		more, err := a.choice(tx, choice)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	switch {
	case chunk.Error != nil:
		return deltas, streamError(chunk.Error, a.origin)
	case a.finish == "error":
		return deltas, &Error{Kind: Unavailable, Message: "the model broke its answer off"}
	}
	return deltas, nil
}

// flat reads what Workers AI says without choices, beside which it says nothing else.
func (a *openaiAnswer) flat(tx *durable.Tx, chunk openaiChunk) ([]Delta, error) {
	var deltas []Delta
	if chunk.Response != "" && len(chunk.Choices) == 0 {
		deltas = append(deltas, TextDelta{Text: string(chunk.Response)})
	}
	if len(chunk.Choices) > 0 {
		return deltas, nil
	}
	for _, f := range chunk.ToolCalls {
		if f.Function.Name == "" {
			f.Function.Name, f.Function.Arguments = f.Name, f.Arguments
		}
		if f.Index == nil {
			index := len(a.calls.calls)
			f.Index = &index
		}
		more, err := a.calls.add(tx, f)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	return deltas, nil
}

func (a *openaiAnswer) choice(tx *durable.Tx, choice openaiChoice) ([]Delta, error) {
	if choice.FinishReason != "" {
		a.finish = choice.FinishReason
	}
	said := choice.Delta
	if said == nil {
		said = choice.Message
	}
	if said == nil {
		return nil, nil
	}
	var deltas []Delta
	if t := said.thinking(); t != "" {
		deltas = append(deltas, ReasoningDelta{Text: t})
	}
	// A refusal is the answer's text by another name.
	for _, t := range []flatText{said.Content, said.Refusal} {
		if t != "" {
			deltas = append(deltas, TextDelta{Text: string(t)})
		}
	}
	for i, f := range said.ToolCalls {
		if f.Index == nil && choice.Delta == nil {
			f.Index = &i
		}
		more, err := a.calls.add(tx, f)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	return deltas, nil
}

func (a *openaiAnswer) finished() ([]Delta, error) { return a.calls.end(a.finish, a.usage) }
