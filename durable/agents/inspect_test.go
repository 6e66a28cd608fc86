package agents_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
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

// TestInspectorShowsCosts shows what a turn with two helpers has cost: each object's statements and
// rows since it came into memory, and its model tokens. It is read three times. The reading costs
// little, and wakes no helper.
func TestInspectorShowsCosts(t *testing.T) {
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { _ = engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	do := func(actions ...string) {
		t.Helper()
		for _, action := range actions {
			if err := w.Do(action); err != nil {
				t.Fatal(err)
			}
		}
	}
	inspect := func() costs {
		t.Helper()
		w.Take()
		do(`frame a {"type":"rpc","id":"c1","method":"inspect","args":[]}`)
		for _, line := range w.Take() {
			var got struct{ Result costs }
			if answer, ok := strings.CutPrefix(line, "send a "); ok && json.Unmarshal([]byte(answer), &got) == nil && len(got.Result.Costs) > 0 {
				return got.Result
			}
		}
		t.Fatal("no answer")
		return costs{}
	}
	do("var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: Compare otters and seals", "tick 60s")

	first := inspect()
	if len(first.Helpers) != 2 || first.Own.InputTokens == 0 || first.Own.OutputTokens == 0 {
		t.Fatalf("got %+v", first)
	}
	sum := first.Own
	for _, h := range first.Helpers {
		if h.Class != "Researcher" || h.Run == "" || h.Usage.InputTokens == 0 || h.Usage.OutputTokens == 0 {
			t.Errorf("helper %+v", h)
		}
		sum = sum.Add(h.Usage)
	}
	if sum != first.Usage {
		t.Errorf("the parts have used %+v, and all %+v", sum, first.Usage)
	}
	var paths []string
	for _, c := range first.Costs {
		paths = append(paths, strings.TrimSuffix(c.Path, ".0")) // a world numbers the objects of a slot
		if c.Since < 1_700_000_000_000 || c.Statements == 0 || c.RowsRead == 0 || c.RowsWritten == 0 || (c.Down > 0) != (c.Path == "") || (c.Up > 0) != (c.Path == "") {
			t.Errorf("got %+v", c)
		}
	}
	if want := []string{"", first.Helpers[1].Path, first.Helpers[0].Path}; !slices.Equal(paths, want) {
		t.Errorf("costs of %q, want %q", paths, want)
	}

	second := inspect()
	if more := second.Costs[0].Statements - first.Costs[0].Statements; more > 5 {
		t.Errorf("an inspection counts %d statements of its own", more)
	}
	if second.Costs[0].Down != first.Costs[0].Down || second.Costs[0].RowsWritten != first.Costs[0].RowsWritten {
		t.Errorf("an inspection counts what it sends or writes: %+v after %+v", second.Costs[0], first.Costs[0])
	}

	slept := "room/" + first.Costs[2].Path
	before := first.Costs[2]
	do("evict " + first.Helpers[0].Path)
	third := inspect()
	if engine.Awake(slept) || len(third.Costs) != 3 || third.Costs[2] != before || len(third.Helpers) != 2 || third.Usage != first.Usage {
		t.Errorf("with a helper that sleeps: awake %v, %+v", engine.Awake(slept), third)
	}
}

// costs is the part of an inspection that says what a conversation has cost.
type costs struct {
	Usage, Own run.Usage
	Helpers    []struct {
		Run, Class, Path string
		Usage            run.Usage
	}
	Costs []durable.Cost
}

func TestInspectorIsForDevelopersOnly(t *testing.T) {
	if answer := called(t, "inspect", "[]", "connect a"); !strings.Contains(answer, `"success":false,"error":"storage is inspected in development only`) {
		t.Errorf("got %s", answer)
	}
}
