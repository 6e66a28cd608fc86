package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/project/scaffold"
)

func TestArguments(t *testing.T) {
	for line, want := range map[string]scaffold.Options{
		"":                                   {},
		"app":                                {Dir: "app"},
		"-module example.com/a/v2 app":       {Dir: "app", Module: "example.com/a/v2"},
		"app -module example.com/a/v2":       {Dir: "app", Module: "example.com/a/v2"},
		"-empty app -page=false":             {Dir: "app", NoPage: true, Empty: true},
		"--empty --module=a app --page=true": {Dir: "app", Module: "a", Empty: true},
		"-- -app":                            {Dir: "-app"},
	} {
		if got, err := parse(strings.Fields(line)); err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", line, got, err, want)
		}
	}
	for line, refusal := range map[string]string{
		"app -pages":         "flag provided but not defined: -pages: tributary help lists the flags",
		"app -page=maybe":    `invalid boolean value "maybe" for -page`,
		"app -module":        "flag needs an argument: -module",
		"app –empty":         "a project has one folder, and here are 2, app and –empty",
		"my app -empty more": "here are 3, my and app and more",
	} {
		_, err := parse(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), refusal) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one line that says %q", line, err, refusal)
		}
	}
}

func TestNew(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("here", 0o755); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"my app": "my app has 15 files now. Next:\n\n\tcd 'my app'\n\tnpm install\n\tgo run . dev\n",
		"here/.": "here/. has 15 files now. Next:\n\n\tcd here/.\n\tnpm install\n\tgo run . dev\n",
	} {
		var out bytes.Buffer
		if err := run([]string{"new", line, "-page=false"}, &out); err != nil || out.String() != want {
			t.Errorf("got %q, %v, want %q", out.String(), err, want)
		}
	}
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	want := ". has 15 files now. Next:\n\n\tnpm install\n\tgo run . dev\n"
	if err := run([]string{"new", "-module", "app", "."}, &out); err != nil || out.String() != want {
		t.Errorf("got %q, %v, want %q", out.String(), err, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "my app", "go.mod"))
	if err != nil || !strings.HasPrefix(string(text), "module my-app\n") || !strings.Contains(string(text), "\nreplace ") {
		t.Errorf("go.mod: %v\n%s", err, text)
	}
}

func TestCommands(t *testing.T) {
	for line, want := range map[string]string{
		"":          "Usage: tributary new DIR",
		"help":      "Usage: tributary new DIR",
		"new -help": "Usage: tributary new DIR",
		"version":   "v0.",
	} {
		var out bytes.Buffer
		if err := run(strings.Fields(line), &out); err != nil || !strings.HasPrefix(out.String(), want) {
			t.Errorf("%s: got %q, %v, want %q", line, out.String(), err, want)
		}
	}
	for line, refusal := range map[string]string{
		"new":       "the folder of the project is missing",
		"dev":       "run it in the project's folder as go run . dev",
		"mew app":   `"mew" is no command`,
		"new . -no": "flag provided but not defined",
	} {
		var out bytes.Buffer
		if err := run(strings.Fields(line), &out); err == nil || !strings.Contains(err.Error(), refusal) || out.Len() > 0 {
			t.Errorf("%s: got %q, %v, want %q", line, out.String(), err, refusal)
		}
	}
}
