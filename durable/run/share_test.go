package run_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
	"github.com/tributary-agents/tributary/durable/run"
)

// beginner begins one run after the other.
type beginner struct {
	t      *testing.T
	tx     *durable.Tx
	limits run.Limits
	n      int
}

// of begins a run that works for some claims.
func (b *beginner) of(claims string) (run.Run, error) {
	b.n++
	r := asked(fmt.Sprint("r", b.n))
	r.Claims = claims
	begun, ok := run.Begin(b.tx, r, b.limits)
	if !ok {
		return r, errors.New(run.Refusal(b.tx, r, b.limits))
	}
	return begun, nil
}

func (b *beginner) count(where string) int {
	return int(b.tx.Number(`SELECT COUNT(*) FROM run WHERE ended_at = 0 AND ` + where))
}

// TestRunsAreShared has people's runs wait, while one of somebody else is at work.
func TestRunsAreShared(t *testing.T) {
	b := &beginner{t: t, tx: open(t), limits: run.Limits{Concurrent: 1, Queued: 100}}
	if _, err := b.of(sharetest.Of("first")); err != nil {
		t.Fatal(err)
	}
	sharetest.Check(t, share.RunsWaiting(100), func(claims string) error {
		_, err := b.of(claims)
		return err
	}, func() int { return b.count(`slot = 0`) })
}

// TestPlacesAreShared has people's runs take all places, of which one person leaves a quarter to others.
func TestPlacesAreShared(t *testing.T) {
	b := &beginner{t: t, tx: open(t), limits: run.Limits{Concurrent: 16}}
	sharetest.Check(t, share.RunsAtWork(16), func(claims string) error {
		_, err := b.of(claims)
		if err != nil && err.Error() == "all of 16 helpers are at work" {
			return errors.New("16 helpers are at work already")
		}
		return err
	}, func() int { return b.count(`slot > 0`) })
}

// TestRunsPassEachOther checks which run gets a place that is free: the one that has waited longest, of those
// whose person may have one more.
func TestRunsPassEachOther(t *testing.T) {
	b := &beginner{t: t, tx: open(t), limits: run.Limits{Concurrent: 4, Queued: 100}}
	begin := func(person string) run.Run {
		t.Helper()
		r, err := b.of(sharetest.Of(person))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	m1, m2 := begin("m"), begin("m")
	begin("m")
	if waits := begin("m"); waits.Slot != 0 {
		t.Error("one person has all places")
	}
	begin("m")
	a := begin("a")
	if a.Slot == 0 {
		t.Error("the place that is left is nobody's")
	}
	a2 := begin("a")
	end := func(r run.Run) string {
		t.Helper()
		run.Move(b.tx, &r, run.Completed, run.Result{})
		run.Delete(b.tx, r)
		next, ok := run.NextQueued(b.tx, b.limits)
		if ok {
			run.Dispatched(b.tx, &next)
		}
		return strings.TrimSpace(fmt.Sprint(next.ID, " ", next.Claims))
	}
	if got, want := end(a), a2.ID+" "+sharetest.Of("a"); got != want {
		t.Errorf("behind a run of a comes %s, want %s", got, want)
	}
	if got, want := end(m1), "r4 "+sharetest.Of("m"); got != want {
		t.Errorf("behind a run of m comes %s, want %s", got, want)
	}
	again, _ := run.Find(b.tx, a2.ID)
	if got := end(again); got != "" {
		t.Errorf("%s has begun, and m has three places", got)
	}
	if got, want := end(m2), "r5 "+sharetest.Of("m"); got != want {
		t.Errorf("behind a run of m comes %s, want %s", got, want)
	}
}
