package agents_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
)

// excerpt completes a block of the README that is not a whole file. It declares what the block
// leaves to the reader.
const excerpt = `package readme

import "github.com/tributary-agents/tributary/durable/agent"

type question struct{ Query string }

type pair struct{ A, B string }

func webSearch(*agent.Context, question) (string, error) { return "", nil }

`

// more makes a file of the blocks that follow the poet's file.
const more = `package agents

import (
	"fmt"
	"net/url"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/schedule"
)

`

// overlay replaces files for the go command alone. texts are the new texts by path, below this
// folder.
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

// listed returns a file with a text inserted after each of some marks: mark, text, mark, text.
func listed(t *testing.T, path string, pairs ...string) string {
	t.Helper()
	text := read(t, path)
	for pair := range slices.Chunk(pairs, 2) {
		before, after, found := strings.Cut(text, pair[0])
		if !found {
			t.Fatalf("%s has no %q", path, pair[0])
		}
		text = before + pair[0] + pair[1] + after
	}
	return text
}

func command(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// blocks returns the README's blocks in a language.
func blocks(t *testing.T, language string) (texts []string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(read(t, "../../README.md"), -1) {
		texts = append(texts, block[1])
	}
	return texts
}

// TestReadme compiles every Go block of the README. It adds the helper that the README describes,
// with the two lines that the README asks for and its later additions, and runs the scripts in
// testdata/readme.
func TestReadme(t *testing.T) {
	code := blocks(t, "go")
	if len(code) < 3 || !strings.HasPrefix(code[1], "package agents\n") {
		t.Fatalf("the README has %d Go blocks, want an excerpt, the poet's file, and what is added to it", len(code))
	}
	file := overlay(t, map[string]string{
		"readme/readme.go": excerpt + code[0],
		"poet.go":          code[1],
		"more.go":          more + strings.Join(code[2:], "\n"),
		"agents.go":        listed(t, "agents.go", "[]durable.Class{", "chat.Class(Poet, Providers...), "),
		"assistant.go": listed(t, "assistant.go",
			"Tools: []agent.Tool{", "\n\t\tpoem, ode, later,",
			"Methods: map[string]agent.Method{", "\n\t\t\"daily\": daily,",
			"var Assistant = agent.Agent{", "\n\tCallbacks: callbacks,"),
		"poet_test.go": read(t, "testdata/readme/poet_test.go"),
	})
	command(t, "build", "-overlay", file, "./readme")
	test := []string{"test", "-overlay", file, "-run", "TestPoet", "."}
	if flag.Lookup("update").Value.String() == "true" {
		test = append(test, "-update")
	}
	command(t, test...)
}

// TestReadmeTests checks that the tests that the README shows are the tests that run: the script of
// the poet, and a journey.
func TestReadmeTests(t *testing.T) {
	outcome := regexp.MustCompile(`(?m)^[\t#].*\n`)
	script := outcome.ReplaceAllString(read(t, "testdata/readme/a_poem_is_asked_for.txt"), "")
	if got := blocks(t, "text"); !slices.Equal(got, []string{script}) {
		t.Errorf("the README has the scripts %q, want the poet's: %q", got, script)
	}
	for _, code := range blocks(t, "js") {
		if said := "code: " + strings.Join(strings.Split(strings.TrimSpace(code), "\n"), " "); !slices.Contains(agents.Assistant.Suggestions, said) {
			t.Errorf("the README has the code %q, which is no suggestion of the Assistant", said)
		}
	}
	journey := blocks(t, "ts")
	if len(journey) != 1 || !strings.Contains(read(t, "../../e2e/journeys/approval.spec.ts"), journey[0]) {
		t.Errorf("the README has the journeys %q, want one of e2e/journeys/approval.spec.ts", journey)
	}
}

// documents are the project's documents. Their paths are relative to the project's folder.
func documents(t *testing.T) []string {
	t.Helper()
	found := []string{"README.md", "ARCHITECTURE.md", "CHANGELOG.md"}
	for _, depth := range []string{"*", "*/*"} {
		paths, err := filepath.Glob("../../" + depth + "/README.md")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if path = strings.TrimPrefix(path, "../../"); !strings.HasPrefix(path, "node_modules/") {
				found = append(found, path)
			}
		}
	}
	return found
}

// TestDocumentsNameWhatIsThere checks that the links within the project, and the paths in the text,
// exist. A link is relative to its document, and a path in the text to the project's folder.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	block := regexp.MustCompile("(?s)```.*?```")
	named := regexp.MustCompile("\\]\\(([^):#]+)\\)|`((?:durable|wasm|worker|web|e2e|bench)/[\\w./-]+)`")
	for _, document := range documents(t) {
		text := block.ReplaceAllString(read(t, "../../"+document), "")
		for _, found := range named.FindAllStringSubmatch(text, -1) {
			path := found[2]
			if found[1] != "" {
				path = filepath.Join(filepath.Dir(document), found[1])
			}
			if _, err := os.Stat("../../" + path); err != nil && !slices.Contains(made, path) {
				t.Errorf("%s names %s, which is not there", document, path)
			}
		}
		for _, anchor := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(text, -1) {
			if !slices.Contains(headings(text), anchor[1]) {
				t.Errorf("%s has no heading #%s", document, anchor[1])
			}
		}
	}
}

// made are the paths that the README asks its reader to create.
var made = []string{"durable/agents/poet.go", "durable/agents/testdata/a_poem_is_asked_for.txt"}

// headings returns a document's headings in the form in which links name them.
func headings(text string) (anchors []string) {
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		plain := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		anchors = append(anchors, strings.ReplaceAll(plain, " ", "-"))
	}
	return anchors
}
