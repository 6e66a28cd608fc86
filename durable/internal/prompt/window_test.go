package prompt

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// TestRemarkIsBounded checks the size of a hook's message to the model. The message is a row, so
// its limit does not depend on an agent's history.
func TestRemarkIsBounded(t *testing.T) {
	empty := len(limit.MustMarshal([]summaryMessage{{Role: model.User, Text: ""}}))
	for n, taken := range map[int]bool{limit.Remark - empty: true, limit.Remark - empty + 1: false, 6 * limit.Remark: false} {
		for _, letter := range []string{"x", "<"} {
			var w window
			err := w.replace([]model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: strings.Repeat(letter, n)}}}}, 1<<30)
			if (err == nil) != taken || taken != (len(w.Summary) == 1) {
				t.Errorf("%d of %q: got %v", n, letter, err)
			}
		}
	}
}

// TestSplitWindow checks which part of a conversation is kept when it has outgrown what the model
// may be told: u is a message of a person and a is a step of an answer, of ten tokens each.
func TestSplitWindow(t *testing.T) {
	for name, test := range map[string]struct {
		units       string
		history     int
		from, asked int
	}{
		"half of the history":                 {"uauaua", 40, 4, 4},
		"from a person's message on":          {"uaaua", 60, 3, 3},
		"the newest unit, whatever its size":  {"ua", 10, 1, 0},
		"the last question besides the steps": {"uaaaaa", 40, 4, 0},
		"one message":                         {"u", 2, 0, 0},
	} {
		var units []promptUnit
		for i, kind := range test.units {
			role := model.Assistant
			if kind == 'u' {
				role = model.User
			}
			units = append(units, promptUnit{place: int64(i + 1), fromUser: kind == 'u', messages: appendContent(nil, role, text(strings.Repeat("x", 18))...)})
		}
		from, asked := Builder{History: test.history}.splitWindow(units)
		if from != test.from || asked != test.asked {
			t.Errorf("%s: got %d and the question %d, want %d and %d", name, from, asked, test.from, test.asked)
		}
	}
}
