package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"
)

// TestArchive shows that a zip file depends on the names and bytes of its files alone.
func TestArchive(t *testing.T) {
	tree := func(at time.Time) fstest.MapFS {
		return fstest.MapFS{
			"index.html":  {Data: []byte("<!doctype html>"), ModTime: at},
			"assets/a.js": {Data: []byte("a"), ModTime: at, Mode: 0o600},
		}
	}
	one, err := archive(tree(time.Unix(1, 0)))
	if err != nil {
		t.Fatal(err)
	}
	other, err := archive(tree(time.Unix(1e9, 0)))
	if err != nil || !bytes.Equal(one, other) {
		t.Errorf("got %v, and other bytes for another time", err)
	}
}

func TestSettle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := settle(path, []byte("new"), true); err == nil {
		t.Error("a missing file passes the check")
	}
	if err := settle(path, []byte("new"), false); err != nil {
		t.Error(err)
	}
	if err := settle(path, []byte("new"), true); err != nil {
		t.Error(err)
	}
	if err := settle(path, []byte("newer"), true); err == nil {
		t.Error("an old file passes the check")
	}
	if have, err := os.ReadFile(path); err != nil || string(have) != "new" {
		t.Errorf("the check has written %q, %v", have, err)
	}
}

// TestUnchanged shows that files are made anew if a source, a package or a made file has changed, and only then.
func TestUnchanged(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	is := func(want bool) {
		t.Helper()
		if got, err := isUnchanged(root); err != nil || got != want {
			t.Errorf("unchanged: got %v and %v, want %v", got, err, want)
		}
	}
	keep := func() {
		t.Helper()
		if err := keepDigest(root); err != nil {
			t.Fatal(err)
		}
		is(true)
	}
	put("web/src/a.ts", "a")
	put("README.md", "a")
	is(false)
	keep()
	put("README.md", "b")
	is(true)
	for _, name := range []string{"web/src/a.ts", "web/src/deep/b.tsx", "worker/door.ts", "wasm/shim/box.ts", "package-lock.json", "node_modules/.package-lock.json", "wrangler.jsonc", folder + "/page.zip"} {
		put(name, "changed")
		is(false)
		keep()
	}
	if err := os.Rename(filepath.Join(root, "web/src/a.ts"), filepath.Join(root, "web/src/c.ts")); err != nil {
		t.Fatal(err)
	}
	is(false)
}
