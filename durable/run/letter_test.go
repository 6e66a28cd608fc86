package run_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

// TestLetters: a letter is tried five times, later each time, and then dead until it is
// revived; one that was taken is gone.
func TestLetters(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Failed, run.Result{Reason: run.TimedOut})
	run.Owe(tx, r)
	fail := func() (waited []int64) {
		for {
			l, _ := run.Owed(tx, "r")
			if l.State != run.Claimed || l.Handler != "tell" {
				t.Fatalf("before attempt %d: %+v", len(waited)+1, l)
			}
			wait := run.Undelivered(tx, &l, "no")
			if waited = append(waited, wait); wait == 0 {
				return waited
			}
			run.Claim(tx, &l)
		}
	}
	want := []int64{5_000, 15_000, 30_000, 120_000, 0}
	if got := fail(); !slices.Equal(got, want) {
		t.Errorf("waited %v, want %v", got, want)
	}
	dead := run.Letters(tx, run.Dead)
	if len(dead) != 1 || dead[0].Attempts != 5 || dead[0].Failure != "no" {
		t.Fatalf("dead: %+v", dead)
	}
	run.Revive(tx, &dead[0])
	if got := fail(); !slices.Equal(got, want) {
		t.Errorf("revived, waited %v, want %v", got, want)
	}
	run.Delivered(tx, dead[0])
	if l, ok := run.Owed(tx, "r"); ok {
		t.Errorf("still there: %+v", l)
	}
}

// TestRunsWithLettersAreKept: until they were handed over, or are dead.
func TestRunsWithLettersAreKept(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Handler = "tell"
	r, _ := run.Begin(tx, asked, limits)
	run.Move(tx, &r, run.Completed, run.Result{})
	run.Owe(tx, r)
	if got := run.Expired(tx, run.Keep{}); len(got) != 0 {
		t.Errorf("expired: %+v", got)
	}
	l, _ := run.Owed(tx, "r")
	for run.Undelivered(tx, &l, "no") > 0 {
		run.Claim(tx, &l)
	}
	if got := run.Expired(tx, run.Keep{}); len(got) != 1 {
		t.Errorf("a dead letter keeps its run for ever: %+v", got)
	}
	run.Delete(tx, r)
	if got := run.Letters(tx, run.Dead); len(got) != 0 {
		t.Errorf("left behind: %+v", got)
	}
}

// TestDetachedRunsAreNoTurns: joining one does not take it over, and a run that is not
// detached does not become so.
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
