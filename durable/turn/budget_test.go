package turn_test

import (
	"errors"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

// TestLimits uses up each limit that requirement D4 names, with the same numbers: the last attempt
// is refused, and none before it.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		attempts int
		attempt  func(tx *durable.Tx, tt *turn.Turn) error
		want     error
	}{
		"ten attempts in vain": {10, func(tx *durable.Tx, tt *turn.Turn) error {
			return turn.ChargeRetry(tx, tt, 7, turn.ProviderFailed, 0)
		}, turn.ErrRetries},
		"three deaths for lack of memory": {3, func(tx *durable.Tx, tt *turn.Turn) error {
			return turn.ChargeRetry(tx, tt, 7, turn.OutOfMemory, 0)
		}, turn.ErrMemory},
		"more than five minutes without progress": {6, func(tx *durable.Tx, tt *turn.Turn) error {
			if tt.Spent.ModelCalls == 0 {
				if err := turn.ChargeCall(tx, tt, 7); err != nil {
					return err
				}
			}
			tx.Now += 60_000
			return turn.ChargeRetry(tx, tt, 7, turn.InstanceLost, 0)
		}, turn.ErrNoProgress},
		"more than a thousand model calls": {1_001, func(tx *durable.Tx, tt *turn.Turn) error {
			return turn.ChargeCall(tx, tt, 7)
		}, turn.ErrModelCalls},
	} {
		t.Run(name, func(t *testing.T) {
			tx := open(t)
			tt := running(t, tx, turn.Spent{})
			for n := range c.attempts - 1 {
				if err := c.attempt(tx, &tt); err != nil {
					t.Fatalf("attempt %d: %v", n+1, err)
				}
			}
			if err := c.attempt(tx, &tt); !errors.Is(err, c.want) {
				t.Errorf("attempt %d: got %v, want %v", c.attempts, err, c.want)
			}
		})
	}
}

// running returns a turn that made its first model call at time 1, when its log had 7 chunks.
func running(t *testing.T, tx *durable.Tx, spent turn.Spent) turn.Turn {
	t.Helper()
	tt := turn.Accept(tx, turn.Turn{Request: "R"})
	turn.Move(tx, &tt, turn.Running, "")
	if err := turn.ChargeCall(tx, &tt, 7); err != nil {
		t.Fatal(err)
	}
	tt.Spent.Retries, tt.Spent.NoProgress, tt.Spent.ModelCalls, tt.Spent.MemoryDeaths = spent.Retries, spent.NoProgress, spent.ModelCalls, spent.MemoryDeaths
	return tt
}

// TestAgain takes each cause to each limit. There is another attempt one below the limit, and none
// at it. Progress resets only the counts since the last progress.
func TestAgain(t *testing.T) {
	limits := turn.Limits
	for name, c := range map[string]struct {
		cause turn.Cause
		spent turn.Spent
		// next is the log's next index, and after the time that has passed.
		next, after int64
		want        turn.Spent
		err         error
	}{
		"the provider failed": {
			cause: turn.ProviderFailed, want: turn.Spent{Retries: 1},
		},
		"a lost instance is nobody's fault": {
			cause: turn.InstanceLost, spent: turn.Spent{Retries: limits.Retries - 1, MemoryDeaths: limits.MemoryDeaths - 1},
			want: turn.Spent{Retries: limits.Retries - 1, MemoryDeaths: limits.MemoryDeaths - 1},
		},
		"no memory": {
			cause: turn.OutOfMemory, want: turn.Spent{Retries: 1, MemoryDeaths: 1},
		},
		"an attempt is left": {
			cause: turn.ProviderFailed, spent: turn.Spent{Retries: limits.Retries - 2}, want: turn.Spent{Retries: limits.Retries - 1},
		},
		"stuck": {
			cause: turn.ProviderFailed, spent: turn.Spent{Retries: limits.Retries - 1}, want: turn.Spent{Retries: limits.Retries}, err: turn.ErrRetries,
		},
		"stuck without memory": {
			cause: turn.OutOfMemory, spent: turn.Spent{Retries: limits.Retries - 1}, want: turn.Spent{Retries: limits.Retries, MemoryDeaths: 1}, err: turn.ErrRetries,
		},
		"no longer stuck": {
			cause: turn.ProviderFailed, spent: turn.Spent{Retries: limits.Retries - 1}, next: 8, want: turn.Spent{Retries: 1},
		},
		"memory is left": {
			cause: turn.OutOfMemory, spent: turn.Spent{MemoryDeaths: limits.MemoryDeaths - 2}, want: turn.Spent{Retries: 1, MemoryDeaths: limits.MemoryDeaths - 1},
		},
		"no memory too often": {
			cause: turn.OutOfMemory, spent: turn.Spent{MemoryDeaths: limits.MemoryDeaths - 1},
			want: turn.Spent{Retries: 1, MemoryDeaths: limits.MemoryDeaths}, err: turn.ErrMemory,
		},
		"no memory too often, with progress": {
			cause: turn.OutOfMemory, spent: turn.Spent{MemoryDeaths: limits.MemoryDeaths - 1}, next: 8,
			want: turn.Spent{Retries: 1, MemoryDeaths: limits.MemoryDeaths}, err: turn.ErrMemory,
		},
		"work is left": {
			cause: turn.InstanceLost, spent: turn.Spent{ModelCalls: limits.ModelCalls - 1}, want: turn.Spent{ModelCalls: limits.ModelCalls - 1},
		},
		"too much work": {
			cause: turn.InstanceLost, spent: turn.Spent{ModelCalls: limits.ModelCalls}, want: turn.Spent{ModelCalls: limits.ModelCalls}, err: turn.ErrModelCalls,
		},
		"too much work, with progress": {
			cause: turn.ProviderFailed, spent: turn.Spent{ModelCalls: limits.ModelCalls}, next: 8, want: turn.Spent{Retries: 1, ModelCalls: limits.ModelCalls}, err: turn.ErrModelCalls,
		},
		"just not silent for too long": {
			cause: turn.InstanceLost, spent: turn.Spent{NoProgress: limits.NoProgress - 10}, after: 10, want: turn.Spent{NoProgress: limits.NoProgress},
		},
		"silent for too long": {
			cause: turn.InstanceLost, spent: turn.Spent{NoProgress: limits.NoProgress - 10}, after: 11, want: turn.Spent{NoProgress: limits.NoProgress + 1},
			err: turn.ErrNoProgress,
		},
		"silent for long, with progress": {
			cause: turn.InstanceLost, spent: turn.Spent{NoProgress: limits.NoProgress}, after: 11, next: 8,
		},
		"an hour in which the platform did nothing": {
			cause: turn.InstanceLost, after: 60 * 60_000, want: turn.Spent{NoProgress: limits.Attempt},
		},
		"the clock was set back": {
			cause: turn.InstanceLost, spent: turn.Spent{NoProgress: 10}, after: -60_000, want: turn.Spent{NoProgress: 10},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tx := open(t)
			tt := running(t, tx, c.spent)
			tx.Now += c.after
			c.want.Mark, c.want.ChargedAt = max(c.next, 7), tx.Now
			if err := turn.ChargeRetry(tx, &tt, max(c.next, 7), c.cause, 0); !errors.Is(err, c.err) {
				t.Errorf("got %v, want %v", err, c.err)
			}
			kept, _ := turn.BySeq(tx, tt.Seq)
			if tt.Spent != c.want || kept.Spent != c.want {
				t.Errorf("spent %+v, kept %+v, want %+v", tt.Spent, kept.Spent, c.want)
			}
			if kept.Attempt != 1 {
				t.Errorf("attempt %d, want 1", kept.Attempt)
			}
		})
	}
}

// TestWaitIsCharged shows that a back-off is charged as time without progress, by its planned
// length, and once. Before the first attempt there is nothing to charge.
func TestWaitIsCharged(t *testing.T) {
	tx := open(t)
	tt := turn.Accept(tx, turn.Turn{Request: "R"})
	turn.Move(tx, &tt, turn.Running, "")
	steps := []struct {
		do    func() error
		after int64
		want  int64
	}{
		{do: func() error { return turn.ChargeRetry(tx, &tt, 0, turn.ProviderFailed, 0) }, after: 50},
		{do: func() error { return turn.ChargeCall(tx, &tt, 0) }, after: 50},
		{do: func() error { return turn.ChargeRetry(tx, &tt, 0, turn.ProviderFailed, 5) }, after: 7, want: 12},
		{do: func() error { return turn.ChargeCall(tx, &tt, 0) }, after: 60_000, want: 12},
		{do: func() error { return turn.ChargeRetry(tx, &tt, 0, turn.ProviderFailed, 5) }, after: 7, want: 24},
		// The instance was lost before the attempt began.
		{do: func() error { return turn.ChargeRetry(tx, &tt, 0, turn.InstanceLost, 0) }, after: 6, want: 25},
		{do: func() error { turn.Advance(tx, &tt); return nil }, after: 9},
	}
	for i, s := range steps {
		tx.Now += s.after
		if err := s.do(); err != nil || tt.Spent.NoProgress != s.want {
			t.Errorf("step %d: %d ms are charged, %v, want %d", i, tt.Spent.NoProgress, err, s.want)
		}
	}
}

// TestAsk counts the model's calls, and ends a turn that makes progress without end.
func TestAsk(t *testing.T) {
	tx := open(t)
	tt := turn.Accept(tx, turn.Turn{Request: "R"})
	turn.Move(tx, &tt, turn.Running, "")
	for i := range turn.Limits.ModelCalls {
		tx.Now++
		if err := turn.ChargeCall(tx, &tt, int64(i)); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		turn.Advance(tx, &tt)
	}
	if err := turn.ChargeCall(tx, &tt, 0); !errors.Is(err, turn.ErrModelCalls) {
		t.Errorf("got %v, want %v", err, turn.ErrModelCalls)
	}
	kept, _ := turn.BySeq(tx, tt.Seq)
	if want := (turn.Spent{ModelCalls: turn.Limits.ModelCalls, Mark: int64(turn.Limits.ModelCalls) - 1, ChargedAt: tx.Now}); kept.Spent != want {
		t.Errorf("kept %+v, want %+v", kept.Spent, want)
	}
}
