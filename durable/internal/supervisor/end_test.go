package supervisor

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestResultOf checks how a run ends, by the words of its helper.
func TestResultOf(t *testing.T) {
	for _, test := range []struct {
		name    string
		end     facet.Outcome
		status  run.Status
		failure string
		reason  run.Reason
	}{
		{"completed", facet.Outcome{Status: "completed", Summary: "done"}, run.Completed, "", ""},
		{"failed", facet.Outcome{Status: "error", Failure: "no", Reason: run.OverBudget}, run.Failed, "no", run.OverBudget},
		{"failed without words", facet.Outcome{Status: "error"}, run.Failed, "", ""},
		{"stopped with words", facet.Outcome{Status: "aborted", Failure: "enough", Reason: run.TimedOut}, run.Aborted, "enough", run.TimedOut},
		{"stopped", facet.Outcome{Status: "aborted"}, run.Aborted, "the run was stopped", run.Cancelled},
		{"a turn that was skipped", facet.Outcome{Status: "skipped"}, run.Aborted, "the run was stopped", run.Cancelled},
		{"a status that is not final", facet.Outcome{Status: "running"}, run.Aborted, "the run was stopped", run.Cancelled},
		{"no status", facet.Outcome{}, run.Aborted, "the run was stopped", run.Cancelled},
	} {
		status, result := resultOf(test.end)
		if status != test.status || result.Failure != test.failure || result.Reason != test.reason || result.Summary != test.end.Summary {
			t.Errorf("%s: got %s with %+v, want %s, %q and %q", test.name, status, result, test.status, test.failure, test.reason)
		}
	}
}

// TestBoundResult checks what is kept of a result that is too large.
func TestBoundResult(t *testing.T) {
	long := strings.Repeat("x", limit.Summary+1)
	for _, test := range []struct {
		name   string
		output int
		status run.Status
		reason run.Reason
		kept   int
	}{
		{"an output as large as can be", limit.Output, run.Completed, "", limit.Output},
		{"a larger output", limit.Output + 1, run.Failed, run.InvalidOutput, 0},
	} {
		status, got := boundResult(run.Completed, run.Result{Summary: long, Output: []byte(strings.Repeat("1", test.output))})
		if status != test.status || got.Reason != test.reason || len(got.Output) != test.kept || (got.Failure == "") != (test.reason == "") {
			t.Errorf("%s: got %s for %q with %d bytes and %q", test.name, status, got.Reason, len(got.Output), got.Failure)
		}
		if !strings.HasPrefix(got.Summary, long[:limit.Summary]+"…") {
			t.Errorf("%s: the summary has %d bytes", test.name, len(got.Summary))
		}
	}
}

// TestCancelReturned checks when a helper's part in a run that was cancelled is over. attempts is
// how often the helper was told before.
func TestCancelReturned(t *testing.T) {
	for _, test := range []struct {
		name     string
		attempts int
		result   *facet.CancelResult
		// due says that the helper is told again. wiped and told are how many slots are wiped and
		// calls made at once.
		due         bool
		wiped, told int
	}{
		{"acknowledged", 0, &facet.CancelResult{}, false, 0, 0},
		{"its own helpers are not told yet", 0, &facet.CancelResult{Telling: true}, true, 0, 0},
		{"its own helpers are not told after many attempts", 50, &facet.CancelResult{Telling: true}, true, 0, 0},
		{"it belongs to an earlier use of its slot", 0, &facet.CancelResult{Gone: true}, true, 1, 1},
		{"unreachable", 0, nil, true, 0, 0},
		{"unreachable at the last but one attempt", maxSendAttempts - 2, nil, true, 0, 0},
		{"unreachable at the last attempt", maxSendAttempts - 1, nil, false, 1, 0},
	} {
		s := newScene(t)
		r := s.begin(run.Running)
		s.Stop(s.tx, r, run.Cancelled, "enough")
		s.tx.SQL(`UPDATE run SET attempt = ?`, test.attempts)
		commands[durable.Call](s)
		if test.result == nil {
			s.CallReturned(s.tx, facet.CallCancel, "r", nil, "unreachable")
		} else {
			s.CallReturned(s.tx, facet.CallCancel, "r", response(facet.Cancel, *test.result), "")
		}
		if got := s.find().CancelDue; got != test.due || (s.dueIn(dueReconcile) == checkDelay) != test.due {
			t.Errorf("%s: told again %v in %d ms, want %v", test.name, got, s.dueIn(dueReconcile), test.due)
		}
		if wiped, told := commands[durable.DeleteFacet](s), commands[durable.Call](s); wiped != test.wiped || told != test.told {
			t.Errorf("%s: %d slots wiped and %d calls, want %d and %d", test.name, wiped, told, test.wiped, test.told)
		}
	}
}
