package project

import (
	"errors"
	"flag"
	"io"
	"strings"
	"testing"
)

// TestArguments gives commands what they do not take. Each refusal is one sentence.
func TestArguments(t *testing.T) {
	for _, test := range []struct {
		args string
		more bool
		want string
	}{
		{"", false, ""},
		{"-free", false, ""},
		{"--free -- --dry-run", true, ""},
		{"--dry-run", true, "arguments for wrangler stand behind --"},
		{"--fre", false, "go run . help lists the flags"},
		{"x", false, `takes no argument "x"`},
	} {
		flags, _ := freeFlag("build")
		err := parse(flags, strings.Fields(test.args), test.more)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: got %v, want %q", test.args, err, test.want)
		}
	}
	flags, _ := freeFlag("build")
	if err := parse(flags, []string{"-h"}, false); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: got %v, want the request for help", err)
	}
	if err := run(t.Context(), io.Discard, []string{"token"}, nil); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("token: got %v, want one sentence", err)
	}
}
