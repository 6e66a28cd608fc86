package supervisor

import (
	"errors"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/run"
)

// endDetached begins a detached run, r, and ends it. Its delivery is in the outbox then.
func (s *scene) endDetached() {
	r, _ := run.Begin(s.tx, run.Run{ID: "r", Class: "Researcher", Handler: "tell"}, s.config.Runs)
	run.Move(s.tx, &r, run.Completed, run.Result{})
	s.enqueueDelivery(s.tx, r)
}

// TestDeliveryIsRetried shows that a handler is called five times, with a growing back-off. Each
// attempt is claimed in an event of its own. After that the delivery is a dead letter until it is
// retried.
func TestDeliveryIsRetried(t *testing.T) {
	s := newScene(t)
	s.endDetached()
	s.handler = errors.New("no")
	for range 2 {
		var waits []int64
		for wait, ok := s.handleDue(); ok && len(waits) < 20; wait, ok = s.handleDue() {
			waits = append(waits, wait)
		}
		if want := []int64{0, 5_000, 0, 15_000, 0, 30_000, 0, 120_000, 0}; !slices.Equal(waits, want) {
			t.Errorf("waited %v, want %v", waits, want)
		}
		d, _ := run.FindDelivery(s.tx, "r")
		if want := (attempt.Record{State: run.Dead, Attempts: 5, Failure: "no"}); d.Record != want {
			t.Errorf("kept %+v, want %+v", d.Record, want)
		}
		if !s.RetryDelivery(s.tx, "r", "") || s.RetryDelivery(s.tx, "r", "") {
			t.Error("a dead letter is retried, once")
		}
	}
	s.handler = nil
	s.handleDue()
	if d, ok := run.FindDelivery(s.tx, "r"); ok || s.handled != 11 {
		t.Errorf("after %d calls there still is %+v", s.handled, d)
	}
}

// TestCrashFailsClaimedDeliveries shows that a handler whose attempt was claimed when the instance
// was lost is charged for it. A handler that waits for its next attempt is not.
func TestCrashFailsClaimedDeliveries(t *testing.T) {
	s := newScene(t)
	s.endDetached()
	for _, charged := range []bool{true, false} {
		if got := s.FailClaimed(s.tx, "lost"); got != charged {
			t.Errorf("charged %v, want %v", got, charged)
		}
		d, _ := run.FindDelivery(s.tx, "r")
		if want := (attempt.Record{State: attempt.Waiting, Attempts: 1, Failure: "lost"}); d.Record != want {
			t.Errorf("kept %+v, want %+v", d.Record, want)
		}
	}
	if s.handled != 0 {
		t.Errorf("the handler was called %d times", s.handled)
	}
}

// TestIdleTimeout checks what becomes of a detached run whose helper was last heard of some time
// ago. Its idle timeout is 10,000 ms.
func TestIdleTimeout(t *testing.T) {
	for _, test := range []struct {
		name   string
		status run.Status
		silent int64
		// queued says that the run waits for a slot, and dormant that it sleeps as announced.
		queued, dormant bool
		// listened is for how long the stream of the run was read, or -1 if it is not.
		listened int64
		stopped  bool
		due      int64
	}{
		{"silent for too long", run.Running, 10_000, false, false, 10_000, true, -1},
		{"not silent for too long", run.Running, 9_000, false, false, 9_000, false, 1_000},
		{"silent while it starts", run.Starting, 10_000, false, false, -1, true, -1},
		{"in the queue", run.Starting, 10_000, true, false, -1, false, 10_000},
		{"asleep", run.Running, 10_000, false, true, -1, false, 10_000},
		{"woken in this event", run.Running, 10_000, false, false, -1, false, 10_000},
		{"in an object that was opened again", run.Running, 20_000, false, false, 4_000, false, 6_000},
		{"silent in an object that was opened again", run.Running, 20_000, false, false, 10_000, true, -1},
		{"starting again in an object that was opened again", run.Starting, 20_000, false, false, 0, false, 10_000},
		{"waiting for a person", run.Waiting, 10_000, false, false, -1, false, -1},
		{"over", run.Completed, 10_000, false, false, -1, false, -1},
	} {
		s := newScene(t)
		limits := s.config.Runs
		if test.queued {
			limits.Concurrent = 0
		}
		r, _ := run.Begin(s.tx, run.Run{ID: "r", Class: "Researcher", Handler: "tell", IdleTimeout: 10_000}, limits)
		for _, status := range []run.Status{run.Running, test.status} {
			if test.status != run.Starting {
				run.Move(s.tx, &r, status, run.Result{})
			}
		}
		if test.dormant {
			s.tx.Schedule(dueTail, "r", 1<<50)
		}
		s.tx.Now += test.silent - max(test.listened, 0)
		if test.listened >= 0 {
			s.openTail(s.tx, r)
			s.tx.Now += test.listened
		}
		s.idleTimeoutPassed(s.tx, "r")
		if got := s.find().Reason == run.TimedOut; got != test.stopped {
			t.Errorf("%s: stopped %v, want %v", test.name, got, test.stopped)
		}
		if got := s.dueIn(dueIdleTimeout); got != test.due {
			t.Errorf("%s: due in %d ms, want %d", test.name, got, test.due)
		}
	}
}
