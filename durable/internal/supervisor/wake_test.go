package supervisor

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestScheduleWake checks when a helper is woken that announces a time. All times are from now.
func TestScheduleWake(t *testing.T) {
	const none, never = -1, 0
	for _, test := range []struct {
		name string
		// have is when the helper is woken already, and required says that it must be woken then at
		// the latest.
		have     int64
		required bool
		at, want int64
	}{
		{"no wake is stated", 5_000, false, facet.WakeUnstated, 5_000},
		{"the first time", none, false, 5_000, 5_000},
		{"never, without a wake before", none, false, never, none},
		{"an earlier time", 5_000, false, 2_000, 2_000},
		{"a later time", 5_000, false, 9_000, 9_000},
		{"never", 5_000, false, never, none},
		{"an earlier time than required", 5_000, true, 2_000, 2_000},
		{"a later time than required", 5_000, true, 9_000, 5_000},
		{"never although a wake is required", 5_000, true, never, 5_000},
	} {
		s := newScene(t)
		s.begin(run.Running)
		if test.have != none {
			s.tx.Schedule(DueWake, "r", s.tx.Now+test.have)
		}
		if test.required {
			s.tx.SQL(`INSERT INTO unwoken (run, failures) VALUES ('r', 0)`)
		}
		at := test.at
		if at > 0 {
			at += s.tx.Now
		}
		s.ScheduleWake(s.tx, "r", at)
		if got := s.dueIn(DueWake); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// TestWakeIsRetried shows that a helper which cannot be woken is woken again, with a growing
// back-off, and is given up after ten hours or so. An answer ends the series of failures.
func TestWakeIsRetried(t *testing.T) {
	s := newScene(t)
	r := s.begin(run.Running)
	fail := func() (waits []int64) {
		for s.RequireWake(s.tx, r, s.tx.Now); ; s.tx.Now += waits[len(waits)-1] {
			s.tx.Unschedule(DueWake, "r")
			s.CallReturned(s.tx, facet.CallWake, "r", nil, "unreachable")
			wait := s.dueIn(DueWake)
			if wait < 0 || len(waits) == 20 {
				return waits
			}
			waits = append(waits, wait)
		}
	}
	const hour = 3_600_000
	want := []int64{5_000, 15_000, 30_000, 120_000, 600_000, hour, hour, hour, hour, hour}
	for range 2 {
		if got := fail(); !slices.Equal(got, want) {
			t.Errorf("waited %v, want %v", got, want)
		}
	}
	s.RequireWake(s.tx, r, s.tx.Now)
	s.CallReturned(s.tx, facet.CallWake, "r", nil, "unreachable")
	s.CallReturned(s.tx, facet.CallWake, "r", response(facet.Wake, facet.WakeResult{At: s.tx.Now + 7}), "")
	if got := s.dueIn(DueWake); got != 7 || wakeRequired(s.tx, "r") {
		t.Errorf("after an answer the helper is woken in %d ms, want 7", got)
	}
}
