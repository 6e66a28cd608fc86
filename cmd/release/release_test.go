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
