package agents_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// excerpt makes a file of a block of the README that is none: what the block leaves to the reader.
const excerpt = `package readme

import "github.com/tributary-agents/tributary/durable/agent"

type question struct{ Query string }

type pair struct{ A, B string }

func webSearch(*agent.Context, question) (string, error) { return "", nil }

`

// overlay puts files into their places for the go command alone: texts by path, below this folder.
func overlay(t *testing.T, texts map[string]string) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir, replace := t.TempDir(), map[string]string{}
	for path, text := range texts {
		file := filepath.Join(dir, strings.ReplaceAll(path, "/", "_"))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, path)] = file
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// listed is a file with one more line, or item, behind something that it has.
func listed(t *testing.T, path, behind, item string) string {
	t.Helper()
	before, after, found := strings.Cut(read(t, path), behind)
	if !found {
		t.Fatalf("%s has no %q", path, behind)
	}
	return before + behind + item + after
}

func command(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// TestReadme compiles every Go block of the README, puts the helper that it tells how to add into its place, with the two
// lines that it tells of, and runs it.
func TestReadme(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read(t, "../../README.md"), -1)
	if len(blocks) != 2 || !strings.HasPrefix(blocks[1][1], "package agents\n") {
		t.Fatalf("the README has %d Go blocks, want an excerpt and the poet's file", len(blocks))
	}
	file := overlay(t, map[string]string{
		"readme/readme.go": excerpt + blocks[0][1],
		"poet.go":          blocks[1][1],
		"agents.go":        listed(t, "agents.go", "[]durable.Class{", "Poet.Class(), "),
		"assistant.go":     listed(t, "assistant.go", "Tools: []agent.Tool{", "\n\t\tpoem,"),
		"poet_test.go":     read(t, "testdata/readme/poet_test.go"),
	})
	command(t, "build", "-overlay", file, "./readme")
	test := []string{"test", "-overlay", file, "-run", "TestPoet", "."}
	if flag.Lookup("update").Value.String() == "true" {
		test = append(test, "-update")
	}
	command(t, test...)
}
