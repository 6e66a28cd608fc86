package model

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
)

// TestDeepInputIsRefused refuses an input that is nested so deep that no client could post it back
// in a frame.
func TestDeepInputIsRefused(t *testing.T) {
	for depth, taken := range map[int]bool{limit.Depth / 2: true, limit.Depth/2 + 1: false} {
		input := `{"a":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
		if _, why := readInput(input); (why == "") != taken {
			t.Errorf("nested %d deep: got %q", depth, why)
		}
	}
	if got := nesting([]byte(`{"[[[":"\"[[","b":[{}]}`)); got != 3 {
		t.Errorf("got a depth of %d, want 3", got)
	}
}
