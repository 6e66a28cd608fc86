package supervisor

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestNoteIdle checks which helpers are reported as idle.
func TestNoteIdle(t *testing.T) {
	for _, test := range []struct {
		name   string
		status run.Status
		// cancelDue says that the helper has not acknowledged a cancellation, and required that it has to
		// answer a wake.
		cancelDue, required, idle, want bool
	}{
		{"it is idle", run.Completed, false, false, true, true},
		{"it has something to do", run.Completed, false, false, false, false},
		{"its run is not over", run.Running, false, false, true, false},
		{"its run waits for a person", run.Waiting, false, false, true, false},
		{"it has not acknowledged a cancellation", run.Aborted, true, false, true, false},
		{"it was sent something and has not said when it is to be woken", run.Completed, false, true, true, false},
	} {
		s := newScene(t)
		r := s.begin(run.Running)
		r.Status, r.CancelDue = test.status, test.cancelDue
		if test.required {
			s.RequireWakeSoon(s.tx, r)
		}
		s.facts = nil
		s.NoteIdle(s.tx, r, test.idle)
		if got := slices.ContainsFunc(s.facts, func(f Fact) bool { _, ok := f.(Idle); return ok }); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
}

// TestUnused checks when a helper that nobody looks at any more is asked whether it is idle.
func TestUnused(t *testing.T) {
	for _, test := range []struct {
		name   string
		status run.Status
		// woken is in how many milliseconds the helper is woken, or 0.
		woken int64
		want  int
	}{
		{"its run is over", run.Completed, 0, 1},
		{"its run is not over", run.Running, 0, 0},
		{"it is woken soon", run.Completed, checkDelay, 0},
		{"it is woken later", run.Completed, checkDelay + 1, 1},
	} {
		s := newScene(t)
		r := s.begin(run.Running)
		r.Status = test.status
		if test.woken > 0 {
			s.tx.Schedule(DueWake, r.ID, s.tx.Now+test.woken)
		}
		before := len(s.tx.Commands())
		s.Unused(s.tx, r)
		wakes := 0
		for _, c := range s.tx.Commands()[before:] {
			if c, ok := c.(durable.Call); ok && c.Call == facet.CallWake+r.ID {
				wakes++
			}
		}
		if wakes != test.want {
			t.Errorf("%s: it is asked %d times, want %d", test.name, wakes, test.want)
		}
	}
}
