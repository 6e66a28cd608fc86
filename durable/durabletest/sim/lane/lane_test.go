package lane_test

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
)

func TestLanesDeliverInOrder(t *testing.T) {
	s, got := lane.New(), []string{}
	post := func(lane, item string) { s.Post(lane, func() { got = append(got, item) }) }
	post("b", "b1")
	post("a", "a1")
	post("b", "b2")
	if want := []string{"b", "a"}; !slices.Equal(s.Names(), want) {
		t.Errorf("names: got %v, want %v", s.Names(), want)
	}
	for s.Deliver("b") {
	}
	if want := []string{"b1", "b2"}; !slices.Equal(got, want) {
		t.Errorf("delivered: got %v, want %v", got, want)
	}
	s.Drop("a")
	if s.Waits("a") || s.Deliver("a") || len(s.Names()) > 0 {
		t.Error("a lane that was dropped has items")
	}
}
