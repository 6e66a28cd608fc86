package attempt_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/limit"
)

// TestFail checks what becomes of a call whose attempts fail, if it is attempted at most a given
// number of times.
func TestFail(t *testing.T) {
	for _, test := range []struct {
		name        string
		failed, max int
		again       bool
		want        attempt.State
	}{
		{"the first of several", 1, 3, true, attempt.Waiting},
		{"the last but one", 2, 3, true, attempt.Waiting},
		{"the last", 3, 3, false, attempt.Failed},
		{"the only one", 1, 1, false, attempt.Failed},
		{"one more than there may be", 4, 3, false, attempt.Failed},
	} {
		r, again := attempt.Record{State: attempt.Waiting}, true
		for range test.failed {
			r.Claim()
			if r.State != attempt.Claimed {
				t.Errorf("%s: got the state %q before an attempt", test.name, r.State)
			}
			again = r.Fail("no", test.max)
		}
		if want := (attempt.Record{State: test.want, Attempts: test.failed, Failure: "no"}); r != want || again != test.again {
			t.Errorf("%s: got %+v and %v, want %+v and %v", test.name, r, again, want, test.again)
		}
	}
}

// TestFailureIsBounded checks that an error which is too long for a row is cut.
func TestFailureIsBounded(t *testing.T) {
	var r attempt.Record
	r.Fail(strings.Repeat("x", 2*limit.HookWords), 1)
	if cut := strings.Repeat("x", limit.HookWords) + "…"; !strings.HasPrefix(r.Failure, cut) {
		t.Errorf("got %d bytes, want %d and a note", len(r.Failure), limit.HookWords)
	}
}
