package run_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestIDsOfRestarts checks that a restart has an id which no other one has had, whichever of them are forgotten.
func TestIDsOfRestarts(t *testing.T) {
	tx := open(t)
	end := func(r run.Run) { run.Move(tx, &r, run.Completed, run.Result{}) }
	end(begin(t, tx, "report.v2"))
	restart := func(of, want string) {
		t.Helper()
		old, _ := run.Find(tx, of)
		next, err := run.Again(tx, old, "", "")
		if err != nil || next.ID != want {
			t.Fatalf("%s is restarted as %q, %v, want %q", of, next.ID, err, want)
		}
		again, ok := run.Begin(tx, next, limits)
		if !ok {
			t.Fatalf("%s has not begun", next.ID)
		}
		run.NoteRestart(tx, of, again)
		end(again)
	}
	forget := func(id string) {
		r, _ := run.Find(tx, id)
		run.Delete(tx, r)
	}
	restart("report.v2", "report.v2.1")
	forget("report.v2.1")
	restart("report.v2", "report.v2.2")
	restart("report.v2.2", "report.v2.3")
	forget("report.v2.2")
	forget("report.v2.3")
	restart("report.v2", "report.v2.4")
	restart("report.v2.4", "report.v2.5")
	forget("report.v2")
	forget("report.v2.5")
	restart("report.v2.4", "report.v2.6")
}

// TestForgottenRunIsNotRestarted checks that a run is not repeated which is deleted as soon as its handler has been told:
// its helper, which has the journal, is deleted too.
func TestForgottenRunIsNotRestarted(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "report")
	run.Move(tx, &r, run.Aborted, run.Result{})
	run.EnqueueDelivery(tx, r, "")
	if _, err := run.Again(tx, r, "", ""); err != nil {
		t.Fatal(err)
	}
	run.ForgetAfter(tx, r.ID)
	for _, from := range []string{"", "second"} {
		if again, err := run.Again(tx, r, from, ""); err == nil || !strings.Contains(err.Error(), "was deleted") {
			t.Errorf("from %q: got %q, %v", from, again.ID, err)
		}
	}
}
