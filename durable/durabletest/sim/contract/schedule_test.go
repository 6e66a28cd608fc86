package contract_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

func TestScheduleRequestTimes(t *testing.T) {
	for _, c := range []struct {
		kind                        contract.Kind
		planned, now, first, follow int64
	}{
		{contract.Once, 100, 150, 210, 0},
		{contract.Every, 100, 100, 160, 160},
		{contract.Every, 100, 150, 210, 160},
		{contract.Every, 100, 280, 340, 340}, // late ones are left out
		{contract.Cron, 120, 120, 180, 180},
		{contract.Cron, 120, 200, 240, 240},
	} {
		r := contract.ScheduleRequest{Kind: c.kind, MS: 60}
		if got := r.First(c.now); got != c.first {
			t.Errorf("%s made at %d: first %d, want %d", c.kind, c.now, got, c.first)
		}
		if got := r.Next(c.planned, c.now); got != c.follow {
			t.Errorf("%s planned for %d, at %d: next %d, want %d", c.kind, c.planned, c.now, got, c.follow)
		}
	}
}
