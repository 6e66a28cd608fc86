//go:build !wasip1

package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// filled is the storage of an object that was used beyond all measure, and the most rows that its tables
// have had meanwhile.
type filled struct {
	*crowd
	most map[string]int
}

func (f *filled) look(object string) {
	f.t.Helper()
	storage, err := f.engine.Storage(object)
	if err != nil {
		f.t.Fatal(err)
	}
	rows, err := storage.SQL(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'`, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, row := range rows {
		n, err := storage.SQL(`SELECT COUNT(*) FROM `+row.Text(0), nil)
		if err != nil {
			f.t.Fatal(err)
		}
		f.most[row.Text(0)] = max(f.most[row.Text(0)], int(n[0].Int(0)))
	}
}

// watch has the object go on for a while, and looks meanwhile.
func (f *filled) watch() {
	f.t.Helper()
	for range 40 {
		f.w.Tick()
		f.look("room")
	}
	if err := f.w.Do("tick 10s"); err != nil {
		f.t.Fatal(err)
	}
	f.look("room")
}

// hive is a conversation with everything that makes rows.
func hive(t *testing.T) *filled {
	t.Helper()
	type number struct {
		N int `json:"n"`
	}
	worker := agent.Agent{Name: "Bee", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ number) (string, error) {
		if err := flow.Sleep(c, time.Second); err != nil {
			return "", err
		}
		return "done", c.Milestone("half", nil)
	})}
	a := agent.Agent{
		Name: "Hive", Model: wisher{}, Keep: run.Keep{Runs: 5, Age: time.Hour}, Runs: run.Limits{Concurrent: 3, Queued: 8},
		Tools: []agent.Tool{
			agent.NewTool("nothing", "", func(*agent.Context, struct{}) (string, error) { return "", nil }),
			agent.NewTool("rest", "", func(c *agent.Context, _ struct{}) (string, error) { return "", flow.Sleep(c, 1<<40) }),
			agent.AgentTool[number](worker, "bee", "A bee."),
			agent.AgentTool[number](worker, "drone", "A bee in the background.", agent.Detached("heard")),
			agent.NewTool("half", "", func(c *agent.Context, _ struct{}) (string, error) {
				r := agent.StartAgent(c, worker, number{2})
				_, err := c.AwaitMilestone(r.ID(), "half")
				r.Wait()
				return "", err
			}),
		},
		Handlers:  map[string]agent.RunHook{"heard": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		Callbacks: map[string]agent.Callback{"ring": func(*agent.Conversation, agent.Scheduled) error { return nil }},
		Methods: map[string]agent.Method{
			"narrate":  func(c *agent.Call) (any, error) { return nil, c.Narrate("buzz") },
			"schedule": func(c *agent.Call) (any, error) { return c.Schedule(schedule.After(time.Hour), "ring", nil) },
			"state":    func(c *agent.Call) (any, error) { return nil, c.SetState(c.Schedules()) },
		},
	}
	engine := durabletest.NewNative(1, chattest.Class(a), chattest.Class(worker))
	t.Cleanup(func() { engine.Close() })
	return &filled{crowd: &crowd{t: t, w: durabletest.NewWorld(engine, "Hive", "room"), engine: engine}, most: map[string]int{}}
}

// afterMany uses a hive: turns with many calls and steps, runs, methods, and far too many sockets.
func afterMany(t *testing.T) *filled {
	t.Helper()
	f := hive(t)
	if err := f.open("a", ""); err != nil {
		t.Fatal(err)
	}
	method := func(name string) {
		f.sent++
		f.frame("a", "", map[string]any{"type": "rpc", "id": fmt.Sprint("r", f.sent), "method": name, "args": []any{}})
	}
	f.say("a", "", "1 nothing")
	f.run()
	for i := range 4_500 { // the ids of a long conversation
		sql(t, f.engine, `INSERT INTO call_id (id) VALUES (?)`, fmt.Sprint("old", i))
	}
	for range 3 {
		f.say("a", "", "128 nothing")
		f.watch()
	}
	if n := f.number(`SELECT COUNT(*) FROM call_id`); n != 1 {
		t.Errorf("there are still %d ids of calls", n)
	}
	f.look("room")
	for range 3 {
		for _, wish := range []string{"15 bee", "15 drone", "2 half"} {
			f.say("a", "", wish)
			f.watch()
		}
		method("schedule")
		method("state")
	}
	for _, slot := range f.w.Slots() {
		if slot != "" {
			f.look(f.w.Object(slot))
		}
	}
	f.say("a", "", "insist")
	f.watch()
	f.say("a", "", "1 rest")
	f.run()
	for range 40 {
		method("narrate")
	}
	for i := range 1_030 {
		_ = f.open(fmt.Sprint("c", i), "") // the last ones are refused
	}
	f.look("room")
	return f
}

// afterAnswers has a helper be answered, which has been answered far too often before.
func afterAnswers(t *testing.T) *filled {
	t.Helper()
	engine := durabletest.NewNative(1, chattest.Classes()...)
	t.Cleanup(func() { engine.Close() })
	w := durabletest.NewWorld(engine, "Asker", "room")
	f := &filled{crowd: &crowd{t: t, w: w, engine: engine}, most: map[string]int{}}
	out := do(t, w, "connect a\nsay a R1 u1: Compare otters and seals\nrun")
	call := regexp.MustCompile(`tool-approval-request","toolCallId":"([^"]+)"`).FindStringSubmatch(strings.ReplaceAll(out, `\`, ""))
	if call == nil {
		t.Fatalf("no helper asks: %.3000s", out)
	}
	helper := w.Object(w.Slots()[len(w.Slots())-1])
	storage, err := engine.Storage(helper)
	if err != nil {
		t.Fatal(err)
	}
	chat.MakeTables(storage)
	for i := range 600 {
		if _, err := storage.SQL(`INSERT INTO heard (call, approved) VALUES (?, 1)`, []any{fmt.Sprint("old", i)}); err != nil {
			t.Fatal(err)
		}
	}
	do(t, w, "evict\nevict helper-1\napprove a "+call[1]+"\nrun")
	f.look("room")
	f.look(helper)
	return f
}

// TestTablesEnd fills the tables of an object beyond their bounds. The list of tables is in
// durable/limit/tables.md.
func TestTablesEnd(t *testing.T) {
	ends := map[string]int{
		"room_version": 11,
		"schedule":     64,
		"damage":       100,
		"chunk":        2 * (limit.Answer + limit.Outputs) / (16 << 10),
		"step":         10,
		"tool_call":    limit.ToolCalls,
		"run":          5 + 3 + 8 + 15 + 1,
		"waiter":       15 + 3,
		"letter":       5 + 3 + 8 + 15 + 1,
		"slot":         5 + 3 + 8 + 15,
		"spent":        2,
		"answer":       1,
		"setting":      20 + 1_024,
		"offer":        1_024,
		"task":         2,
		"unwoken":      3,
		"narration":    33,
		"early":        1_024,
		"call_id":      4_600,
		"heard":        1,

		"milestone_waiter": 3,
	}
	many := afterMany(t)
	storage, err := many.engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	chat.MakeTables(storage)
	tx := durable.NewTx(1, storage, nil)
	for i := range 300 {
		tx.KeepDamaged("a row", fmt.Sprint(i), fmt.Errorf("it is damaged"))
	}
	many.look("room")
	answers := afterAnswers(t)
	p := exposed(t, offering())
	for range 3 {
		if _, err := p.call("", "pick"); err == nil {
			t.Fatal("nothing is asked")
		}
		p.capabilities = takesTasks
		if _, err := p.call("", "pick"); err != nil {
			t.Fatal(err)
		}
		p.capabilities = `{}`
	}
	programs := &filled{crowd: &crowd{t: t, w: p.w, engine: p.engine}, most: map[string]int{}}
	programs.look("room")

	// A table that is never filled would end by chance.
	least := map[string]int{
		"damage": 100, "step": 9, "tool_call": 128, "run": 5, "waiter": 3, "slot": 5, "spent": 2, "offer": 1_023, "narration": 20, "call_id": 1, "task": 1, "heard": 1,
		"milestone_waiter": 1, "chunk": 2, "setting": 2, "schedule": 2, "room_version": 11,
	}
	for table, most := range ends {
		got := 0
		for _, f := range []*filled{many, answers, programs} {
			got = max(got, f.most[table])
		}
		if got > most || got < least[table] {
			t.Errorf("the table %s has had %d rows, want %d to %d", table, got, least[table], most)
		}
	}
	if open := many.number(`SELECT COUNT(*) FROM step`) + many.number(`SELECT COUNT(*) FROM tool_call`); open > 2 {
		t.Errorf("%d rows of turns that are over are left", open)
	}
}
