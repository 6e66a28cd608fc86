package project

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/embedded"
)

// TestPage unpacks the page twice, the second time for a deployment.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "left-over.js", "")
	for _, test := range []struct{ events, connect string }{
		{"http://127.0.0.1:4711", "connect-src 'self' http://127.0.0.1:4711;"},
		{"", "connect-src 'self';"},
	} {
		if err := unpack(embedded.Page, dir, test.events); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, pageHeaders))
		if err != nil || strings.Count(string(text), test.connect) != 1 {
			t.Errorf("events at %q: got %v and %s, want %s", test.events, err, text, test.connect)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "left-over.js")); !os.IsNotExist(err) {
		t.Errorf("a file that the page does not have is still there: %v", err)
	}
}
