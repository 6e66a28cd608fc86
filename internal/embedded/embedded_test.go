package embedded

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
)

// TestSizes holds what every user downloads with the Go module to its bounds.
func TestSizes(t *testing.T) {
	if n := len(Runtime); n < 10_000 || n > 110_000 {
		t.Errorf("runtime.js has %d bytes, want at most 110 kB", n)
	}
	if n := len(Runtime) + len(Page); n > 1_000_000 {
		t.Errorf("runtime.js and the page have %d bytes, want at most 1 MB", n)
	}
}

func TestRuntime(t *testing.T) {
	text := string(Runtime)
	if !strings.Contains(text, "export{ModuleObject,prepare,provideEngine,serve}") {
		t.Error("runtime.js does not export ModuleObject, prepare, provideEngine and serve")
	}
	if strings.Count(text, "from\"") != 1 || !strings.Contains(text, `from"cloudflare:workers"`) {
		t.Error("runtime.js imports something besides cloudflare:workers")
	}
}

func TestPage(t *testing.T) {
	r, err := zip.NewReader(bytes.NewReader(Page), int64(len(Page)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open("index.html"); err != nil {
		t.Error(err)
	}
	for i, file := range r.File {
		if !file.Modified.IsZero() && file.Modified.Year() > 1980 || i > 0 && file.Name <= r.File[i-1].Name {
			t.Errorf("%s has a time, or is not in order", file.Name)
		}
	}
}

func TestTested(t *testing.T) {
	if p := Tested(); p.CompatibilityDate == "" || p.Wrangler == "" || p.Node == "" {
		t.Errorf("got %+v", p)
	}
	if len(WithoutInlining()) < 5 || len(Sum()) != 16 {
		t.Errorf("got %q and %q", WithoutInlining(), Sum())
	}
}
