package host

import (
	"fmt"
	"testing"
)

// TestContainmentIsBounded shows that so many trees are known and no more, those that trapped
// last, and that the others are treated like any.
func TestContainmentIsBounded(t *testing.T) {
	c := newContainment(48<<20, func(maxMemory int) *holder { return &holder{maxMemory: maxMemory} })
	trap := func(tree string) {
		if err := c.died(t.Context(), tree, c.holder(tree), 1); err != nil {
			t.Fatal(err)
		}
	}
	trap("first")
	trap("first")
	for n := range maxTrapped - 1 {
		trap(fmt.Sprint(n))
	}
	if c.holder("first") == c.shared {
		t.Error("it was forgotten too early")
	}
	trap("one more")
	if c.holder("first") != c.shared || len(c.trapped) != maxTrapped {
		t.Errorf("%d trees are known, want %d without the first", len(c.trapped), maxTrapped)
	}
}
