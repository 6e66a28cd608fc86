package supervisor

import (
	"errors"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/run"
)

// outbox is a supervisor whose storage has the delivery of the run r, and a handler.
type outbox struct {
	*Supervisor
	tx *durable.Tx
	// handler is the handler's error, and calls counts its calls.
	handler error
	calls   int
}

func newOutbox(t *testing.T) *outbox {
	b := &outbox{tx: durable.NewTx(1000, durabletest.Memory(t), durabletest.Rand(1))}
	durable.Migrate(b.tx, durable.ScheduleSchema, run.Schema)
	b.Supervisor = New(Config{Deliver: func(*durable.Tx, string, run.Run) error {
		b.calls++
		return b.handler
	}})
	r, _ := run.Begin(b.tx, run.Run{ID: "r", Handler: "tell"}, run.Limits{Concurrent: 1})
	run.Move(b.tx, &r, run.Completed, run.Result{})
	b.enqueueDelivery(b.tx, r)
	return b
}

// handleDue handles what is due next, and says how long that took. It returns false if nothing is.
func (b *outbox) handleDue() (wait int64, ok bool) {
	at := durable.NextDue(b.tx)
	if at == 0 {
		return 0, false
	}
	wait, b.tx.Now = at-b.tx.Now, at
	for _, due := range durable.TakeDue(b.tx) {
		b.HandleDue(b.tx, due)
	}
	return wait, true
}

// TestDeliveryIsRetried shows that a handler is called five times, with a growing back-off. Each
// attempt is claimed in an event of its own. After that the delivery is a dead letter until it is
// retried.
func TestDeliveryIsRetried(t *testing.T) {
	b := newOutbox(t)
	b.handler = errors.New("no")
	for range 2 {
		var waits []int64
		for wait, ok := b.handleDue(); ok; wait, ok = b.handleDue() {
			waits = append(waits, wait)
		}
		if want := []int64{0, 5_000, 0, 15_000, 0, 30_000, 0, 120_000, 0}; !slices.Equal(waits, want) {
			t.Errorf("waited %v, want %v", waits, want)
		}
		d, _ := run.FindDelivery(b.tx, "r")
		if want := (attempt.Record{State: run.Dead, Attempts: 5, Failure: "no"}); d.Record != want {
			t.Errorf("kept %+v, want %+v", d.Record, want)
		}
		if !b.RetryDelivery(b.tx, "r") || b.RetryDelivery(b.tx, "r") {
			t.Error("a dead letter is retried, once")
		}
	}
	b.handler = nil
	b.handleDue()
	if d, ok := run.FindDelivery(b.tx, "r"); ok || b.calls != 11 {
		t.Errorf("after %d calls there still is %+v", b.calls, d)
	}
}

// TestCrashFailsClaimedDeliveries shows that a handler whose attempt was claimed when the instance
// was lost is charged for it, and that one which waits for its next attempt is not.
func TestCrashFailsClaimedDeliveries(t *testing.T) {
	b := newOutbox(t)
	for _, test := range []struct {
		charged bool
		want    attempt.Record
	}{
		{true, attempt.Record{State: attempt.Waiting, Attempts: 1, Failure: "lost"}},
		{false, attempt.Record{State: attempt.Waiting, Attempts: 1, Failure: "lost"}},
	} {
		if got := b.FailClaimed(b.tx, "lost"); got != test.charged {
			t.Errorf("charged %v, want %v", got, test.charged)
		}
		if d, _ := run.FindDelivery(b.tx, "r"); d.Record != test.want {
			t.Errorf("kept %+v, want %+v", d.Record, test.want)
		}
	}
	if b.calls != 0 {
		t.Errorf("the handler was called %d times", b.calls)
	}
}
