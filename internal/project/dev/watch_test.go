package dev

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// seen waits until a change of a file is reported, and returns all files that were until then.
func seen(t *testing.T, w *watcher, file string) []string {
	t.Helper()
	var all []string
	for !slices.Contains(all, file) {
		select {
		case names := <-w.changes:
			all = append(all, names...)
		case <-t.Context().Done():
			t.Fatal("the test has ended")
		}
	}
	return all
}

func TestWatch(t *testing.T) {
	dir := app(t)
	project := filepath.Join(dir, "app")
	s, err := list(t.Context(), project, ".", "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := watch(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }

	// Files that do not count come first, and are not reported.
	write(t, dir, map[string]string{"app/main_test.go": "package main\n", "app/README.md": "", "app/.tributary/worker.js": "", "app/tools/tools.go": ""})
	write(t, dir, map[string]string{"app/main.go": "package main\n"})
	if got := seen(t, w, at("app/main.go")); !slices.Equal(got, []string{at("app/main.go")}) {
		t.Errorf("reported %q", got)
	}

	// A package that is imported before it is there. Its file comes before the list says that it
	// counts: main.go is behind it.
	write(t, dir, map[string]string{"app/late/late.go": "package late\n"})
	write(t, dir, map[string]string{"app/main.go": "package main\n\nimport (\n\t_ \"example.com/app/agents\"\n\t_ \"example.com/app/late\"\n)\n"})
	if got := seen(t, w, at("app/main.go")); !slices.Equal(got, []string{at("app/main.go")}) {
		t.Errorf("reported %q", got)
	}
	if s, err = list(t.Context(), project, ".", ""); err != nil {
		t.Fatal(err)
	}
	if err := w.use(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	seen(t, w, at("app/late/late.go"))
	write(t, dir, map[string]string{"app/late/more.go": "package late\n"})
	seen(t, w, at("app/late/more.go"))

	// New folders below an embedded one.
	write(t, dir, map[string]string{"app/agents/agents.go": "package agents\n\nimport \"embed\"\n\n//go:embed data\nvar Files embed.FS\n"})
	seen(t, w, at("app/agents/agents.go"))
	if s, err = list(t.Context(), project, ".", ""); err != nil {
		t.Fatal(err)
	}
	if err := w.use(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"app/agents/data/deep/deeper/c": "c"})
	seen(t, w, at("app/agents/data/deep/deeper/c"))

	// An editor writes beside the file and renames, or removes it first.
	write(t, dir, map[string]string{"app/main.go~": "package main\n"})
	if err := os.Rename(at("app/main.go~"), at("app/main.go")); err != nil {
		t.Fatal(err)
	}
	seen(t, w, at("app/main.go"))
	if err := os.Remove(at("app/late/more.go")); err != nil {
		t.Fatal(err)
	}
	seen(t, w, at("app/late/more.go"))

	// A folder of a package is moved away, with what is in it.
	if err := os.Rename(at("app/agents"), at("app/elsewhere")); err != nil {
		t.Fatal(err)
	}
	seen(t, w, at("app/agents"))
}

// TestWatchReplaced watches a module that go.mod replaces with a folder, by way of a symbolic link.
func TestWatchReplaced(t *testing.T) {
	dir := app(t)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if err := os.Rename(at("lib"), at("real")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", at("lib")); err != nil {
		t.Fatal(err)
	}
	s, err := list(t.Context(), at("app"), ".", "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := watch(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{"real/part/part.go": "package part\n\nconst Name = \"changed\"\n"})
	seen(t, w, at("lib/part/part.go"))
}
