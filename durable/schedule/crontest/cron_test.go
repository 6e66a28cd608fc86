// Package crontest compares the cron expressions of package schedule with those of the usual
// library.
package crontest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// TestCronAgreesWithTheUsualLibrary compares the two in UTC, because the library skips calls in a
// missing hour.
func TestCronAgreesWithTheUsualLibrary(t *testing.T) {
	storage, ids := durabletest.Memory(t), durabletest.Rand(1)
	durable.Migrate(durable.NewTx(0, storage, ids), schedule.Schema)
	random := rand.New(rand.NewPCG(1, 2))
	parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
	for range 5000 {
		spec := fmt.Sprintf("%s %s %s %s %s", field(random, 0, 59), field(random, 0, 23), field(random, 1, 31), field(random, 1, 12), field(random, 0, 6))
		other, err := parser.Parse(spec)
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		now := random.Int64N(4_000_000_000_000)
		got, err := schedule.Create(durable.NewTx(now, storage, ids), schedule.Entry{ID: "compared", Callback: "c", When: schedule.Cron(spec, "")})
		if err != nil && !errors.Is(err, schedule.ErrNever) {
			t.Fatalf("%s: %v", spec, err)
		}
		want := other.Next(time.UnixMilli(now).UTC())
		if want.IsZero() != (err != nil) && !strings.Contains(spec, " 29 ") || err == nil && !want.IsZero() && got.Due != want.UnixMilli() {
			t.Fatalf("%s after %d: got %d (%v), want %d", spec, now, got.Due, err, want.UnixMilli())
		}
	}
}

// field returns a field of an expression. It leaves out steps of all days, which the library treats
// as a restriction.
func field(random *rand.Rand, low, high int) string {
	a, b := low+random.IntN(high-low+1), low+random.IntN(high-low+1)
	switch random.IntN(5) {
	case 0:
		return fmt.Sprint(a)
	case 1:
		return fmt.Sprintf("%d-%d", min(a, b), max(a, b))
	case 2:
		return fmt.Sprintf("%d,%d", a, b)
	case 3:
		return fmt.Sprintf("%d-%d/%d", min(a, b), max(a, b), 1+random.IntN(5))
	}
	return "*"
}
