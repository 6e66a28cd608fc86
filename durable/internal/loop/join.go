package loop

import "github.com/tributary-agents/tributary/durable/model"

// joined returns deltas whose words are joined, if there are more of them than most. Each of the joined deltas has the
// words of as many neighbours, as far as they are words of the same kind and of the same call.
func joined(deltas []model.Delta, most int) []model.Delta {
	if len(deltas) <= most {
		return deltas
	}
	var out []model.Delta
	each, last := (len(deltas)+most-1)/most, 0
	for i, d := range deltas {
		if i-last < each && len(out) > 0 {
			if both, ok := joinTwo(out[len(out)-1], d); ok {
				out[len(out)-1] = both
				continue
			}
		}
		out, last = append(out, d), i
	}
	return out
}

// joinTwo joins two deltas, if they are words of the same kind and of the same call.
func joinTwo(a, b model.Delta) (model.Delta, bool) {
	switch a := a.(type) {
	case model.TextDelta:
		b, ok := b.(model.TextDelta)
		return model.TextDelta{Text: a.Text + b.Text}, ok
	case model.ReasoningDelta:
		b, ok := b.(model.ReasoningDelta)
		return model.ReasoningDelta{Text: a.Text + b.Text}, ok
	case model.ToolCallDelta:
		b, ok := b.(model.ToolCallDelta)
		return model.ToolCallDelta{ID: a.ID, Text: a.Text + b.Text}, ok && a.ID == b.ID
	}
	return nil, false
}
