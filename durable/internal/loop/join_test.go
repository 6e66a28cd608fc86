package loop

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/model"
)

// TestWordsAreJoined checks that a write has no more words than it may have, that no word is lost or moved, and that what is
// no word keeps its place.
func TestWordsAreJoined(t *testing.T) {
	text := func(s string) model.Delta { return model.TextDelta{Text: s} }
	thought := func(s string) model.Delta { return model.ReasoningDelta{Text: s} }
	input := func(id, s string) model.Delta { return model.ToolCallDelta{ID: id, Text: s} }
	over := model.ReasoningEnded{}
	for name, test := range map[string]struct {
		deltas []model.Delta
		most   int
		want   []model.Delta
	}{
		"as many as there may be":  {[]model.Delta{text("a"), text("b")}, 2, []model.Delta{text("a"), text("b")}},
		"one more":                 {[]model.Delta{text("a"), text("b"), text("c")}, 2, []model.Delta{text("ab"), text("c")}},
		"a single one":             {[]model.Delta{text("a"), text("b"), text("c")}, 1, []model.Delta{text("abc")}},
		"thoughts and words":       {[]model.Delta{thought("a"), thought("b"), text("c"), text("d")}, 1, []model.Delta{thought("ab"), text("cd")}},
		"an end between thoughts":  {[]model.Delta{thought("a"), over, thought("b"), thought("c")}, 1, []model.Delta{thought("a"), over, thought("bc")}},
		"the inputs of two calls":  {[]model.Delta{input("x", "a"), input("x", "b"), input("y", "c")}, 1, []model.Delta{input("x", "ab"), input("y", "c")}},
		"ends that stand together": {[]model.Delta{over, over, text("a"), text("b")}, 1, []model.Delta{over, over, text("ab")}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := joined(slices.Clone(test.deltas), test.most); fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	var many []model.Delta
	for n := range 10_000 {
		many = append(many, text(fmt.Sprint(n)))
	}
	if got := joined(many, 5); len(got) != 5 {
		t.Errorf("10,000 words become %d, want 5", len(got))
	}
}
