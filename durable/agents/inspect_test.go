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

// TestInspectorShowsSections shows the sections of a conversation: of an action that waits for
// approval and is done, of a report that asks a person, and of the report's helper. Other tests find
// none.
func TestInspectorShowsSections(t *testing.T) {
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { _ = engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	sections := func(conn string, actions ...string) map[string][]map[string]any {
		t.Helper()
		for _, action := range append(actions, `frame `+conn+` {"type":"rpc","id":"c1","method":"inspect","args":[]}`, "tick 1ms") {
			w.Take()
			if err := w.Do(action); err != nil {
				t.Fatal(err)
			}
			for _, line := range w.Take() {
				answer, ok := strings.CutPrefix(line, "send "+conn+" ")
				if !ok || !strings.Contains(answer, `"id":"c1"`) {
					continue
				}
				return sectionsOf(t, answer)
			}
		}
		t.Fatal("no answer")
		return nil
	}
	expect := func(what string, got any, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}

	got := sections("a", "var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: Compare otters and seals", "tick 60s")
	expect("without workflows and actions", len(got), 0)

	got = sections("a", "say a R2 u2: act: pay 120 to Ada", "tick 1s")
	expect("sections", len(got), 1)
	asked := got["approvals"][0]
	expect("approval", []any{asked["tool"], asked["title"], asked["risk"], asked["input"]}, []any{"pay", "Pay 120 € to Ada", "medium", `{"amount":120,"to":"Ada"}`})
	if wait := asked["expires_at"].(float64) - asked["asked_at"].(float64); wait != 7*24*3_600_000 {
		t.Errorf("an approval waits for %.0f ms", wait)
	}

	got = sections("a", fmt.Sprintf("approve a %s", asked["id"]), "tick 1s")
	done := got["actions"][0]
	expect("sections", len(got), 1)
	expect("action", []any{done["tool"], done["key"], done["state"], len(done["digest"].(string))}, []any{"pay", "pay:120:Ada", "done", 16})
	if preview := done["preview"].(string); !strings.HasPrefix(preview, `{"receipt":"simulated-`) {
		t.Errorf("the preview is %s", preview)
	}

	got = sections("a", "say a R3 u3: workflow: report 2 on tea", "tick 60s")
	expect("question", []any{got["questions"][0]["title"], len(got)}, []any{"Who is the report for?", 2})
	question := got["questions"][0]
	if wait := question["expires_at"].(float64) - question["asked_at"].(float64); wait != 7*24*3_600_000 {
		t.Errorf("a question waits for %.0f ms", wait)
	}
	id := question["run"].(string)
	got = sections("b", "drill b reporter "+id, "tick 1s")
	expect("question of the helper", got["questions"][0]["run"], "")
	var steps []string
	for _, step := range got["steps"] {
		steps = append(steps, fmt.Sprint(step["step"], " ", step["state"], " ", step["attempt"], " ", step["error"], step["again_at"]))
	}
	expect("steps", strings.Join(steps, "; "), "section 2 completed 2 of 5 503: the archive is busy; section 1 completed 1 of 5 ")

	got = sections("a", `frame a {"type":"rpc","id":"p","method":"pauseRun","args":["`+id+`","for lunch"]}`, "tick 1s")
	expect("paused run", []any{got["runs"][0]["status"], got["runs"][0]["paused"]}, []any{"paused", "for lunch"})
}

// sectionsOf reads the rows of the sections of an answer, by the names of their columns.
func sectionsOf(t *testing.T, answer string) map[string][]map[string]any {
	t.Helper()
	var got struct {
		Result struct {
			Sections []struct {
				Name    string
				Columns []string
				Rows    [][]any
				Total   int
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Result.Sections == nil {
		t.Fatalf("%v: %s", err, answer)
	}
	sections := map[string][]map[string]any{}
	for _, s := range got.Result.Sections {
		if len(s.Rows) == 0 || s.Total != len(s.Rows) {
			t.Errorf("%s has %d rows of %d", s.Name, len(s.Rows), s.Total)
		}
		for _, row := range s.Rows {
			if len(row) != len(s.Columns) {
				t.Fatalf("%s: %d cells for %d columns", s.Name, len(row), len(s.Columns))
			}
			cells := map[string]any{}
			for i, cell := range row {
				cells[s.Columns[i]] = cell
			}
			sections[s.Name] = append(sections[s.Name], cells)
		}
	}
	return sections
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
