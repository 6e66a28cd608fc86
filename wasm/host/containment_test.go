package host

import (
	"fmt"
	"testing"
)

// TestContainmentIsBounded shows that only a limited number of trees is remembered, those that
// trapped last, and that the others are treated like any tree.
func TestContainmentIsBounded(t *testing.T) {
	c := newContainment(48<<20, func(maxMemory int) *pool { return &pool{maxMemory: maxMemory} })
	trap := func(tree string) {
		if err := c.died(t.Context(), tree, c.pool(tree), 1); err != nil {
			t.Fatal(err)
		}
	}
	trap("first")
	trap("first")
	for n := range maxTrapped - 1 {
		trap(fmt.Sprint(n))
	}
	if c.pool("first") == c.shared {
		t.Error("it was forgotten too early")
	}
	trap("one more")
	if c.pool("first") != c.shared || len(c.trapped) != maxTrapped {
		t.Errorf("%d trees are known, want %d without the first", len(c.trapped), maxTrapped)
	}
}
