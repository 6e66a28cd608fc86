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
