package turn_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/turn"
)

// TestPlainBefore checks which turns give way to a plain turn: the plain ones directly before it.
// In a queue, r is a turn that runs, p is a plain turn that waits, o is another one that waits, and
// s is a plain one that was skipped.
func TestPlainBefore(t *testing.T) {
	for _, test := range []struct {
		queue  string
		before int64
		want   []int64
	}{
		{"", 1, nil},
		{"r", 2, nil},
		{"rpp", 4, []int64{2, 3}},
		{"rpopp", 6, []int64{4, 5}},
		{"rppo", 5, nil},
		{"rppo", 4, []int64{2, 3}},
		{"rpopp", 3, []int64{2}},
		{"rpspp", 6, []int64{2, 4, 5}},
	} {
		tx := open(t)
		for _, kind := range test.queue {
			q := turn.Accept(tx, turn.Turn{Request: "R", Plain: kind != 'o'})
			switch kind {
			case 'r':
				turn.Move(tx, &q, turn.Running, "")
			case 's':
				turn.Move(tx, &q, turn.Skipped, "")
			}
		}
		check := func(name string, got []turn.Turn) {
			t.Helper()
			if len(got) != len(test.want) {
				t.Errorf("%s %d in %s: got %+v, want %v", name, test.before, test.queue, got, test.want)
				return
			}
			for i, q := range got {
				if q.Seq != test.want[i] {
					t.Errorf("%s %d in %s: got %d, want %d", name, test.before, test.queue, q.Seq, test.want[i])
				}
			}
		}
		check("before", turn.PlainBefore(tx, test.before))
		if test.before == int64(len(test.queue))+1 {
			check("at the end, before", turn.TrailingPlain(tx))
		}
	}
}
