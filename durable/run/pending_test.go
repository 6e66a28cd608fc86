package run_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestPendingIsBounded checks what a run tells its parent of many questions, and of long ones.
func TestPendingIsBounded(t *testing.T) {
	long := strings.Repeat("x", 20<<10)
	for _, test := range []struct {
		name        string
		n           int
		q           run.Pending
		kept, whole int
	}{
		{"few", 3, run.Pending{Text: "why", Input: json.RawMessage(`{}`)}, 3, 3},
		{"none", 0, run.Pending{}, 0, 0},
		{"a long text", 1, run.Pending{Text: long}, 1, 0},
		{"a long title", 1, run.Pending{Title: long}, 0, 0},
		{"many", 2048, run.Pending{Text: long[:4<<10]}, 1_200, 50},
	} {
		var list []run.Pending
		for n := range test.n {
			test.q.ID = fmt.Sprint("call-", n)
			list = append(list, test.q)
		}
		kept, whole, size := run.BoundPending(list), 0, 0
		for _, q := range kept {
			data, err := json.Marshal(q)
			if err != nil {
				t.Fatal(err)
			}
			size += len(data)
			if q.Text == test.q.Text && string(q.Input) == string(test.q.Input) {
				whole++
			}
		}
		if size > 512<<10 || len(kept) < test.kept || test.n < 2048 && (len(kept) != test.kept || whole != test.whole) || whole < test.whole {
			t.Errorf("%s: %d are kept, %d of them whole, in %d bytes; want %d and %d", test.name, len(kept), whole, size, test.kept, test.whole)
		}
	}
}
