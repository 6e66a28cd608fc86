package openai

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// chunk turns one chunk into deltas.
func (a *answer) chunk(tx *durable.Tx, chunk chunk) ([]model.Delta, error) {
	if chunk.Usage != nil {
		a.usage = model.NewUsage(float64(chunk.Usage.Input), float64(chunk.Usage.Output))
	}
	a.id = cmp.Or(a.id, string(chunk.ID))
	deltas, err := a.flat(tx, chunk)
	if err != nil {
		return deltas, err
	}
	for _, choice := range chunk.Choices {
		if !model.SaysNothing(choice.Error) && chunk.Error == nil {
			chunk.Error = choice.Error
		}
		if choice.Index != 0 {
			continue
		}
		more, err := a.choice(tx, choice)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	if chunk.Error != nil {
		return deltas, model.StreamError(chunk.Error, a.origin)
	}
	return deltas, nil
}

// flat reads Workers AI's own form. A chunk in that form has no choices.
func (a *answer) flat(tx *durable.Tx, chunk chunk) ([]model.Delta, error) {
	var deltas []model.Delta
	if chunk.Response != "" && len(chunk.Choices) == 0 {
		deltas = append(deltas, model.TextDelta{Text: string(chunk.Response)})
	}
	if len(chunk.Choices) > 0 {
		return deltas, nil
	}
	for _, f := range chunk.ToolCalls {
		if f.Function.Name == "" {
			f.Function.Name, f.Function.Arguments = f.Name, f.Arguments
		}
		if f.Index == nil {
			index := model.Number(a.calls.Len())
			f.Index = &index
		}
		more, err := a.calls.Add(tx, f.common())
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	return deltas, nil
}

func (a *answer) choice(tx *durable.Tx, choice choice) ([]model.Delta, error) {
	if choice.FinishReason != "" {
		a.finish = string(choice.FinishReason)
	}
	said := choice.Delta
	if said == nil {
		said = choice.Message
	}
	if said == nil {
		return nil, nil
	}
	var deltas []model.Delta
	if err := a.data.add(said.answerData); err != nil {
		return nil, err
	}
	if t, field := said.thought(); t != "" {
		a.thinking, a.field = true, field
		deltas = append(deltas, model.ReasoningDelta{Text: t})
	}
	// A refusal is shown as the answer's text.
	for _, t := range []flatText{said.Content.text, said.Refusal} {
		if t != "" {
			deltas = append(append(deltas, a.endThought()...), model.TextDelta{Text: string(t)})
		}
	}
	if len(said.ToolCalls) > 0 {
		deltas = append(deltas, a.endThought()...)
	}
	for i, f := range said.ToolCalls {
		if f.Index == nil && choice.Delta == nil {
			index := model.Number(i)
			f.Index = &index
		}
		more, err := a.calls.Add(tx, f.common())
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	return deltas, nil
}

func (a *answer) Finish(tx *durable.Tx) ([]model.Delta, error) {
	deltas, err := a.calls.End(tx, a.finish, a.usage)
	return append(a.endThought(), a.keep(deltas)...), err
}
