package run_test

import (
	"errors"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestDeliveries takes a delivery through its states. The one that was handed over is deleted.
func TestDeliveries(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Failed, run.Result{Reason: run.TimedOut})
	run.EnqueueDelivery(tx, r, "")
	want := run.Delivery{Run: "r", Handler: "tell", Record: attempt.Record{State: attempt.Claimed, Attempts: 1}}
	for _, most := range []int{2, 1} {
		check := func() {
			t.Helper()
			if got, _ := run.FindDelivery(tx, "r"); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			if got := run.Deliveries(tx, want.State); len(got) != 1 || got[0] != want {
				t.Errorf("got %+v in the state %s, want %+v", got, want.State, want)
			}
		}
		check()
		want.Fail("no", most)
		run.KeepAttempts(tx, want)
		check()
		want.Claim()
		run.KeepAttempts(tx, want)
	}
	run.Delivered(tx, want)
	if got, ok := run.FindDelivery(tx, "r"); ok {
		t.Errorf("still there: %+v", got)
	}
}

// TestRunsWithDeliveriesAreKept keeps such runs until the delivery is taken or dead.
func TestRunsWithDeliveriesAreKept(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Completed, run.Result{})
	run.EnqueueDelivery(tx, r, "")
	if got := run.Unkept(tx, run.Keep{}); len(got) != 0 {
		t.Errorf("expired: %+v", got)
	}
	d, _ := run.FindDelivery(tx, "r")
	d.Fail("no", 1)
	run.KeepAttempts(tx, d)
	if got := run.Unkept(tx, run.Keep{}); len(got) != 1 {
		t.Errorf("a dead letter keeps its run for ever: %+v", got)
	}
	run.Delete(tx, r)
	if got := run.Deliveries(tx, run.Dead); len(got) != 0 {
		t.Errorf("left behind: %+v", got)
	}
}

// TestDetachedRunsAreNoTurns shows that joining a detached run does not change its turn, and that a
// run which is not detached does not become so.
func TestDetachedRunsAreNoTurns(t *testing.T) {
	tx := open(t)
	own, detached := asked("own"), asked("detached")
	detached.Handler, detached.Turn = "tell", 0
	run.Begin(tx, own, limits)
	run.Begin(tx, detached, limits)
	if have, joined, err := run.Join(tx, asked("detached")); err != nil || !joined || have.Turn != 0 || have.Handler != "tell" {
		t.Errorf("joined: %+v, %v, %v", have, joined, err)
	}
	if got := run.OfTurn(tx, 7); len(got) != 1 || got[0].ID != "own" {
		t.Errorf("of the turn: %+v", got)
	}
	own.Handler = "tell"
	if _, _, err := run.Join(tx, own); !errors.Is(err, run.ErrOtherHandler) {
		t.Errorf("error %v", err)
	}
}
