package run_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestDeliveries shows that a delivery is tried five times, with growing back-off, and is then dead
// until it is retried. A delivery that was taken is deleted.
func TestDeliveries(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Failed, run.Result{Reason: run.TimedOut})
	run.EnqueueDelivery(tx, r)
	fail := func() (waited []int64) {
		for {
			l, _ := run.FindDelivery(tx, "r")
			if l.State != run.Claimed || l.Handler != "tell" {
				t.Fatalf("before attempt %d: %+v", len(waited)+1, l)
			}
			wait := run.DeliveryFailed(tx, &l, "no")
			if waited = append(waited, wait); wait == 0 {
				return waited
			}
			run.ClaimDelivery(tx, &l)
		}
	}
	want := []int64{5_000, 15_000, 30_000, 120_000, 0}
	if got := fail(); !slices.Equal(got, want) {
		t.Errorf("waited %v, want %v", got, want)
	}
	dead := run.Deliveries(tx, run.Dead)
	if len(dead) != 1 || dead[0].Attempts != 5 || dead[0].Failure != "no" {
		t.Fatalf("dead: %+v", dead)
	}
	run.RetryDelivery(tx, &dead[0])
	if got := fail(); !slices.Equal(got, want) {
		t.Errorf("revived, waited %v, want %v", got, want)
	}
	run.Delivered(tx, dead[0])
	if l, ok := run.FindDelivery(tx, "r"); ok {
		t.Errorf("still there: %+v", l)
	}
}

// TestRunsWithDeliveriesAreKept keeps such runs until the delivery is taken or dead.
func TestRunsWithDeliveriesAreKept(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Completed, run.Result{})
	run.EnqueueDelivery(tx, r)
	if got := run.Expired(tx, run.Keep{}); len(got) != 0 {
		t.Errorf("expired: %+v", got)
	}
	l, _ := run.FindDelivery(tx, "r")
	for run.DeliveryFailed(tx, &l, "no") > 0 {
		run.ClaimDelivery(tx, &l)
	}
	if got := run.Expired(tx, run.Keep{}); len(got) != 1 {
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
