package loop

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// TestRetryDelay checks which model calls are made again after a failure, and when.
func TestRetryDelay(t *testing.T) {
	for _, test := range []struct {
		name    string
		failure model.Error
		retries int
		want    int64
		again   bool
	}{
		{"the first failure", model.Error{Kind: model.Unavailable}, 0, 1_000, true},
		{"the second failure", model.Error{Kind: model.CutOff}, 1, 2_000, true},
		{"the fifth failure", model.Error{Kind: model.RateLimited}, 4, 16_000, true},
		{"the sixth failure", model.Error{Kind: model.Unavailable}, 5, 30_000, true},
		{"every later failure", model.Error{Kind: model.Unavailable}, 1_000, 30_000, true},
		{"a provider that asks for more time", model.Error{Kind: model.RateLimited, RetryAfter: 7_000}, 1, 7_000, true},
		{"a provider that asks for less time", model.Error{Kind: model.RateLimited, RetryAfter: 500}, 1, 2_000, true},
		{"a provider that asks for as much time as it can", model.Error{Kind: model.RateLimited, RetryAfter: 60_000}, 0, 60_000, true},
		{"a provider that asks for too much time", model.Error{Kind: model.RateLimited, RetryAfter: 60_001}, 0, 60_001, false},
		{"a request that is refused", model.Error{Kind: model.Rejected}, 0, 1_000, false},
		{"an answer that cannot be read", model.Error{Kind: model.Garbled}, 0, 1_000, false},
	} {
		wait, again := retryDelay(&test.failure, test.retries)
		if wait != test.want || again != test.again {
			t.Errorf("%s: got %d and %v, want %d and %v", test.name, wait, again, test.want, test.again)
		}
	}
}

// TestRetriesSpent checks when a turn that has crashed the instance is not begun again.
func TestRetriesSpent(t *testing.T) {
	for _, test := range []struct {
		name  string
		spent turn.Spent
		want  bool
	}{
		{"no crash", turn.Spent{}, false},
		{"retries are left", turn.Spent{Retries: turn.Limits.Retries - 1, MemoryDeaths: turn.Limits.MemoryDeaths - 1}, false},
		{"no retries are left", turn.Spent{Retries: turn.Limits.Retries}, true},
		{"out of memory too often", turn.Spent{Retries: 3, MemoryDeaths: turn.Limits.MemoryDeaths}, true},
	} {
		if got := RetriesSpent(turn.Turn{Spent: test.spent}); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestStillWaits checks when a quarantined turn that has lost its instance once more goes on
// waiting, and is not charged. After three retries the whole wait is 500 ms.
func TestStillWaits(t *testing.T) {
	for _, test := range []struct {
		name  string
		left  int64
		cause turn.Cause
		want  bool
	}{
		{"at once", 500, turn.InstanceLost, true},
		{"at once, by a crash", 500, turn.ProviderFailed, true},
		{"the alarm that ends the wait opens the object", 0, turn.InstanceLost, true},
		{"that alarm is late", 1 - alarmTolerance, turn.InstanceLost, true},
		{"a retry of the alarm opens the object", -alarmTolerance, turn.InstanceLost, false},
		{"the retry crashed", 0, turn.ProviderFailed, false},
		{"the retry ran out of memory", 0, turn.OutOfMemory, false},
		{"the clock was set back", 501, turn.InstanceLost, false},
	} {
		if got := stillWaits(test.left, 3, test.cause); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
