package loop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/model"
)

// TestAgain checks what is left out of an attempt that repeats what was said, in whatever pieces it comes.
func TestAgain(t *testing.T) {
	text := func(s string) model.Delta { return model.TextDelta{Text: s} }
	thought := func(s string) model.Delta { return model.ReasoningDelta{Text: s} }
	over, call := model.Finished{}, model.ToolCallStarted{ID: "c", Name: "look"}
	thoughtOver, signed := model.ReasoningEnded{}, model.ReasoningEnded{Provider: json.RawMessage(`{}`)}
	for name, test := range map[string]struct {
		said, thought string
		attempt       []model.Delta
		want          string
	}{
		"the first attempt":                      {"", "", []model.Delta{thought("Hm."), thoughtOver, text("Well"), over}, "(Hm.)|Well."},
		"it goes on":                             {"One two", "", []model.Delta{text(" three"), over}, " three."},
		"it begins again and breaks off there":   {"One two", "", []model.Delta{text("One two")}, ""},
		"it breaks off earlier":                  {"One two", "", []model.Delta{text("One")}, ""},
		"it begins again and goes on":            {"One two", "", []model.Delta{text("One two three"), over}, " three."},
		"it begins again and ends there":         {"One two", "", []model.Delta{text("One two"), over}, "."},
		"it goes on with its first words":        {"One two", "", []model.Delta{text("One"), over}, "One."},
		"it goes on like the beginning":          {"One two", "", []model.Delta{text("One more"), over}, "One more."},
		"letters of several bytes":               {"äöü", "", []model.Delta{text("äöüß"), over}, "ß."},
		"it repeats twice":                       {"a ", "", []model.Delta{text("a a b"), over}, "a b."},
		"a call behind what was said":            {"I look", "", []model.Delta{text("I look"), call}, "<look>"},
		"a call behind a part of it":             {"I look", "", []model.Delta{text("I"), call}, "I<look>"},
		"a thought again":                        {"", "Hm.", []model.Delta{thought("Hm."), thoughtOver, text("Well"), over}, "Well."},
		"a thought again without its end":        {"Well", "Hm.", []model.Delta{thought("Hm."), text("Well, then"), over}, ", then."},
		"a part of a thought":                    {"", "Hm, so.", []model.Delta{thought("Hm"), thoughtOver, text("Well"), over}, "Well."},
		"two thoughts again":                     {"", "Hm.So.", []model.Delta{thought("Hm."), thoughtOver, thought("So."), thoughtOver, over}, "."},
		"a thought that goes further":            {"", "Hm", []model.Delta{thought("Hm, so."), thoughtOver, over}, "(Hm, so.)|."},
		"another thought":                        {"", "Hm", []model.Delta{thought("Ha"), thoughtOver, over}, "(Ha)|."},
		"another thought behind the same":        {"", "Hm.So.", []model.Delta{thought("Hm."), thoughtOver, thought("Sa."), thoughtOver, over}, "(Sa.)|."},
		"a thought that its provider wants back": {"", "Hm.", []model.Delta{thought("Hm."), signed, over}, "(Hm.)|."},
		"a thought without words":                {"", "Hm.", []model.Delta{signed, over}, "|."},
	} {
		t.Run(name, func(t *testing.T) {
			for _, split := range []int{1, 2, 3, 5, 100} {
				d := &reply.Draft{Text: []byte(test.said)}
				if test.thought != "" {
					d.Reasoning = []model.Reasoning{{Text: test.thought}}
				}
				a, got := newAgain(d), ""
				for _, delta := range test.attempt {
					for _, piece := range pieces(delta, split) {
						got += show(a.leaveOut([]model.Delta{piece}))
					}
				}
				if got = strings.ReplaceAll(got, ")(", ""); got != test.want {
					t.Errorf("pieces of %d: got %q, want %q", split, got, test.want)
				}
			}
		})
	}
}

// pieces splits a delta of text.
func pieces(d model.Delta, split int) (all []model.Delta) {
	add := func(text string, piece func(string) model.Delta) {
		for len(text) > 0 {
			n := min(split, len(text))
			all = append(all, piece(text[:n]))
			text = text[n:]
		}
	}
	switch d := d.(type) {
	case model.TextDelta:
		add(d.Text, func(s string) model.Delta { return model.TextDelta{Text: s} })
	case model.ReasoningDelta:
		add(d.Text, func(s string) model.Delta { return model.ReasoningDelta{Text: s} })
	default:
		return []model.Delta{d}
	}
	return all
}

func show(deltas []model.Delta) string {
	var b strings.Builder
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			b.WriteString(d.Text)
		case model.ReasoningDelta:
			fmt.Fprintf(&b, "(%s)", d.Text)
		case model.ReasoningEnded:
			b.WriteString("|")
		case model.ToolCallStarted:
			fmt.Fprintf(&b, "<%s>", d.Name)
		case model.Finished:
			b.WriteString(".")
		}
	}
	return b.String()
}
