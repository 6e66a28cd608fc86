package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// guests is what a form asks for.
type guests struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// inquirer is a conversation whose tools ask, or have helpers ask. note is called once for each
// answer that code has got.
func inquirer(code func(c *agent.Context) (string, error), note func(string)) []durable.Class {
	run := func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		said, err := code(c)
		if err != nil {
			said = "failed: " + err.Error()
		}
		_, stepped := flow.Step(c, "note", func(*durable.Tx) (any, error) { note(said); return nil, nil })
		return json.RawMessage(fmt.Sprintf("%q", said)), stepped
	}
	below := func(class string) func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
		return func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
			o, err := agent.StartAgent(c, agent.Agent{Name: class}, "otters", agent.Prompt("otters")).Outcome()
			if err != nil {
				return nil, err
			}
			return json.Marshal(string(o.Output) + o.Summary + o.Failure)
		}
	}
	agents := []agent.Agent{
		{Name: "Inquirer", Tools: []agent.Tool{
			{Name: "research", Run: run},
			{Name: "plan", Run: below("Surveyor")},
			{Name: "compare", Run: below("Between")},
			{Name: "background", Run: below("Polite")},
		}},
		{Name: "Surveyor", Helper: true, Program: run},
		{Name: "Between", Helper: true, Program: below("Surveyor")},
		{Name: "Polite", Helper: true, Tools: []agent.Tool{{Name: "web_search", Run: run}}},
	}
	var classes []durable.Class
	for _, a := range agents {
		classes = append(classes, chattest.Class(a))
	}
	return classes
}

// inquiry is a world in which code asks. Its process can die at one event, before the event's
// commands are performed or behind them.
type inquiry struct {
	*testing.T
	world  *durabletest.World
	engine *losing
	said   string
	notes  []string
	// loses says whether the commands of the event at which the process dies are lost.
	loses bool
}

func newInquiry(t *testing.T, code func(c *agent.Context) (string, error)) *inquiry {
	q := &inquiry{T: t}
	q.engine = &losing{Native: durabletest.NewNative(1, inquirer(code, func(s string) { q.notes = append(q.notes, s) })...), dies: -1}
	q.world = durabletest.NewWorld(q.engine, "Inquirer", "room")
	q.world.Hold(func(durabletest.HandledEvent) {})
	q.do("connect a", "connect b")
	return q
}

func (q *inquiry) do(lines ...string) string {
	q.Helper()
	for _, line := range lines {
		if err := q.world.Do(line); err != nil {
			q.Fatalf("%s: %v", line, err)
		}
	}
	out := strings.Join(q.world.Take(), "\n") + "\n"
	if strings.Contains(out, "trap") {
		q.Fatalf("trapped: %.3000s", out)
	}
	q.said += out
	return out
}

// rest lets the world go on until nothing more happens within an hour.
func (q *inquiry) rest() string {
	q.Helper()
	before := len(q.said)
	for range 3000 {
		lanes := q.world.Lanes()
		at, due := q.world.Due()
		switch {
		case q.engine.hit:
			q.engine.hit = false
			q.world.Crash()
			q.do("connect a")
		case len(lanes) > 0:
			q.world.Deliver(lanes[0])
		case due && at-q.world.Now() < time.Hour.Milliseconds():
			q.world.Tick()
		default:
			return q.said[before:]
		}
		q.do()
	}
	q.Fatal("it does not come to rest")
	return ""
}

// asked returns the ids of the questions that the root knows, in their order.
func (q *inquiry) asked() (ids []string) {
	for _, row := range sql(q.T, q.engine.Native, `SELECT id FROM question ORDER BY seq`) {
		ids = append(ids, row.Text(0))
	}
	return ids
}

// put answers the nth question with a line such as "approve a $Q".
func (q *inquiry) put(line string, n int) string {
	q.Helper()
	ids := q.asked()
	if n >= len(ids) {
		q.Fatalf("there are %d questions\n%s", len(ids), q.said)
	}
	out := q.do(strings.ReplaceAll(line, "$Q", ids[n]))
	return out + q.rest()
}

// waits checks that nothing is held but the alarm that ends the question in a week.
func (q *inquiry) waits() {
	q.Helper()
	at, _ := q.world.Due()
	if held := fmt.Sprint(q.world.Holding()); held != "[an alarm]" || at-q.world.Now() < 6*24*time.Hour.Milliseconds() {
		q.Fatalf("it holds %s for %d ms while it waits\n%s", held, at-q.world.Now(), q.said)
	}
}

func (q *inquiry) shown() string {
	q.Helper()
	return q.do("get /agents/inquirer/room/get-messages")
}

func describe[T any](a agent.Answer[T], err error) (string, error) {
	if err != nil {
		return "", err
	}
	if a.At.IsZero() {
		return "", errors.New("no time")
	}
	return fmt.Sprintf("%v denied=%v %s", a.Value, a.Denied, a.Reason), nil
}

func yesOrNo(c *agent.Context) (string, error) {
	return describe(agent.Ask[bool](c, agent.Question{Title: "Go on?"}))
}

func form(c *agent.Context) (string, error) {
	return describe(agent.Ask[guests](c, agent.Question{Title: "Who comes?", Default: guests{"Ada", 2}}))
}

func choice(c *agent.Context) (string, error) {
	return describe(agent.Ask[string](c, agent.Question{Text: "Tea or coffee?", Choices: []string{"tea", "coffee"}}))
}

// both asks two questions at once.
func both(c *agent.Context) (string, error) {
	a := flow.Go(c, "yes", func() (string, error) { return yesOrNo(c) })
	b := flow.Go(c, "form", func() (string, error) { return form(c) })
	all, err := flow.All(a, b)
	return strings.Join(all, " and "), err
}

// inTurn asks one question after the other.
func inTurn(c *agent.Context) (string, error) {
	a, err := yesOrNo(c)
	if err != nil {
		return "", err
	}
	b, err := choice(c)
	return a + " and " + b, err
}

const ada = `{"name":"Ada","count":3}`

// TestQuestion asks in every place where code runs, and lets the process die at each event, with the
// event's commands and without them. The code gets the answer once.
func TestQuestion(t *testing.T) {
	places := map[string]string{
		"a tool": "Research otters", "a program": "Plan otters", "a program two deep": "Compare otters and seals", "a helper's tool": "tool=background",
	}
	for _, test := range []struct {
		name    string
		code    func(c *agent.Context) (string, error)
		answers []string
		want    string
	}{
		{"yes", yesOrNo, []string{"0 approve $T $Q"}, "true denied=false "},
		{"no", yesOrNo, []string{"0 deny $T $Q"}, "false denied=true "},
		{"yes as a value", yesOrNo, []string{"0 result $T $Q true"}, "true denied=false "},
		{"a form", form, []string{"0 result $T $Q " + ada}, "{Ada 3} denied=false "},
		{"a choice", choice, []string{"0 result $T $Q \"tea\""}, "tea denied=false "},
		{"a form that is refused", form, []string{`0 frame $T {"type":"cf_agent_tool_result","toolCallId":"$Q","toolName":"ask","state":"output-error","errorText":"not today","autoContinue":false}`}, "{ 0} denied=true not today"},
		{"two at once, answered in reverse", both, []string{"1 result $T $Q " + ada, "0 approve $T $Q"}, "true denied=false  and {Ada 3} denied=false "},
		{"two in turn", inTurn, []string{"0 approve $T $Q", "1 result $T $Q \"coffee\""}, "true denied=false  and coffee denied=false "},
	} {
		for place, say := range places {
			for _, loses := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s, %s, loses %v", test.name, place, loses), func(t *testing.T) {
					for n := 0; asks(t, test.code, say, test.answers, test.want, n, loses); n++ {
					}
				})
			}
		}
	}
}

// asks lets the process die at the nth event, and says whether there was one.
func asks(t *testing.T, code func(c *agent.Context) (string, error), say string, answers []string, want string, n int, loses bool) bool {
	t.Helper()
	q := newInquiry(t, code)
	q.engine.dies, q.engine.keeps = n, !loses
	q.do("say a R1 u1: " + say)
	q.rest()
	for i, a := range answers {
		q.waits()
		which, line, _ := strings.Cut(a, " ")
		tab := fmt.Sprintf("t%d", i)
		q.do("connect " + tab)
		q.put(strings.ReplaceAll(line, "$T", tab), int(which[0]-'0'))
	}
	reached := q.engine.dies < 0
	q.engine.dies = -1
	shown := q.shown()
	if len(q.notes) != 1 || q.notes[0] != want {
		t.Fatalf("loss %d: the code got %q, want %q\n%s", n, q.notes, want, q.said)
	}
	if !strings.Contains(shown, "Here is what came back") {
		t.Errorf("loss %d: the turn did not come to its end\n%s", n, shown)
	}
	if len(q.asked()) != len(answers) {
		t.Errorf("loss %d: %d questions, want %d", n, len(q.asked()), len(answers))
	}
	if held := q.world.Holding(); len(held) > 0 {
		t.Errorf("loss %d: it holds %v", n, held)
	}
	for _, table := range []string{"ask", "await", "answer", "schedule"} {
		if rows := sql(t, q.engine.Native, `SELECT * FROM `+table); len(rows) > 0 {
			t.Errorf("loss %d: %s has %v", n, table, rows)
		}
	}
	return reached && !t.Failed()
}
