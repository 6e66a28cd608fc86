package schedule_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/internal/share/sharetest"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// TestSchedulesAreShared has people's code make schedules. A person who has no more can replace one of the
// own, and not one of somebody else, which stays as it is.
func TestSchedulesAreShared(t *testing.T) {
	s, n := newTable(t), 0
	make := func(id, claims string) error {
		_, err := schedule.Create(s.tx(), schedule.Entry{ID: id, Callback: "ring", When: schedule.After(1), Claims: claims})
		return err
	}
	sharetest.Check(t, share.Schedules, func(claims string) error { n++; return make(fmt.Sprint(n), claims) }, func() int { return len(schedule.List(s.tx())) })
	s = newTable(t)
	for i := range share.Schedules.Each - 1 {
		if err := make(fmt.Sprint(i), sharetest.Of("m")); err != nil {
			t.Fatal(err)
		}
	}
	if err := make("own", sharetest.Of("m")); err != nil {
		t.Fatal(err)
	}
	if err := make("other", sharetest.Of("a")); err != nil {
		t.Fatal(err)
	}
	replace := func(id string) error {
		_, err := schedule.Create(s.tx(), schedule.Entry{ID: id, Callback: "sing", When: schedule.After(2), Claims: sharetest.Of("m")})
		return err
	}
	if err := replace("own"); err != nil {
		t.Errorf("the person's own is not replaced: %v", err)
	}
	if err := replace("other"); err == nil {
		t.Error("another person's is replaced")
	}
	if e, ok := schedule.Find(s.tx(), "other"); !ok || e.Callback != "ring" {
		t.Errorf("the other one is %+v", e)
	}
}
