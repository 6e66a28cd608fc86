package dev

import (
	"os"
	"path/filepath"
	"testing"
)

// write makes files with their folders. Names have slashes.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// folder returns an empty folder without symbolic links in its path.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// app writes a project with a module beside it, and returns the folder of both.
func app(t *testing.T) string {
	t.Helper()
	dir := folder(t)
	write(t, dir, map[string]string{
		"app/go.mod":              "module example.com/app\n\ngo 1.26\n\nrequire example.com/lib v0.0.0\n\nreplace example.com/lib => ../lib\n",
		"app/main.go":             "package main\n\nimport (\n\t\"example.com/app/agents\"\n\t\"example.com/lib/part\"\n)\n\nfunc main() { println(agents.Text, part.Name) }\n",
		"app/agents/agents.go":    "package agents\n\nimport _ \"embed\"\n\n//go:embed prompts/*.md all:data\nvar Text string\n",
		"app/agents/prompts/a.md": "a",
		"app/agents/data/.x/b":    "b",
		"app/frontdoor/main.go":   "package main\n\nimport _ \"example.com/lib/login\"\n\nfunc main() {}\n",
		"app/unused/unused.go":    "package unused\n",
		"app/tools/go.mod":        "module example.com/tools\n",
		"app/tools/tools.go":      "package tools\n",
		"lib/go.mod":              "module example.com/lib\n\ngo 1.26\n",
		"lib/part/part.go":        "package part\n\nconst Name = \"part\"\n",
		"lib/login/login.go":      "package login\n",
		"lib/other/other.go":      "package other\n",
	})
	return dir
}

func TestSources(t *testing.T) {
	dir := app(t)
	write(t, dir, map[string]string{
		"app/broken.go": "package main\n\nimport _ \"example.com/app/later\"\n\nfunc {\n",
		"app/late.go":   "package main\n\nimport _ \"example.com/app/agents/late\"\n",
	})
	s, err := list(t.Context(), filepath.Join(dir, "app"), ".", filepath.Join(dir, "go.work"))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]bool{
		"app/main.go":                true,
		"app/new.go":                 true,
		"app/go.mod":                 true,
		"app/go.sum":                 true,
		"go.work":                    true,
		"app/wrangler.jsonc":         true,
		"app/agents/agents.go":       true,
		"app/agents":                 true, // the folder is moved away
		"app/agents/late":            true,
		"app/agents/late/new.go":     true, // of a package that is imported already
		"app/agents/prompts/a.md":    true,
		"app/agents/prompts/new.md":  true,
		"app/agents/data/.x/b":       true,
		"app/agents/data/new/folder": true,
		"app/frontdoor/main.go":      true,
		"lib/part/part.go":           true,
		"lib/login/login.go":         true, // of the front door alone
		"lib/go.mod":                 true,

		"app/main_test.go":            false,
		"app/.#main.go":               false, // Emacs
		"app/_draft.go":               false,
		"app/main.go~":                false,
		"app/4913":                    false, // Vim
		"app/README.md":               false,
		"app/package.json":            false,
		"app/unused/unused.go":        false,
		"app/tools/tools.go":          false,
		"app/agents/prompts":          false,
		"app/agents/prompts/a.md.swp": false,
		"app/.tributary/agents.wasm":  false,
		"lib/other/other.go":          false,
		"lib":                         true,
	} {
		if got := s.counts(filepath.Join(dir, filepath.FromSlash(file))); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}

func TestSourcesOfABrokenModule(t *testing.T) {
	dir := app(t)
	write(t, dir, map[string]string{"app/go.mod": "modul\n"})
	_, err := list(t.Context(), filepath.Join(dir, "app"), ".", "")
	says(t, err, "go list: ", "go.mod:1: unknown directive: modul")
}
