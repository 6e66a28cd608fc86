package agents_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// called performs actions in a conversation, then calls a method of it and returns the answer.
func called(t *testing.T, method, args string, actions ...string) string {
	t.Helper()
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { _ = engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	for _, action := range append(actions, fmt.Sprintf(`frame a {"type":"rpc","id":"c1","method":%q,"args":%s}`, method, args)) {
		w.Take()
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range w.Take() {
		if answer, ok := strings.CutPrefix(line, "send a "); ok && strings.Contains(answer, `"id":"c1"`) {
			return answer
		}
	}
	t.Fatal("no answer")
	return ""
}

func TestInspectorShowsWhatIsStored(t *testing.T) {
	long := strings.Repeat("otters ", 200)
	answer := called(t, "inspect", "[]", "var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: Compare "+long+" and seals", "tick 300ms")
	var got struct {
		Result struct {
			Class  string
			Usage  struct{ ModelCalls int }
			Tables []struct {
				Name    string
				Columns []string
				Rows    [][]any
				Total   int
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		t.Fatal(err)
	}
	if got.Result.Class != "Assistant" || got.Result.Usage.ModelCalls == 0 {
		t.Errorf("class %q, %d model calls", got.Result.Class, got.Result.Usage.ModelCalls)
	}
	totals := map[string]int{}
	for _, table := range got.Result.Tables {
		totals[table.Name] = table.Total
		if len(table.Columns) == 0 {
			t.Errorf("table %s has no columns", table.Name)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s: %d cells for %d columns", table.Name, len(row), len(table.Columns))
			}
		}
	}
	for table, want := range map[string]int{"turn": 1, "step": 1, "tool_call": 1, "run": 2, "await": 2, "message": 1} {
		if totals[table] != want {
			t.Errorf("%d rows in %s, want %d", totals[table], table, want)
		}
	}
	if strings.Contains(answer, long[:500]) {
		t.Error("a long text is shown whole")
	}
}

func TestInspectorLeavesNoTableOut(t *testing.T) {
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { _ = engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	for _, action := range []string{"var TRIBUTARY_ENV=development", "connect a", `frame a {"type":"rpc","id":"c1","method":"inspect","args":[]}`} {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	answer := strings.Join(w.Take(), "\n")
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := storage.SQL(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if !strings.Contains(answer, `{"name":"`+row.Text(0)+`","columns"`) {
			t.Errorf("table %s is not shown", row.Text(0))
		}
	}
}

func TestInspectorIsForDevelopersOnly(t *testing.T) {
	if answer := called(t, "inspect", "[]", "connect a"); !strings.Contains(answer, `"success":false,"error":"storage is inspected in development only`) {
		t.Errorf("got %s", answer)
	}
}
