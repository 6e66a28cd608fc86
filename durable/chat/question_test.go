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
	"github.com/tributary-agents/tributary/internal/draw"
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
			o, err := agent.StartAgent(c, agent.Agent{Name: class}, "otters", agent.Prompt("otters"), agent.Timeout(time.Hour)).Outcome()
			if err != nil {
				return nil, err
			}
			return json.Marshal(string(o.Output) + o.Summary + o.Failure)
		}
	}
	agents := []agent.Agent{
		{Name: "Inquirer", Tools: []agent.Tool{
			{Name: "research", Run: run},
			{Name: "pay", Run: run, Approval: func(json.RawMessage) bool { return true }},
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

// waits checks that nothing is held but the alarm that ends the question, and that a run which waits
// names all open questions.
func (q *inquiry) waits() {
	q.Helper()
	at, _ := q.world.Due()
	if held := fmt.Sprint(q.world.Holding()); held != "[an alarm]" || at-q.world.Now() < 4*24*time.Hour.Milliseconds() {
		q.Fatalf("it holds %s for %d ms while it waits\n%s", held, at-q.world.Now(), q.said)
	}
	for _, r := range sql(q.T, q.engine.Native, `SELECT status, waits_for FROM run WHERE ended_at = 0`) {
		for _, open := range sql(q.T, q.engine.Native, `SELECT id FROM question WHERE over_at = 0`) {
			if r.Text(0) != "waiting" || !strings.Contains(r.Text(1), open.Text(0)) {
				q.Fatalf("the run is %s and waits for %s, and %s is open", r.Text(0), r.Text(1), open.Text(0))
			}
		}
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
		"a tool that was approved": "tool=pay",
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
					for n := range draw.Moments(t) {
						if !asks(t, test.code, say, test.answers, test.want, n, loses) {
							break
						}
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
	for _, row := range sql(t, q.engine.Native, `SELECT call FROM ask WHERE state = 'open'`) {
		q.do("connect p", "approve p "+row.Text(0))
		q.rest()
	}
	for i, a := range answers {
		q.waits()
		q.do("jump 48h")
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
	if strings.Count(shown, "Here is what came back") != 1 {
		t.Errorf("loss %d: the turn did not come to its end once\n%s", n, shown)
	}
	if strings.Contains(shown, "**ask**") {
		t.Errorf("loss %d: the model is told of the question: %s", n, shown)
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

// TestAnswerIsRefused checks answers that a question does not take. Its sender is told why and is
// sent the stored message, the question stays open, and nobody else hears of it.
func TestAnswerIsRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		code func(c *agent.Context) (string, error)
		line string
		want string
	}{
		{"a field of the wrong type", form, `result b $Q {"name":"Ada","count":"three"}`, "count"},
		{"a field that is missing", form, `result b $Q {"count":3}`, "name"},
		{"a field too many", form, `result b $Q {"name":"Ada","count":3,"age":36}`, "age"},
		{"yes to a form", form, "approve b $Q", "asks for a value"},
		{"no choice", choice, `result b $Q "water"`, "water"},
		{"a text for yes or no", yesOrNo, `result b $Q "yes"`, "boolean"},
		{"a value too large", choice, `result b $Q "` + strings.Repeat("x", 64<<10) + `"`, "the answer has 65538 bytes, at most 65536"},
		{
			"a reason too long", form,
			`frame b {"type":"cf_agent_tool_result","toolCallId":"$Q","state":"output-error","errorText":"` + strings.Repeat("x", 4097) + `"}`,
			"the reason has 4097 bytes, at most 4096",
		},
	} {
		for place, say := range map[string]string{"a tool": "Research otters", "a program two deep": "Compare otters and seals"} {
			t.Run(test.name+", "+place, func(t *testing.T) {
				q := newInquiry(t, test.code)
				q.do("say a R1 u1: " + say)
				q.rest()
				before := fmt.Sprint(sql(t, q.engine.Native, `SELECT * FROM question`), sql(t, q.engine.Native, `SELECT * FROM message`))
				out := q.put(test.line, 0)
				refusal := refusals(out)
				if len(refusal) != 1 || !strings.HasPrefix(refusal[0], "send b ") || !strings.Contains(refusal[0], test.want) || strings.Contains(refusal[0], `"over"`) {
					t.Errorf("the sender is told %q", refusal)
				}
				if say == "Research otters" && !strings.Contains(out, `send b {"type":"cf_agent_message_updated"`) || strings.Contains(out, "send a") {
					t.Errorf("the wrong tabs were sent something: %s", out)
				}
				if after := fmt.Sprint(sql(t, q.engine.Native, `SELECT * FROM question`), sql(t, q.engine.Native, `SELECT * FROM message`)); after != before {
					t.Errorf("the rows have changed:\n%s\n%s", before, after)
				}
				q.waits()
				q.put("deny b $Q", 0)
				if len(q.notes) != 1 {
					t.Errorf("the code got %q", q.notes)
				}
			})
		}
	}
}

// refusals returns the frames that refuse an answer.
func refusals(out string) (list []string) {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "tributary_error") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// TestSecondAnswerIsOver checks that the second answer to a question, and one to a question that
// never was, are over for their sender, and that the next question stays open.
func TestSecondAnswerIsOver(t *testing.T) {
	for place, say := range map[string]string{"a tool": "Research otters", "a program": "Plan otters", "a program two deep": "Compare otters and seals"} {
		t.Run(place, func(t *testing.T) {
			q := newInquiry(t, inTurn)
			q.do("say a R1 u1: " + say)
			q.rest()
			first := q.asked()[0]
			q.do("approve a "+first, "approve b "+first)
			q.rest()
			q.do("approve b " + first)
			out := q.rest()
			all := refusals(q.said)
			if len(all) != 2 {
				t.Errorf("told are %q, at the end %s", all, out)
			}
			for i, r := range all {
				if !strings.HasPrefix(r, "send b ") || !strings.Contains(r, `"over":true`) || i == 1 && !strings.Contains(r, `"at":17`) {
					t.Errorf("the sender is told %s", r)
				}
			}
			q.waits()
			if ids := q.asked(); len(ids) != 2 || len(q.notes) != 0 {
				t.Fatalf("the questions are %q, and the code got %q", ids, q.notes)
			}
			if late := refusals(q.do("approve b ask_unknown")); len(late) != 1 || !strings.Contains(late[0], `"over":true`) {
				t.Errorf("an answer to no question: %q", late)
			}
			q.put(`result b $Q "tea"`, 1)
			if want := "[true denied=false  and tea denied=false ]"; fmt.Sprint(q.notes) != want {
				t.Errorf("the code got %q, want %s", q.notes, want)
			}
		})
	}
}

// TestQuestionEnds checks the ends of questions that nobody answers: their parts end, and the code
// gets the error that says why.
func TestQuestionEnds(t *testing.T) {
	hour := func(c *agent.Context) (string, error) {
		return flow.Within(c, time.Hour, func() (string, error) { return yesOrNo(c) })
	}
	soon := func(c *agent.Context) (string, error) {
		return describe(agent.Ask[bool](c, agent.Question{Title: "Go on?", Expires: 2 * time.Hour}))
	}
	first := func(c *agent.Context) (string, error) {
		slow := flow.Go(c, "ask", func() (string, error) { return yesOrNo(c) })
		quick := flow.Go(c, "sleep", func() (string, error) { return "slept", flow.Sleep(c, 2*time.Minute) })
		return flow.First(slow, quick)
	}
	timedOut := func(code func(c *agent.Context) (string, error)) func(c *agent.Context) (string, error) {
		return func(c *agent.Context) (string, error) {
			said, err := code(c)
			if errors.Is(err, flow.ErrTimeout) {
				return "timeout", nil
			}
			return said, err
		}
	}
	for _, test := range []struct {
		name  string
		code  func(c *agent.Context) (string, error)
		after string
		want  string
		part  string
	}{
		{"it expires", timedOut(soon), "2h1m", "timeout", "nobody has answered in time"},
		{"the usual time", timedOut(yesOrNo), "169h", "timeout", "nobody has answered in time"},
		{"a time limit", timedOut(hour), "1h1m", "timeout", "the question was withdrawn"},
		{"a branch that is cancelled", first, "3m", "slept", "the question was withdrawn"},
	} {
		for place, say := range map[string]string{"a tool": "Research otters", "a program": "Plan otters", "a program two deep": "Compare otters and seals", "a helper's tool": "tool=background"} {
			for _, lost := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, lost %v", test.name, place, lost), func(t *testing.T) {
					q := newInquiry(t, test.code)
					q.do("say a R1 u1: " + say)
					for !strings.Contains(q.said, "tail/") && len(q.asked()) == 0 && (len(q.world.Lanes()) > 0 || q.dueSoon()) {
						q.one()
					}
					for len(q.asked()) == 0 || len(q.world.Lanes()) > 0 {
						q.one()
					}
					if lost {
						q.world.Crash()
						q.do("connect a")
					}
					d, _ := time.ParseDuration(test.after)
					for until := q.world.Now() + d.Milliseconds(); ; q.do() {
						if lanes := q.world.Lanes(); len(lanes) > 0 {
							q.world.Deliver(lanes[0])
						} else if at, due := q.world.Due(); due && at <= until {
							q.world.Tick()
						} else {
							break
						}
					}
					q.rest()
					if len(q.notes) != 1 || q.notes[0] != test.want {
						t.Errorf("the code got %q, want %q\n%s", q.notes, test.want, q.said)
					}
					if say != "Compare otters and seals" && !strings.Contains(q.said, test.part) {
						t.Errorf("the part does not say %q", test.part)
					}
					if shown := q.shown(); !strings.Contains(shown, "Here is what came back") || strings.Contains(shown, "approval-requested") {
						t.Errorf("the turn did not come to its end: %s", shown)
					}
					if held := q.world.Holding(); len(held) > 0 {
						t.Errorf("it holds %v", held)
					}
					if late := refusals(q.put("approve a $Q", 0)); len(late) != 1 || !strings.Contains(late[0], `"over":true`) {
						t.Errorf("a late answer: %q", late)
					}
				})
			}
		}
	}
}

func (q *inquiry) dueSoon() bool {
	at, due := q.world.Due()
	return due && at-q.world.Now() < time.Minute.Milliseconds()
}

// one handles the next event.
func (q *inquiry) one() {
	if lanes := q.world.Lanes(); len(lanes) > 0 {
		q.world.Deliver(lanes[0])
	} else {
		q.world.Tick()
	}
	q.do()
}

// TestQuestionIsWithdrawn checks what a stop, a clear and an edit make of an open question: nothing is
// left of it, and an answer is late.
func TestQuestionIsWithdrawn(t *testing.T) {
	busy := func(c *agent.Context) (string, error) {
		flow.Go(c, "sleep", func() (string, error) { return "", flow.Sleep(c, 2*time.Hour) })
		return both(c)
	}
	for _, test := range []struct {
		name, say string
		by        []string
	}{
		{"stop at the root while more is under way", "Research otters", []string{"cancel a R1"}},
		{"stop of a program", "Plan otters", []string{"cancel a R1"}},
		{"stop of a program two deep", "Compare otters and seals", []string{"cancel a R1"}},
		{"clear at the root", "Research otters", []string{"clear a"}},
		{"clear of a program", "Plan otters", []string{"clear a"}},
		{"clear of a program two deep", "Compare otters and seals", []string{"clear a"}},
		{"edit at the root", "Research otters", []string{"say a R2 u1: chunks=1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code := both
			if strings.Contains(test.name, "more is under way") {
				code = busy
			}
			q := newInquiry(t, code)
			q.do("say a R1 u1: " + test.say)
			q.rest()
			q.do(test.by...)
			q.rest()
			for _, table := range []string{"ask", "await", "answer", "schedule"} {
				if rows := sql(t, q.engine.Native, `SELECT * FROM `+table); len(rows) > 0 {
					t.Errorf("%s has %v", table, rows)
				}
			}
			if held := q.world.Holding(); len(held) > 0 {
				t.Errorf("it holds %v", held)
			}
			if shown := q.shown(); strings.Contains(shown, "approval-requested") || strings.Contains(shown, `"state":"input-available"`) {
				t.Errorf("a part is open: %s", shown)
			}
			q.do("connect c", "say c R9 u9: chunks=1")
			if out := q.rest(); !strings.Contains(out, `"id":"R9","body":"","done":true,"outcome":"completed"`) {
				t.Errorf("the next message is not answered: %s", out)
			}
			if len(q.notes) > 0 {
				t.Errorf("the code got %q", q.notes)
			}
		})
	}
}

// TestPersonChatsOnBesideAQuestion checks that a question stays open while its person goes on, and
// that the code goes on when it is answered, also during another answer.
func TestPersonChatsOnBesideAQuestion(t *testing.T) {
	for _, during := range []bool{false, true} {
		t.Run(fmt.Sprintf("during another answer %v", during), func(t *testing.T) {
			q := newInquiry(t, both)
			q.do("say a R1 u1: Research otters")
			q.rest()
			q.do("say a R2 u1: Research otters | $R1: x | u2: chunks=3 delay=100")
			if !during {
				q.rest()
			}
			ids := q.asked()
			q.do("result b "+ids[1]+" "+ada, "approve b "+ids[0])
			q.rest()
			shown := q.shown()
			if want := "[true denied=false  and {Ada 3} denied=false ]"; fmt.Sprint(q.notes) != want {
				t.Errorf("the code got %q, want %s", q.notes, want)
			}
			if strings.Count(shown, `"state":"output-available"`) != 3 || strings.Count(shown, `"role":"assistant"`) != 3 {
				t.Errorf("the conversation is %s", shown)
			}
			if held := q.world.Holding(); len(held) > 0 {
				t.Errorf("it holds %v", held)
			}
		})
	}
}

// TestAnswerSaysWho checks that the code and the sender of a late answer are told who has answered.
func TestAnswerSaysWho(t *testing.T) {
	for place, say := range map[string]string{"a tool": "Research otters", "a program": "Plan otters", "a program two deep": "Compare otters and seals"} {
		t.Run(place, func(t *testing.T) {
			q := newInquiry(t, func(c *agent.Context) (string, error) {
				a, err := agent.Ask[bool](c, agent.Question{Title: "Go on?"})
				return a.By, err
			})
			q.do("say a R1 u1: " + say)
			q.rest()
			q.engine.claims = `{"sub":"ann","scopes":[],"exp":1}`
			q.put("approve a $Q", 0)
			q.engine.claims = `{"sub":"bob","scopes":[],"exp":1}`
			if late := refusals(q.put("approve b $Q", 0)); len(late) != 1 || !strings.Contains(late[0], `"over":true,"by":"ann","at":17`) {
				t.Errorf("the late answer gets %q", late)
			}
			if fmt.Sprint(q.notes) != "[ann]" {
				t.Errorf("the code got %q", q.notes)
			}
		})
	}
}
