package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/audience"
)

// TestSocketsOfHelpersCount checks that the sockets that a conversation relays to its helpers count
// among its own.
func TestSocketsOfHelpersCount(t *testing.T) {
	_, _, do := losingWorld(t, "Boss")
	out := do("connect a", "say a R1 u1: Research otters", "run")
	id := regexp.MustCompile(`call start/(\S+) helper-1`).FindStringSubmatch(out)[1]
	for i := range audience.MaxConns - 1 {
		if out := do(fmt.Sprintf("drill b%d helper %s", i, id)); strings.Contains(out, "close b") {
			t.Fatalf("socket %d is refused:\n%s", i+2, out)
		}
	}
	for _, action := range []string{"connect c", "drill c helper " + id} {
		if out := do(action); !strings.Contains(out, "close c 1013") {
			t.Errorf("%s: one socket too many is accepted:\n%.400s", action, out)
		}
	}
}
