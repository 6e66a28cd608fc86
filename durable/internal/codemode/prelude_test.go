package codemode_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/codemode"
)

// TestPrelude shows that the prelude is an expression: a call of its function with the names. The
// scenarios of wasm/quickjs show what it does.
func TestPrelude(t *testing.T) {
	for want, names := range map[string][]string{`)([])`: nil, `)(["web_search","add"])`: {"web_search", "add"}} {
		got := codemode.Prelude(names)
		if !strings.HasPrefix(got, "(") || !strings.HasSuffix(got, "}\n"+want) || !strings.Contains(got, "\nfunction prelude(names) {\n") {
			t.Errorf("got %.60q … %q, want it to end with %q", got, got[len(got)-60:], want)
		}
	}
}
