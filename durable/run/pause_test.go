package run_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestPauseIsAcknowledged pauses a run and resumes it at once. The helper answers to both. Only its
// answer to the last change counts, and counts once.
func TestPauseIsAcknowledged(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	run.Move(tx, &r, run.Running, run.Result{})
	run.SetPaused(tx, &r, "lunch", false)
	run.EndPause(tx, &r)
	for _, answer := range []struct {
		change    int64
		last, due bool
	}{
		{change: 1, last: false, due: true},
		{change: 3, last: false, due: true},
		{change: 2, last: true, due: false},
		{change: 2, last: false, due: false},
	} {
		last := run.PauseAcknowledged(tx, &r, answer.change)
		if stored, _ := run.Find(tx, "r"); last != answer.last || stored.Pause.Due != answer.due || r.Pause != stored.Pause {
			t.Errorf("the answer to change %d: last %t, due %t, in memory %t; want %t, %t", answer.change, last, stored.Pause.Due, r.Pause.Due, answer.last, answer.due)
		}
	}
}
