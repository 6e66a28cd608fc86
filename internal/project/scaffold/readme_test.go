package scaffold

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/draw"
)

// TestReadme adds the helper that the README of a project describes, with the two additions that it
// asks for, and has the agents built with it.
func TestReadme(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	for _, o := range []Options{{}, {Empty: true}} {
		o.Dir, o.Framework = filepath.Join(t.TempDir(), "app"), fromCheckout(t)
		if _, err := New(o); err != nil {
			t.Fatal(err)
		}
		project := tree(t, o.Dir)
		code := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(project["README.md"], -1)
		if len(code) != 1 {
			t.Fatalf("the README has %d Go blocks, want the poet's", len(code))
		}
		put(t, filepath.Join(o.Dir, "agents/poet.go"), []byte(code[0][1]))
		assistant := "agents/assistant.go"
		tools := [2]string{"Tools: []agent.Tool{\n", "Tools: []agent.Tool{\npoem,\n"}
		if o.Empty {
			assistant = "agents/agents.go"
			tools = [2]string{"var Assistant = agent.Agent{\n", "var Assistant = agent.Agent{\nTools: []agent.Tool{poem},\n"}
		}
		add(t, o.Dir, assistant, tools[0], tools[1])
		add(t, o.Dir, "agents/agents.go", "chat.Class(Assistant, Providers...)", "chat.Class(Assistant, Providers...), chat.Class(Poet, Providers...)")
		goCommand(t, o.Dir, "vet", "./...")
		put(t, filepath.Join(o.Dir, "agents/poet_test.go"), []byte(poetTest))
		goCommand(t, o.Dir, "test", "./agents", "-run", "TestPoet")
	}
}

// poetTest is a test that asks for a poem.
const poetTest = `package agents

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

func TestPoet(t *testing.T) {
	w := durabletest.NewWorld(durabletest.NewNative(1, Classes()...), Assistant.Name, "room")
	for _, action := range []string{"connect a", "say a R1 u1: poem: the sea", "run"} {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	if all := strings.Join(w.Take(), "\n"); !strings.Contains(all, "\"agentType\":\"Poet\"") || !strings.Contains(all, "\"outcome\":\"completed\"") {
		t.Error(all)
	}
}
`

// add puts a text in the place of another one that the file has once.
func add(t *testing.T, dir, name, old, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	before := string(read(t, path))
	if strings.Count(before, old) != 1 {
		t.Fatalf("%s does not have %q once:\n%s", name, old, before)
	}
	put(t, path, []byte(strings.Replace(before, old, text, 1)))
}

// TestConfigurations checks the files in JSON, with and without a page.
func TestConfigurations(t *testing.T) {
	for _, o := range variants {
		o.Dir, o.Framework = "app", published
		project := render(t, o)
		for _, name := range []string{"wrangler.jsonc", "package.json"} {
			plain := regexp.MustCompile(`(?m)^\s*//.*\n`).ReplaceAllString(project[name], "")
			if !json.Valid([]byte(plain)) {
				t.Errorf("%s is not JSON:\n%s", name, plain)
			}
		}
		if got := strings.Contains(project["wrangler.jsonc"], `"directory": ".tributary/web"`); got == o.NoPage {
			t.Errorf("with the page %v: assets are %v", !o.NoPage, got)
		}
	}
}
