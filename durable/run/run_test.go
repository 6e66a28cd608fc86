package run_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
)

var limits = run.Limits{Concurrent: 2, Queued: 2}

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, run.Schema)
	return tx
}

func begin(t *testing.T, tx *durable.Tx, id string) run.Run {
	t.Helper()
	r, joined, err := run.Begin(tx, run.Run{ID: id, Class: "Researcher", Input: []byte(`{"q":1}`)}, limits)
	if err != nil || joined {
		t.Fatalf("begin %s: %v, joined %v", id, err, joined)
	}
	return r
}

// TestMoves tries every status against every other.
func TestMoves(t *testing.T) {
	all := []run.Status{run.Starting, run.Running, run.Waiting, run.Completed, run.Failed, run.Aborted, run.Interrupted}
	senseless := map[string]bool{
		"starting waiting": true, "running starting": true, "waiting starting": true, "interrupted starting": true,
	}
	for _, from := range all {
		for _, to := range all {
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				tx := open(t)
				r := begin(t, tx, "r")
				r.Status = from
				defer func() {
					if p := recover(); (p != nil) != senseless[string(from)+" "+string(to)] {
						t.Errorf("panic %v", p)
					}
				}()
				if got, want := run.Move(tx, &r, to, run.Result{Summary: "s"}), !from.Final() && from != to; got != want {
					t.Errorf("moved %v, want %v", got, want)
				}
			})
		}
	}
}

func TestAResultIsStored(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	want := run.Result{Summary: "s", Output: []byte(`{"a":1}`), Usage: run.Usage{InputTokens: 1, OutputTokens: 2, ModelCalls: 3}}
	run.Move(tx, &r, run.Running, run.Result{})
	run.Expect(tx, &r, 7)
	run.Move(tx, &r, run.Completed, want)
	if run.Move(tx, &r, run.Failed, run.Result{Failure: "late"}) {
		t.Error("late news changed a final run")
	}
	got, ok := run.Find(tx, "r")
	if !ok || got.Status != run.Completed || got.Next != 7 || fmt.Sprint(got.Result) != fmt.Sprint(want) {
		t.Errorf("got %+v", got)
	}
}

func TestTheSameIdJoins(t *testing.T) {
	tx := open(t)
	first := begin(t, tx, "r")
	again, joined, err := run.Begin(tx, run.Run{ID: "r", Class: "Researcher", Input: []byte(`{"q":1}`)}, limits)
	if err != nil || !joined || again.Seq != first.Seq {
		t.Errorf("got %+v, %v, %v", again, joined, err)
	}
	for _, other := range []run.Run{{ID: "r", Class: "Planner", Input: []byte(`{"q":1}`)}, {ID: "r", Class: "Researcher", Input: []byte(`{}`)}} {
		if _, _, err := run.Begin(tx, other, limits); !errors.Is(err, run.ErrOtherInput) {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// TestQueue: over the cap a run waits, over the queue's limit it is refused and can
// be begun again.
func TestQueue(t *testing.T) {
	tx := open(t)
	var runs []run.Run
	for i := range 4 {
		runs = append(runs, begin(t, tx, fmt.Sprint("r", i)))
	}
	for i, want := range []int{1, 2, 0, 0} {
		if runs[i].Slot != want {
			t.Errorf("r%d has slot %d, want %d", i, runs[i].Slot, want)
		}
	}
	if _, _, err := run.Begin(tx, run.Run{ID: "r4"}, limits); !errors.Is(err, run.ErrFull) {
		t.Errorf("got %v", err)
	}
	if _, ok := run.NextQueued(tx, limits); ok {
		t.Error("a place was given that is not free")
	}
	run.Move(tx, &runs[0], run.Failed, run.Result{Failure: "x"})
	next, ok := run.NextQueued(tx, limits)
	if !ok || next.ID != "r2" || next.Slot != 3 {
		t.Errorf("next is %+v", next)
	}
	begin(t, tx, "r4")
}

// TestSlotsAreReused: a name of a facet is used again after its run was deleted.
func TestSlotsAreReused(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "a")
	run.Move(tx, &r, run.Completed, run.Result{})
	if slot := run.Delete(tx, r); slot != 1 {
		t.Errorf("freed %d", slot)
	}
	if b := begin(t, tx, "b"); b.Slot != 1 {
		t.Errorf("slot %d, want 1", b.Slot)
	}
}

// TestCancelIsDurableBeforeItIsTold: I9.
func TestCancelIsDurableBeforeItIsTold(t *testing.T) {
	tx := open(t)
	working, waiting := begin(t, tx, "a"), run.Run{}
	begin(t, tx, "b")
	waiting = begin(t, tx, "c")
	for _, r := range []*run.Run{&working, &waiting} {
		if !run.Cancel(tx, r, "stopped") || run.Cancel(tx, r, "again") {
			t.Errorf("%s: cancel is not once", r.ID)
		}
	}
	due := run.ToCancel(tx)
	if len(due) != 1 || due[0].ID != "a" || due[0].Status != run.Aborted || due[0].Failure != "stopped" {
		t.Errorf("to cancel: %+v", due)
	}
	if expired := run.Expired(tx, run.Keep{}); len(expired) != 1 || expired[0].ID != "c" {
		t.Errorf("expired: %+v", expired)
	}
	run.Told(tx, "a")
	if len(run.ToCancel(tx)) != 0 {
		t.Error("still to be told")
	}
}

// TestRetention keeps by number and by age, and what is not final.
func TestRetention(t *testing.T) {
	tx := open(t)
	for i := range 5 {
		r := begin(t, tx, fmt.Sprint("r", i))
		run.Move(tx, &r, run.Completed, run.Result{})
	}
	begin(t, tx, "live")
	ids := func(keep run.Keep) (s string) {
		for _, r := range run.Expired(tx, keep) {
			s += r.ID + " "
		}
		return s
	}
	if got := ids(run.Keep{Runs: 3, Age: 1000}); got != "r0 r1 " {
		t.Errorf("by number: %q", got)
	}
	tx.Now += 2000
	if got := ids(run.Keep{Runs: 10, Age: 1000}); got != "r0 r1 r2 r3 r4 " {
		t.Errorf("by age: %q", got)
	}
	if got := run.List(tx, 2); len(got) != 2 || got[0].ID != "r4" || got[1].ID != "live" {
		t.Errorf("list: %+v", got)
	}
	if got := run.Active(tx); len(got) != 1 || got[0].ID != "live" {
		t.Errorf("active: %+v", got)
	}
}
