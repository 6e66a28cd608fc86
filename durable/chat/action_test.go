package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/internal/draw"
)

// obedient is a model that makes the tool calls which the last message asks for, a line a call, and
// then repeats what the tools have returned.
type obedient struct{}

type obeying struct{ deltas []model.Delta }

func (obedient) Name() string { return "obedient" }

func (obedient) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	var asked string
	var results []string
	for _, m := range r.Messages {
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				if m.Role == model.User {
					asked, results = c.Text, nil
				}
			case model.ToolResult:
				results = append(results, string(c.Output))
			}
		}
	}
	if len(results) > 0 {
		return obeying{[]model.Delta{model.TextDelta{Text: strings.Join(results, "\n")}, model.Finished{Reason: model.Stop}}}, nil
	}
	var deltas []model.Delta
	for line := range strings.SplitSeq(asked, ";") {
		name, input, _ := strings.Cut(strings.TrimSpace(line), " ")
		callID := "call_" + tx.NewID()
		deltas = append(deltas, model.ToolCallStarted{ID: callID, Name: name}, model.ToolCall{ID: callID, Name: name, Input: json.RawMessage(input)})
	}
	return obeying{append(deltas, model.Finished{Reason: model.ToolCalls})}, nil
}

func (o obeying) Take(*durable.Tx, durable.Event) ([]model.Delta, error) { return o.deltas, nil }
func (obeying) Cancel(*durable.Tx)                                       {}

type payment struct {
	To     string `json:"to"`
	Amount int    `json:"amount"`
}

type receipt struct {
	Receipt string `json:"receipt"`
}

// pay posts a payment to the bank.
func pay(c *agent.Context, in payment) (receipt, error) {
	body, _ := json.Marshal(in)
	r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/pay", Body: body})
	switch {
	case err != nil:
		return receipt{}, err
	case r.Status != 200:
		return receipt{}, fmt.Errorf("the bank says %d", r.Status)
	}
	return receipt{string(r.Body)}, nil
}

// paid asks the bank whether a payment was made.
func paid(c *agent.Context, _ payment, key string) (receipt, agent.Happened, error) {
	r, err := flow.Fetch(c, flow.Request{URL: "https://bank.test/paid?key=" + key})
	switch {
	case err != nil:
		return receipt{}, agent.Unclear, err
	case r.Status == 404:
		return receipt{}, agent.No, nil
	}
	return receipt{string(r.Body)}, agent.Yes, nil
}

// refund takes a payment back.
func refund(c *agent.Context, in payment, out receipt) error {
	r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/refund", Body: []byte(in.To + " " + out.Receipt)}, agent.Idempotent())
	if err == nil && r.Status != 200 {
		err = fmt.Errorf("the bank says %d", r.Status)
	}
	return err
}

// transfer is the tool of book.
var transfer = agent.NewTool("transfer", "Pays, and can ask.", pay).With(agent.Once(keyOf), agent.Settle(paid), agent.Undo(refund))

// book pays three, and fails.
func book(c *agent.Context, in payment) (string, error) {
	for _, to := range []string{"1", "2", "3"} {
		if _, err := agent.Act[receipt](c, transfer, payment{in.To + to, in.Amount}); err != nil {
			return "", errors.Join(err, agent.Compensate(c))
		}
	}
	return "", errors.Join(errors.New("no room is free"), agent.Compensate(c))
}

func keyOf(in payment) string { return "pay:" + in.To }

// payer has tools that pay: once, once with the bank's own word, and under a key that the bank knows.
func payer() agent.Agent {
	once := agent.Once(keyOf)
	return agent.Agent{
		Name: "Payer", Model: obedient{},
		Methods: map[string]agent.Method{"actions": agent.ListActions, "settle": agent.SettleAction, "undo": agent.UndoCall},
		Tools: []agent.Tool{
			agent.NewTool("pay", "Pays.", pay).With(once),
			agent.NewTool("transfer", "Pays, and can ask.", pay).With(once, agent.Settle(paid), agent.Undo(refund)),
			agent.NewTool("book", "Pays three, and then fails.", book),
			agent.NewTool("hasty", "Pays, and does not wait.", func(c *agent.Context, in payment) (receipt, error) {
				return flow.Within(c, time.Second, func() (receipt, error) { return pay(c, in) })
			}).With(once, agent.Settle(paid)),
			agent.NewTool("known", "Pays under a key.", func(c *agent.Context, in payment) (receipt, error) {
				r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/pay", Body: []byte(`{"to":"` + in.To + `"}`)}, agent.Idempotent())
				return receipt{string(r.Body)}, err
			}).With(once),
			agent.NewTool("empty", "Has an empty key.", pay).With(agent.Once(func(payment) string { return "" })),
			agent.NewTool("long", "Has a long key.", pay).With(agent.Once(func(payment) string { return strings.Repeat("k", 257) })),
			{Name: "raw", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`1`), nil }},
		},
	}
}

// bank is a world with a server that counts what it does.
type bank struct {
	t      *testing.T
	w      *durabletest.World
	engine *losing
	lines  []string
	// asked are the requests that were not answered yet. paid counts the effects, by their bodies.
	asked []asked
	paid  map[string]int
	// log are the effects in their order.
	log []string
	// keys are the keys that were sent.
	keys []string
	// silent has the bank do what it is asked, and not answer. refuses has it answer 503.
	silent, refuses bool
	calls           int
}

type asked struct {
	slot, name, method, url, header, body string
	// answered is how many events of its answer were delivered.
	answered int
}

func openBank(t *testing.T, agents ...agent.Agent) *bank {
	t.Helper()
	var classes []durable.Class
	for _, a := range agents {
		classes = append(classes, chattest.Class(a))
	}
	return openBankOf(t, classes...)
}

// openBankOf is [openBank] for classes, of which the first is the conversation's.
func openBankOf(t *testing.T, classes ...durable.Class) *bank {
	t.Helper()
	engine := &losing{Native: durabletest.NewNative(1, classes...), dies: -1}
	t.Cleanup(func() { _ = engine.Close() })
	b := &bank{t: t, engine: engine, w: durabletest.NewWorld(engine, classes[0].Name, "room"), paid: map[string]int{}}
	b.do("connect a")
	return b
}

func (b *bank) do(lines ...string) {
	b.t.Helper()
	for _, line := range lines {
		if err := b.w.Do(line); err != nil {
			b.t.Fatalf("%s: %v", line, err)
		}
		b.look()
	}
}

var fetchLine = regexp.MustCompile(`^(?:(\S+): )?fetch (await/\S+) (\S+) (\S+)(.*)$`)

var keyHeader = regexp.MustCompile(`^Idempotency-Key="[^"]*" ?`)

// look takes the requests that were sent. The bank does at once what it is asked.
func (b *bank) look() { b.see(b.w.Take()) }

func (b *bank) see(lines []string) {
	for _, line := range lines {
		b.lines = append(b.lines, line)
		m := fetchLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		a := asked{slot: m[1], name: m[2], method: m[3], url: m[4], body: strings.TrimSpace(m[5])}
		if header := keyHeader.FindString(a.body); header != "" {
			a.header, a.body = strings.TrimSpace(header), strings.TrimPrefix(a.body, header)
		}
		if a.method == "POST" && !b.refuses {
			b.paid[a.url+" "+a.body]++
			if a.header != "" {
				b.keys = append(b.keys, a.header)
			}
			b.log = append(b.log, strings.TrimPrefix(a.url, "https://bank.test/")+" "+a.body)
		}
		b.asked = append(b.asked, a)
	}
}

// step does the next thing that can happen, and says whether there was one.
func (b *bank) step() bool {
	b.t.Helper()
	i := slices.IndexFunc(b.asked, func(a asked) bool { return !b.silent || a.method != "POST" })
	if i >= 0 {
		b.answer(i)
		return true
	}
	if lanes := b.w.Lanes(); len(lanes) > 0 {
		b.do("arrive " + lanes[0])
		return true
	}
	if at, due := b.w.Due(); due && at < b.w.Now()+time.Hour.Milliseconds() { // later is the end of a question
		b.w.Tick()
		b.look()
		return true
	}
	return false
}

// answer delivers the next event of an answer.
func (b *bank) answer(i int) {
	a := &b.asked[i]
	status, body := 200, "r1"
	switch {
	case b.refuses:
		status, body = 503, "later"
	case a.method == "GET":
		status, body = 404, "no"
		for effect := range b.paid {
			if strings.Contains(effect, strings.TrimPrefix(a.url, "https://bank.test/paid?key=pay:")) {
				status, body = 200, "r1"
			}
		}
	}
	events := []durable.Event{
		durable.FetchResponded{Fetch: a.name, Status: status}, durable.FetchChunk{Fetch: a.name, Data: []byte(body)}, durable.FetchEnded{Fetch: a.name},
	}
	e, slot, name := events[a.answered], a.slot, a.name
	a.answered++
	if a.answered == len(events) {
		b.asked = slices.Delete(b.asked, i, i+1)
	}
	if !b.w.Fetched(slot, name, e) {
		b.asked = slices.DeleteFunc(b.asked, func(a asked) bool { return a.slot == slot && a.name == name })
	}
	b.look()
}

// finish has everything happen.
func (b *bank) finish() {
	b.t.Helper()
	for n := 0; b.step(); n++ {
		if n > 2000 {
			b.t.Fatalf("it does not come to an end:\n%s", strings.Join(b.lines[len(b.lines)-20:], "\n"))
		}
	}
}

// call calls a method, and decodes its result.
func (b *bank) call(method string, result any, args ...any) string {
	b.t.Helper()
	b.calls++
	id := "m" + strconv.Itoa(b.calls)
	if args == nil {
		args = []any{}
	}
	frame, err := json.Marshal(map[string]any{"type": "rpc", "id": id, "method": method, "args": args})
	if err != nil {
		b.t.Fatal(err)
	}
	b.do("close m", "connect m")
	from := len(b.lines)
	b.do("frame m " + string(frame))
	for _, line := range b.lines[from:] {
		_, text, found := strings.Cut(line, "send m ")
		var answer struct {
			ID     string
			Result json.RawMessage
			Error  string
		}
		if !found || json.Unmarshal([]byte(text), &answer) != nil || answer.ID != id {
			continue
		}
		if answer.Error == "" && result != nil {
			if err := json.Unmarshal(answer.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return answer.Error
	}
	b.t.Fatalf("%s is not answered:\n%s", method, strings.Join(b.lines[from:], "\n"))
	return ""
}

func (b *bank) actions(filter any) agent.ActionPage {
	b.t.Helper()
	var page agent.ActionPage
	if failure := b.call("actions", &page, filter); failure != "" {
		b.t.Fatal(failure)
	}
	return page
}

// states are the states of all actions, oldest first.
func (b *bank) states() (states []string) {
	b.t.Helper()
	for _, a := range slices.Backward(b.actions(struct{}{}).Actions) {
		states = append(states, a.Key+" "+string(a.State))
	}
	return states
}

// outputs are the ends of all tool calls of the conversation.
func (b *bank) outputs() (outputs []string) {
	b.t.Helper()
	b.do("get /agents/x/room/get-messages")
	_, list, _ := strings.Cut(b.lines[len(b.lines)-1], `application/json" `)
	var messages []struct {
		Parts []struct {
			ToolCallID, State, ErrorText string
			Output                       json.RawMessage
			ResultProviderMetadata       json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(list), &messages); err != nil {
		b.t.Fatalf("%v: %s", err, b.lines[len(b.lines)-1])
	}
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.ToolCallID != "" {
				outputs = append(outputs, strings.TrimSpace(string(p.Output)+p.ErrorText+" "+string(p.ResultProviderMetadata)))
			}
		}
	}
	return outputs
}

func (b *bank) effects() (n int) {
	for _, count := range b.paid {
		n += count
	}
	return n
}

func (b *bank) want(what string, got, want any) {
	b.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		b.t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

const replayed = ` {"tributary":{"replayed":true}}`

// TestKeyActsOnce has a key asked for several times at once, by two tools, and again in a later turn.
func TestKeyActsOnce(t *testing.T) {
	b := openBank(t, payer())
	b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"amount":1,"to":"A"}; transfer {"to":"A","amount":1}; pay {"to":"B","amount":1}`)
	b.finish()
	b.do(`say a R2 $R1 | u2: transfer {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 2)
	b.want("states", b.states(), []string{"pay:A done", "pay:B done"})
	b.want("outputs", b.outputs(), []string{`{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed, `{"receipt":"r1"}` + replayed, `{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed})
	if told := strings.Join(b.lines, "\n"); !strings.Contains(told, `{\\\"replayed\\\":true,\\\"receipt\\\":\\\"r1\\\"}`) {
		t.Error("the model was not told that nothing was done again")
	}
	if held := b.w.Holding(); held != nil {
		t.Errorf("the world holds %q", held)
	}
}

// TestKeyOfAnotherInput checks that nothing is done for a key that belongs to another input.
func TestKeyOfAnotherInput(t *testing.T) {
	b := openBank(t, payer())
	b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"to":"A","amount":2}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	digest := b.actions(struct{}{}).Actions[0].Digest
	got := b.outputs()[1]
	if !strings.Contains(got, `the key "pay:A" belongs to another input`) || !strings.Contains(got, digest[:8]) {
		t.Errorf("got %s", got)
	}
}

// TestKeysThatAreRefused checks the limits of keys and inputs.
func TestKeysThatAreRefused(t *testing.T) {
	b := openBank(t, payer())
	b.do(`say a R1 u1: empty {"to":"A","amount":1}; long {"to":"A","amount":1}; pay {"to":"A"}`)
	b.finish()
	b.want("effects", b.effects(), 0)
	for i, want := range []string{"the key of the action is empty", "has 257 bytes, at most 256", "does not fit its schema"} {
		if got := b.outputs()[i]; !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	b.want("states", b.states(), []string{})
}

// TestFailedCallFreesItsKey has the bank refuse, and accept the next call.
func TestFailedCallFreesItsKey(t *testing.T) {
	b := openBank(t, payer())
	b.refuses = true
	b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"to":"A","amount":1}`)
	b.finish()
	b.want("outputs", b.outputs(), []string{"the bank says 503", "the bank says 503"})
	b.refuses = false
	b.do(`say a R2 $R1 | u2: pay {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A failed", "pay:A failed", "pay:A done"})
}

// TestLostCallIsSettled loses the instance while the bank is silent.
func TestLostCallIsSettled(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: transfer {"to":"A","amount":1}; transfer {"to":"A","amount":1}`, "tick", "crash")
	b.asked, b.silent = nil, false
	b.finish()
	b.do("connect a")
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
	b.want("outputs", b.outputs(), []string{`{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed})
}

// TestPersonSaysWhetherItHappened loses the instance while the bank is silent, and asks a person. A
// second call waits for the answer, in a later turn.
func TestPersonSaysWhetherItHappened(t *testing.T) {
	for answer, want := range map[string]struct {
		effects int
		states  string
		outputs []string
	}{
		"happened": {1, "[pay:A done]", []string{`{"happened":true}`, `{"happened":true}` + replayed, `{"happened":true}` + replayed}},
		"did not":  {2, "[pay:A failed pay:A done]", []string{"it may or may not have happened; it was found out that it did not happen", `{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed}},
	} {
		b := openBank(t, payer())
		b.silent = true
		b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"to":"A","amount":1}`, "tick", "crash")
		b.asked, b.silent = nil, false
		b.finish()
		b.do("connect a", `say a R2 $R1 | u2: pay {"to":"A","amount":1}`)
		b.finish()
		b.do("crash", "connect a")
		b.finish()
		b.want("states", b.states(), []string{"pay:A unknown"})
		if failure := b.call("settle", nil, "1", true); !strings.Contains(failure, "waits for an answer") {
			t.Errorf("got %q", failure)
		}
		b.do(`result a ` + b.question() + ` "` + answer + `"`)
		b.finish()
		b.want("effects", b.effects(), want.effects)
		b.want("states", b.states(), want.states)
		var outputs []string
		for _, o := range b.outputs() {
			if !strings.HasPrefix(o, `"`) {
				outputs = append(outputs, o)
			}
		}
		if len(outputs) != 3 || !strings.Contains(outputs[0], want.outputs[0]) || outputs[1] != want.outputs[1] || outputs[2] != want.outputs[2] {
			t.Errorf("%s: got %q, want %q", answer, outputs, want.outputs)
		}
	}
}

// TestPersonDoesNotKnow denies the question. The action stays unknown until somebody settles it.
func TestPersonDoesNotKnow(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"to":"A","amount":1}`, "tick", "crash")
	b.asked, b.silent = nil, false
	b.finish()
	for range 2 { // the second call asks again
		b.do("connect a", `frame a {"type":"cf_agent_tool_result","toolCallId":"`+b.question()+`","toolName":"ask","state":"output-error","errorText":"no idea","autoContinue":true}`)
		b.finish()
	}
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A unknown"})
	if told := strings.Join(b.outputs(), "\n"); strings.Count(told, "it is not known whether this has happened") != 2 {
		t.Errorf("got %s", told)
	}
	b.want("settle", b.call("settle", nil, "1", true), "")
	b.want("settle again", b.call("settle", nil, "1", true) != "", true)
	b.do(`say a R3 $R1 | u3: pay {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
}

// TestCallThatHidesItsErrorIsSettled loses the instance while the bank is silent. The error of the tool
// does not say that its request was not answered.
func TestCallThatHidesItsErrorIsSettled(t *testing.T) {
	hidden := func(c *agent.Context, in payment) (receipt, error) {
		out, err := pay(c, in)
		if err != nil {
			return receipt{}, errors.New("no luck")
		}
		return out, nil
	}
	b := openBank(t, agent.Agent{Name: "Hider", Model: obedient{}, Methods: payer().Methods, Tools: []agent.Tool{
		agent.NewTool("pay", "Pays.", hidden).With(agent.Once(keyOf), agent.Settle(paid)),
	}})
	b.silent = true
	b.do(`say a R1 u1: pay {"to":"A","amount":1}; pay {"to":"A","amount":1}`, "tick", "crash")
	b.asked, b.silent = nil, false
	b.finish()
	b.do("connect a")
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
	b.want("outputs", b.outputs(), []string{`{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed})
}

// TestNobodyAnswersAndTheTurnCrashes has a hook trap in the turn that goes on because nobody has said
// whether a payment has happened. The turn fails, and the payment stays unknown and in nobody's hands.
func TestNobodyAnswersAndTheTurnCrashes(t *testing.T) {
	crashes := false
	a := payer()
	a.Hooks.BeforeStep = func(*agent.Conversation, *agent.StepRequest) error {
		if crashes {
			panic("broken on purpose")
		}
		return nil
	}
	b := openBank(t, a)
	b.silent = true
	b.do(`say a R1 u1: pay {"to":"A","amount":1}`, "tick", "crash")
	b.asked, b.silent = nil, false
	b.finish()
	crashes = true
	at, _ := b.w.Due() // the end of the question
	b.w.Advance(at)
	b.finish()
	crashes = false
	b.do("connect a")
	b.finish()
	b.want("states", b.states(), []string{"pay:A unknown"})
	b.want("settle", b.call("settle", nil, "1", true), "")
	b.want("effects", b.effects(), 1)
}

// question is the id of the open question.
func (b *bank) question() string {
	b.t.Helper()
	b.do("get /agents/x/room/get-messages")
	open := regexp.MustCompile(`"type":"tool-ask","toolCallId":"([^"]+)"(?:,"toolName":"ask")?,"state":"input-available"`).FindStringSubmatch(b.lines[len(b.lines)-1])
	if open == nil {
		b.t.Fatalf("no question is open: %s", b.lines[len(b.lines)-1])
	}
	return open[1]
}

// TestCallOverItsTimeIsUnknown has a bank that does what it is asked after the time is over.
func TestCallOverItsTimeIsUnknown(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: hasty {"to":"A","amount":1}; hasty {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
	b.want("outputs", b.outputs(), []string{`{"receipt":"r1"}`, `{"receipt":"r1"}` + replayed})
}

// TestStoppedCallIsUnknown stops the turn while the bank is silent.
func TestStoppedCallIsUnknown(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: transfer {"to":"A","amount":1}; transfer {"to":"A","amount":1}`, "tick", "cancel a R1")
	b.want("states", b.states(), []string{"pay:A unknown"})
	b.silent = false
	b.asked = nil
	b.do(`say a R2 $R1 | u2: transfer {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
}

// TestKillsBetweenAllEvents kills the process at each moment of a call: before an event's commands,
// or between two events.
func TestKillsBetweenAllEvents(t *testing.T) {
	for _, tool := range []string{"pay", "transfer", "known"} {
		for _, before := range []bool{false, true} {
			moments := 0
			for at := 0; ; at++ {
				b := openBank(t, payer())
				if before {
					b.engine.dies = at
				}
				b.do(`say a R1 u1: ` + tool + ` {"to":"A","amount":1}; ` + tool + ` {"to":"A","amount":1}`)
				killed := false
				for n := 0; ; n++ {
					if before && b.engine.hit || !before && n == at {
						killed, b.engine.hit = true, false
						b.do("crash")
						b.asked = nil
						b.do("connect a")
					}
					if !b.step() {
						break
					}
				}
				if !killed {
					break
				}
				moments++
				got := fmt.Sprint(b.states())
				switch {
				case tool == "known": // the bank recognises the key
				case b.effects() > 1:
					t.Fatalf("%s, %d: %d effects", tool, at, b.effects())
				}
				switch {
				case tool == "pay" && got != "[pay:A done]" && got != "[pay:A unknown]",
					tool == "transfer" && got != "[pay:A done]" && got != "[pay:A failed pay:A done]" && got != "[pay:A failed]",
					tool == "known" && got != "[pay:A done]":
					t.Fatalf("%s, %d, before %v: %s, effects %d, outputs %q", tool, at, before, got, b.effects(), b.outputs())
				}
			}
			if want := map[bool]int{true: 2, false: 4}[before]; moments < want {
				t.Errorf("%s, before %v: %d moments, want %d or more", tool, before, moments, want)
			}
		}
	}
}

// TestUndo undoes what is done, from a page, and pays again.
func TestUndo(t *testing.T) {
	b := openBank(t, payer())
	b.do(`say a R1 u1: transfer {"to":"A","amount":1}`)
	b.finish()
	for _, id := range []string{"2", "x", "-1"} {
		if failure := b.call("undo", nil, id); failure == "" {
			t.Errorf("%s was undone", id)
		}
	}
	b.want("undo", b.call("undo", nil, "1"), "")
	b.finish()
	b.want("states", b.states(), []string{"pay:A undone"})
	if failure := b.call("undo", nil, "1"); !strings.Contains(failure, "the action 1 is undone") {
		t.Errorf("got %q", failure)
	}
	b.do("get /agents/x/room/get-messages")
	if said := b.lines[len(b.lines)-1]; !strings.Contains(said, "Undone: pay:A.") {
		t.Errorf("got %s", said)
	}
	b.do(`say a R2 $R1 | u2: transfer {"to":"A","amount":1}`)
	b.finish()
	b.want("states", b.states(), []string{"pay:A undone", "pay:A done"})
	b.want("undo", b.call("undo", nil, "2"), "")
	b.finish()
	b.want("effects", b.log, []string{`pay {"to":"A","amount":1}`, `refund A r1`, `pay {"to":"A","amount":1}`, `refund A r1`})
	b.want("keys", b.keys, []string{`Idempotency-Key="undo:pay:A"`, `Idempotency-Key="undo:pay:A:2"`})
}

// TestUndoThatFails has the bank refuse a refund, which is tried five times.
func TestUndoThatFails(t *testing.T) {
	b := openBank(t, payer())
	b.do(`say a R1 u1: transfer {"to":"A","amount":1}`)
	b.finish()
	b.refuses = true
	b.want("undo", b.call("undo", nil, "1"), "")
	from := len(b.lines)
	b.finish()
	if n := strings.Count(strings.Join(b.lines[from:], "\n"), "POST https://bank.test/refund"); n != 4 {
		t.Errorf("%d attempts behind the first, want 4", n)
	}
	a := b.actions(struct{}{}).Actions[0]
	b.want("action", string(a.State)+" "+a.Failure, "done undo pay:A: attempt 5 of 5: the bank says 503")
	b.refuses = false
	b.want("undo", b.call("undo", nil, "1"), "")
	b.finish()
	b.want("states", b.states(), []string{"pay:A undone"})
}

// TestCompensationSurvivesKills has three payments undone in their reverse order, with a kill at each
// moment.
func TestCompensationSurvivesKills(t *testing.T) {
	for at := range draw.Moments(t) {
		b := openBank(t, payer())
		b.do(`say a R1 u1: book {"to":"A","amount":1}`)
		killed, seen := false, map[string]bool{}
		for n := 0; ; n++ {
			if n == at {
				killed = true
				b.do("crash")
				b.asked = nil
				b.do("connect a")
			}
			if !b.step() {
				break
			}
		}
		if !killed {
			if at < 20 {
				t.Errorf("only %d moments", at)
			}
			break
		}
		var refunds []string
		for effect, n := range b.paid {
			if strings.Contains(effect, "/pay") && n > 1 {
				t.Fatalf("%d: %s %d times", at, effect, n)
			}
		}
		for _, effect := range b.log {
			if strings.HasPrefix(effect, "refund") && !seen[effect] {
				seen[effect] = true
				refunds = append(refunds, effect)
			}
		}
		if want := "[refund A3 r1 refund A2 r1 refund A1 r1]"; fmt.Sprint(refunds) != want && len(b.log) >= 6 {
			t.Fatalf("%d: %v", at, b.log)
		}
		for _, state := range b.states() {
			if !strings.HasSuffix(state, " undone") && !strings.HasSuffix(state, " failed") {
				t.Fatalf("%d: %q", at, b.states())
			}
		}
	}
}

// TestListOfActions reads the ledger page by page, and by a filter.
func TestListOfActions(t *testing.T) {
	b := openBank(t, payer())
	for i := range 5 {
		b.do(fmt.Sprintf(`say a R%d u%d: transfer {"to":"A%d","amount":1}`, i, i, i))
		b.finish()
	}
	var keys []string
	for cursor := ""; ; {
		page := b.actions(map[string]any{"limit": 2, "cursor": cursor})
		for _, a := range page.Actions {
			keys = append(keys, a.Key)
		}
		if cursor = page.Cursor; cursor == "" {
			break
		}
	}
	b.want("keys", keys, []string{"pay:A4", "pay:A3", "pay:A2", "pay:A1", "pay:A0"})
	b.want("one", len(b.actions(map[string]any{"key": "pay:A2"}).Actions), 1)
	b.want("none", len(b.actions(map[string]any{"states": []string{"failed", "undone"}}).Actions), 0)
	b.want("all states", len(b.actions(map[string]any{"states": []string{"begun", "done", "failed", "unknown", "undone"}}).Actions), 5)
	if failure := b.call("actions", nil, map[string]any{"cursor": "x"}); failure == "" {
		t.Error("a cursor that is none is accepted")
	}
	for want, states := range map[string][]string{
		"the filter names 33000 states, and there are 5":                                          slices.Repeat([]string{"done"}, 33_000),
		`"over" is no state of an action: there are ["begun" "done" "failed" "unknown" "undone"]`: {"done", "over"},
	} {
		b.want("failure", b.call("actions", nil, map[string]any{"states": states}), want)
	}
}

// TestKeyAtOnce asks for a key a hundred times at once, by two tools, with all memory lost on the way.
func TestKeyAtOnce(t *testing.T) {
	b := openBank(t, payer())
	var calls []string
	for i := range 100 {
		calls = append(calls, []string{"known", "transfer"}[i%2]+` {"to":"A","amount":1}`)
	}
	b.do(`say a R1 u1: `+strings.Join(calls, "; "), "tick", "evict")
	b.asked = nil // what was sent has no answer
	b.do("connect b")
	b.finish()
	keys := map[string]bool{}
	for _, key := range b.keys {
		keys[key] = true
	}
	b.want("keys", keys, map[string]bool{`Idempotency-Key="pay:A"`: true})
	b.want("states", b.states(), []string{"pay:A done"})
	outputs := b.outputs()
	for _, output := range outputs {
		if strings.TrimSuffix(output, replayed) != `{"receipt":"r1"}` {
			t.Fatalf("got %s", output)
		}
	}
	b.want("outputs", len(outputs), 100)
}

// TestOwnerWhoseMessageIsGone has the answer generated again whose call asks a person. The call of the
// new answer asks in its place.
func TestOwnerWhoseMessageIsGone(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: pay {"to":"A","amount":1}`, "tick", "crash")
	b.asked, b.silent = nil, false
	b.finish()
	first := b.question()
	b.do("connect a", `regenerate a R2 u1: pay {"to":"A","amount":1}`)
	b.finish()
	if again := b.question(); again == first {
		t.Fatalf("%s is still open", first)
	}
	b.do(`result a ` + b.question() + ` "happened"`)
	b.finish()
	b.want("states", b.states(), []string{"pay:A done"})
	b.want("effects", b.effects(), 1)
}

// TestClearedConversationKeepsItsLedger clears the conversation while the bank is silent.
func TestClearedConversationKeepsItsLedger(t *testing.T) {
	b := openBank(t, payer())
	b.silent = true
	b.do(`say a R1 u1: transfer {"to":"A","amount":1}`, "tick", "clear a")
	b.want("states", b.states(), []string{"pay:A unknown"})
	b.asked, b.silent = nil, false
	b.do(`say a R2 u2: transfer {"to":"A","amount":1}`)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("outputs", b.outputs(), []string{`{"receipt":"r1"}` + replayed})
}

// workflow pays three, fails, and undoes what it has done.
var workflow = agent.Agent{
	Name: "Workflow", Helper: true, Tools: []agent.Tool{transfer},
	Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) { return book(c, in) }),
}

// TestWorkflowCompensates has a workflow fail in a helper that loses its memory after each event.
func TestWorkflowCompensates(t *testing.T) {
	starter := agent.Agent{
		Name: "Starter", Model: obedient{}, Tools: []agent.Tool{agent.AgentTool[payment](workflow, "book", "Books.")},
	}
	b := openBank(t, starter, workflow)
	b.do(`say a R1 u1: book {"to":"A","amount":1}`)
	for n := 0; b.step(); n++ {
		if n > 500 {
			t.Fatal("it does not come to an end")
		}
		if len(b.asked) == 0 { // an answer that is under way would be lost
			for _, slot := range b.w.Slots() {
				b.w.Evict(slot)
			}
			b.look()
		}
	}
	b.want("effects", b.log, []string{
		`pay {"to":"A1","amount":1}`, `pay {"to":"A2","amount":1}`, `pay {"to":"A3","amount":1}`, `refund A3 r1`, `refund A2 r1`, `refund A1 r1`,
	})
	if out := b.outputs(); len(out) != 1 || !strings.Contains(out[0], "no room is free") {
		t.Errorf("got %q", out)
	}
}

// across is a tool whose keys the root keeps, and its agents: the root, a helper, and one below that.
func across() []agent.Agent {
	tool := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Settle(paid), agent.Undo(refund)).Across()
	deep := agent.Agent{Name: "Deep", Helper: true, Model: obedient{}, Tools: []agent.Tool{tool}}
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, Tools: []agent.Tool{tool, delegate("delegate", deep)}}
	return []agent.Agent{
		{
			Name: "Boss", Model: obedient{}, Tools: []agent.Tool{tool, delegate("delegate", clerk)},
			Methods: map[string]agent.Method{"actions": agent.ListActions, "undo": agent.UndoCall, "runs": agent.ListRuns, "delete": agent.DeleteRun},
		},
		clerk, deep,
	}
}

// delegate is a tool that hands a text to a helper.
func delegate(name string, helper agent.Agent) agent.Tool {
	return agent.NewTool(name, "Delegates.", func(c *agent.Context, in struct {
		Say string `json:"say"`
	},
	) (agent.Result, error) {
		return agent.RunAgent(c, helper, in, agent.Prompt(in.Say)), nil
	})
}

// everybody asks for one key: the root, a helper twice, and a helper of the helper.
const everybody = `say a R1 u1: pay {"to":"A","amount":1}; delegate {"say":"pay {\"to\":\"A\",\"amount\":1}"}; delegate {"say":"delegate {\"say\":\"pay {\\\"to\\\":\\\"A\\\",\\\"amount\\\":1}\"}"}`

// TestKeyAcross has a root and helpers at two depths ask for one key at once.
func TestKeyAcross(t *testing.T) {
	b := openBank(t, across()...)
	b.do(everybody)
	b.finish()
	b.want("effects", b.effects(), 1)
	b.want("states", b.states(), []string{"pay:A done"})
	for _, out := range b.outputs() {
		if !strings.Contains(out, "r1") {
			t.Errorf("got %s", out)
		}
	}
	b.do(`say a R2 $R1 | u2: delegate {"say":"pay {\"to\":\"A\",\"amount\":2}"}; delegate {"say":"pay {\"to\":\"B\",\"amount\":2}"}`)
	b.finish()
	b.want("effects", b.effects(), 2)
	b.want("states", b.states(), []string{"pay:A done", "pay:B done"})
	if out := b.outputs(); !strings.Contains(out[len(out)-2], "belongs to another input") {
		t.Errorf("got %q", out)
	}
	b.want("undo", b.call("undo", nil, "2"), "")
	b.finish()
	b.want("states", b.states(), []string{"pay:A done", "pay:B undone"})
}

// TestKeyOfAWipedHelper has a person work in a helper whose run is over. The helper is deleted while
// the bank is silent: nobody knows whether it was paid, and the key is nobody's.
func TestKeyOfAWipedHelper(t *testing.T) {
	b := openBank(t, across()...)
	b.do(`say a R1 u1: delegate {"say":"hello"}`)
	b.finish()
	var runs []agent.RunInfo
	if failure := b.call("runs", &runs); failure != "" || len(runs) != 1 {
		t.Fatalf("got %q, %d runs", failure, len(runs))
	}
	b.silent = true
	b.do("drill d clerk "+runs[0].ID, `say d R2 u2: pay {"to":"A","amount":1}`)
	for b.effects() == 0 && b.step() {
	}
	b.want("states", b.states(), []string{"pay:A begun"})
	b.want("delete", b.call("delete", nil, runs[0].ID), "")
	b.want("states", b.states(), []string{"pay:A unknown"})
	b.want("effects", b.effects(), 1)
}

// TestKeyAcrossSurvivesKills kills the process, or throws all memory away, at each moment of that.
func TestKeyAcrossSurvivesKills(t *testing.T) {
	for _, loss := range []string{"crash", "evict"} {
		for at := range draw.Moments(t) {
			b := openBank(t, across()...)
			b.do(everybody, "hold")
			lost := false
			for n := 0; ; n++ {
				if n == at {
					lost = true
					b.asked = nil
					if loss == "crash" {
						b.do("crash", "connect a")
					} else {
						for _, slot := range b.w.Slots() {
							b.w.Evict(slot)
						}
						b.do("connect c")
					}
				}
				if !b.step() {
					break
				}
				if n > 3000 {
					t.Fatalf("%s %d: it does not come to an end", loss, at)
				}
			}
			if !lost {
				if at < 20 {
					t.Errorf("%s: only %d moments", loss, at)
				}
				break
			}
			if got := fmt.Sprint(b.states()); b.effects() > 1 || got != "[pay:A done]" && got != "[pay:A failed pay:A done]" {
				t.Fatalf("%s %d: %s, %d effects, %q", loss, at, got, b.effects(), b.outputs())
			}
		}
	}
}

// asking is a tool whose code asks a person while it has its key, which the root keeps, and its agents.
func asking() []agent.Agent {
	tool := agent.NewTool("slow", "Asks, and then pays.", func(c *agent.Context, in payment) (receipt, error) {
		a, err := agent.Ask[string](c, agent.Question{Title: "Pay " + in.To + "?"})
		return receipt{a.Value}, err
	}).With(agent.Once(keyOf)).Across()
	late := agent.NewTool("late", "Does so later.", func(c *agent.Context, in payment) (receipt, error) {
		if err := flow.Sleep(c, time.Second*30); err != nil {
			return receipt{}, err
		}
		return agent.Act[receipt](c, tool, in)
	})
	deep := agent.Agent{Name: "Deep", Helper: true, Model: obedient{}, Tools: []agent.Tool{tool}}
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, Tools: []agent.Tool{tool, delegate("delegate", deep)}}
	return []agent.Agent{
		{
			Name: "Boss", Model: obedient{}, Tools: []agent.Tool{tool, late, delegate("delegate", clerk)},
			Methods: map[string]agent.Method{"actions": agent.ListActions, "pending": agent.PendingApprovals},
		},
		clerk, deep,
	}
}

// TestWaitForAKeyHoldsNothing has helpers wait for a key of the root, while the call that has it waits
// for a person. Nothing is held meanwhile. All memory is lost at each moment.
func TestWaitForAKeyHoldsNothing(t *testing.T) {
	const (
		own     = `{"to":"A","amount":1}`
		helper  = `delegate {"say":"slow {\"to\":\"A\",\"amount\":1}"}`
		helper2 = `delegate {"say":"delegate {\"say\":\"slow {\\\"to\\\":\\\"A\\\",\\\"amount\\\":1}\"}"}`
	)
	for name, words := range map[string]string{
		"the root has it":          "slow " + own + "; " + helper + "; " + helper2,
		"a helper has it":          helper + "; " + helper + "; late " + own,
		"a helper below it has it": helper2 + "; late " + own,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			play := func(at int) (moments int) {
				b, n := openBank(t, asking()...), 0
				finish := func() {
					for {
						if n == at {
							for _, slot := range b.w.Slots() {
								b.w.Evict(slot)
							}
							b.do("connect c")
						}
						if n++; n > 3000 {
							t.Fatalf("%d: it does not come to an end", at)
						}
						if !b.step() {
							return
						}
					}
				}
				b.do("say a R1 u1: "+words, "hold")
				finish()
				b.want("states", b.states(), []string{"pay:A begun"})
				for _, held := range b.w.Holding() {
					if held != "an alarm" {
						t.Errorf("%d: the wait holds %s", at, held)
					}
				}
				var open []struct{ ID string }
				if err := b.call("pending", &open); err != "" || len(open) != 1 {
					t.Fatalf("%d: %d questions are open, %s", at, len(open), err)
				}
				b.do(`result a ` + open[0].ID + ` "yes"`)
				finish()
				b.want("states", b.states(), []string{"pay:A done"})
				outputs := slices.DeleteFunc(b.outputs(), func(out string) bool { return !strings.Contains(out, `receipt`) || !strings.Contains(out, "yes") })
				if b.want("answers", len(outputs), strings.Count(words, ";")+1); t.Failed() {
					t.Fatalf("with a loss after %d: %q", at, b.outputs())
				}
				return n
			}
			moments := play(-1)
			for at := range draw.Moments(t) {
				if at > moments {
					break
				}
				play(at)
			}
		})
	}
}

// TestKeepOnceHoldsForHelpers has a helper do something under a key, and something else after the time
// that the root remembers keys. The helper remembers its own for longer.
func TestKeepOnceHoldsForHelpers(t *testing.T) {
	agents := across()
	agents[0].KeepOnce, agents[1].KeepOnce = 2*time.Hour, 1000*time.Hour
	b := openBank(t, agents...)
	for i, step := range []struct {
		wait, to string
		states   []string
	}{
		{"0s", "A", []string{"pay:A done"}},
		{"1h", "B", []string{"pay:A done", "pay:B done"}},
		{"90m", "C", []string{"pay:B done", "pay:C done"}},
	} {
		b.do("jump "+step.wait, fmt.Sprintf(`say a R%d u%d: delegate {"say":"pay {\"to\":\"%s\",\"amount\":1}"}`, i, i, step.to))
		b.finish()
		b.want("states after "+step.wait, b.states(), step.states)
	}
}

// stayed is a workflow that pays three under keys of the root, and then stays for weeks.
var stayed = agent.Agent{
	Name: "Stayed", Helper: true, Tools: []agent.Tool{transferAcross},
	Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
		for _, to := range []string{"1", "2", "3"} {
			if _, err := agent.Act[receipt](c, transferAcross, payment{in.To + to, in.Amount}); err != nil {
				return "", err
			}
		}
		return "", flow.Sleep(c, 1000*time.Hour)
	}),
}

var transferAcross = transfer.Across()

// TestStoppedWorkflowIsUndone cancels a workflow, and has its root undo what it has done. All memory is
// lost at each moment from then on, or also the answers that are under way.
func TestStoppedWorkflowIsUndone(t *testing.T) {
	host := agent.Agent{
		Name: "Host", Model: obedient{}, Tools: []agent.Tool{transferAcross},
		Handlers: map[string]agent.RunHook{"over": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		AfterRun: func(c *agent.Conversation, r agent.RunInfo) error {
			if r.Status == run.Aborted {
				return c.UndoRun(r.ID)
			}
			return nil
		},
		Methods: map[string]agent.Method{
			"actions": agent.ListActions, "cancel": agent.CancelRun,
			"begin": func(call *agent.Call) (any, error) {
				return agent.StartDetached(&call.Conversation, stayed, "over", payment{"A", 1}, agent.RunID("w"))
			},
		},
	}
	for _, answers := range []bool{false, true} {
		for at, lost := 0, true; lost; at++ {
			b := openBank(t, host, stayed)
			lost = false
			b.want("begin", b.call("begin", nil), "")
			b.finish()
			b.want("cancel", b.call("cancel", nil, "w", "enough"), "")
			for n := 0; n == 0 || b.step(); n++ {
				if n == at && (answers || len(b.asked) == 0) {
					lost = true
					if b.asked = nil; answers {
						b.do("crash", "connect a")
					}
					for _, slot := range b.w.Slots() {
						b.w.Evict(slot)
					}
					b.do("connect c")
				} else if n == at {
					lost, at = true, at+1 // an answer that is under way would be lost
				}
			}
			effects := b.log
			if answers { // a request whose answer was lost is made again, under its key
				effects = slices.Compact(effects)
			}
			b.want("effects", effects, []string{
				`pay {"to":"A1","amount":1}`, `pay {"to":"A2","amount":1}`, `pay {"to":"A3","amount":1}`, `refund A3 r1`, `refund A2 r1`, `refund A1 r1`,
			})
			b.want("keys", slices.Compact(b.keys), []string{`Idempotency-Key="undo:pay:A3"`, `Idempotency-Key="undo:pay:A2"`, `Idempotency-Key="undo:pay:A1"`})
			b.want("states", b.states(), []string{"pay:A1 undone", "pay:A2 undone", "pay:A3 undone"})
			if held := b.w.Holding(); len(held) > 0 {
				t.Errorf("in the end there is %v", held)
			}
			if t.Failed() {
				t.Fatalf("with a loss after %d, of answers too: %v", at, answers)
			}
		}
	}
}

// TestUndoInDoubtIsNotRepeated loses the instance behind a refund without a key, and has the time of
// another one end. Some errors do not say what was behind them.
func TestUndoInDoubtIsNotRepeated(t *testing.T) {
	plain := func(c *agent.Context, in payment, _ receipt) error {
		_, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/refund", Body: []byte(in.To)})
		return err
	}
	brief := func(c *agent.Context, in payment, out receipt) error {
		_, err := flow.Within(c, time.Minute, func() (any, error) { return nil, plain(c, in, out) })
		return err
	}
	hidden := func(undo func(*agent.Context, payment, receipt) error) func(*agent.Context, payment, receipt) error {
		return func(c *agent.Context, in payment, out receipt) error {
			if err := undo(c, in, out); err != nil {
				return fmt.Errorf("refund: %s", err)
			}
			return nil
		}
	}
	tools := []agent.Tool{
		agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(plain)),
		agent.NewTool("brief", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(brief)),
		agent.NewTool("payHidden", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(hidden(plain))),
		agent.NewTool("briefHidden", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(hidden(brief))),
	}
	for _, tool := range []string{"pay", "brief", "payHidden", "briefHidden"} {
		b := openBank(t, agent.Agent{Name: "Undoer", Model: obedient{}, Tools: tools, Methods: map[string]agent.Method{"actions": agent.ListActions, "undo": agent.UndoCall}})
		b.do(`say a R1 u1: ` + tool + ` {"to":"A","amount":1}`)
		b.finish()
		b.silent = true
		b.want("undo", b.call("undo", nil, "1"), "")
		if strings.HasPrefix(tool, "pay") {
			b.do("crash", "connect a")
			b.asked = nil
		}
		b.finish()
		b.want("effects", b.log, []string{`pay {"to":"A","amount":1}`, "refund A"})
		a := b.actions(struct{}{}).Actions[0]
		if a.State != agent.ActionDone || !strings.Contains(a.Failure, "attempt 1 of 5") {
			t.Errorf("%s: got %s, %q", tool, a.State, a.Failure)
		}
	}
}

// TestRestartedRunAsksForItsKeyAgain restarts runs from a step within an action, and from a step that
// began while another branch worked on one.
func TestRestartedRunAsksForItsKeyAgain(t *testing.T) {
	broken := false
	tool := agent.NewTool("pay", "Pays.", func(c *agent.Context, in payment) (receipt, error) {
		return flow.Do(c, "charge", func(a *flow.Attempt) (receipt, error) {
			r, err := flow.Fetch(a, flow.Request{Method: "POST", URL: "https://bank.test/pay", Body: []byte(in.To)})
			return receipt{string(r.Body)}, err
		}, flow.Retry{Attempts: 1})
	}).With(agent.Once(keyOf)).Across()
	ship := func(c *agent.Context) error {
		_, err := flow.Do(c, "ship", func(a *flow.Attempt) (any, error) {
			if err := flow.Sleep(a, time.Second); err != nil || !broken {
				return nil, err
			}
			return nil, flow.Permanent(errors.New("no ship is free"))
		})
		return err
	}
	for from, program := range map[string]func(c *agent.Context, in payment) (string, error){
		"charge": func(c *agent.Context, in payment) (string, error) {
			r, err := agent.Act[receipt](c, tool, in)
			if err == nil {
				err = ship(c)
			}
			return r.Receipt, err
		},
		"ship": func(c *agent.Context, in payment) (string, error) {
			paying := flow.Go(c, "pay", func() (receipt, error) { return agent.Act[receipt](c, tool, in) })
			if err := flow.Sleep(c, 10*time.Millisecond); err != nil {
				return "", err
			}
			shipped := ship(c)
			r, err := paying.Wait()
			return r.Receipt, errors.Join(shipped, err)
		},
	} {
		workflow := agent.Agent{Name: "Workflow", Helper: true, Tools: []agent.Tool{tool}, Program: agent.NewProgram(program)}
		root := agent.Agent{
			Name: "Starter", Model: obedient{}, Tools: []agent.Tool{tool, agent.AgentTool[payment](workflow, "book", "Books.")},
			Methods: map[string]agent.Method{"restart": agent.RestartRun, "actions": agent.ListActions, "runs": agent.ListRuns},
		}
		b := openBank(t, root, workflow)
		broken, b.silent = true, from == "ship" // the bank answers when ship has begun
		b.do(`say a R1 u1: book {"to":"A","amount":1}`)
		for until := b.w.Now() + 3000; b.silent && b.w.Now() < until && b.step(); {
		}
		b.silent = false
		b.finish()
		var all []agent.RunInfo
		runs := func() (list []string) {
			all = nil
			b.want("runs", b.call("runs", &all), "")
			for _, r := range all {
				list = append(list, string(r.Status)+" "+r.Summary+r.Failure)
			}
			return list
		}
		if got := runs(); len(got) != 1 || !strings.Contains(got[0], "no ship is free") {
			t.Fatalf("%s: got %q", from, got)
		}
		broken = false
		b.want("restart", b.call("restart", nil, all[0].ID, map[string]string{"from": from}), "")
		b.finish()
		b.want("effects of a restart from "+from, b.log, []string{"pay A"})
		b.want("states", b.states(), []string{"pay:A done"})
		if got := runs(); len(got) != 2 || got[0] != "completed r1" {
			t.Errorf("from %s: got %q", from, got)
		}
	}
}

// TestCodeGoesOnBehindARefusal loses the instance while code that was refused makes another request, whose
// effect is in doubt by then. The refusal stays what it was.
func TestCodeGoesOnBehindARefusal(t *testing.T) {
	tool := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf))
	workflow := agent.Agent{
		Name: "Workflow", Helper: true, Tools: []agent.Tool{tool},
		Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
			_, refused := agent.Act[receipt](c, tool, in)
			_, err := flow.Fetch(c, flow.Request{Method: "PUT", URL: "https://bank.test/complaint"})
			return fmt.Sprint(refused), err
		}),
	}
	b := openBank(t, agent.Agent{Name: "Starter", Model: obedient{}, Tools: []agent.Tool{agent.AgentTool[payment](workflow, "book", "Books.")}}, workflow)
	b.refuses = true
	b.do(`say a R1 u1: book {"to":"A","amount":1}`)
	for !slices.ContainsFunc(b.asked, func(a asked) bool { return a.method == "PUT" }) && b.step() {
	}
	b.asked = nil
	b.do("crash", "connect a")
	b.finish()
	if out := b.outputs(); len(out) != 1 || !strings.Contains(out[0], "the bank says 503") {
		t.Errorf("got %q", out)
	}
}

// TestUndoByHelper has a helper undo a payment, and the same payment once more.
func TestUndoByHelper(t *testing.T) {
	var refunds []string
	helper := agent.Agent{Name: "Refunder", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
		return flow.Step(c, "refund", func(*durable.Tx) (string, error) {
			refunds = append(refunds, in.To)
			return "ok", nil
		})
	})}
	undo := agent.Undo(func(c *agent.Context, in payment, _ receipt) error {
		if r := agent.RunAgent(c, helper, in); !r.OK {
			return errors.New(r.Error)
		}
		return nil
	})
	root := agent.Agent{
		Name: "Undoer", Model: obedient{}, Tools: []agent.Tool{agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), undo)},
		Methods: map[string]agent.Method{"actions": agent.ListActions, "undo": agent.UndoCall},
	}
	b := openBank(t, root, helper)
	for _, id := range []string{"1", "2"} {
		b.do("connect b"+id, `say b`+id+` R`+id+` u`+id+`: pay {"to":"A","amount":1}`)
		b.finish()
		b.want("undo", b.call("undo", nil, id), "")
		b.finish()
	}
	b.want("refunds", refunds, []string{"A", "A"})
	b.want("states", b.states(), []string{"pay:A undone", "pay:A undone"})
}

// TestScopesOfActions undoes and settles actions, and says whether one has happened, as persons of whom
// one lacks a scope at a time.
func TestScopesOfActions(t *testing.T) {
	tool := agent.NewTool("pay", "Pays.", pay).Requires("pay").With(agent.Once(keyOf), agent.Undo(refund)).Approver("judge")
	host := agent.Agent{
		Name: "Host", Model: obedient{}, Tools: []agent.Tool{tool.Across()},
		Methods: map[string]agent.Method{
			"actions": agent.ListActions, "settle": agent.SettleAction, "undo": agent.UndoCall, "deny": agent.Deny, "cancel": agent.CancelRun,
			"undoRun": func(call *agent.Call) (any, error) { return nil, call.UndoRun("w") },
			"book": func(call *agent.Call) (any, error) {
				return agent.StartDetached(&call.Conversation, booking, "over", payment{"B", 1}, agent.RunID("w"))
			},
		},
		Handlers: map[string]agent.RunHook{"over": func(*agent.Conversation, agent.RunInfo) error { return nil }},
	}
	for _, loses := range []bool{false, true} {
		b := openBank(t, host, booking)
		as := func(scopes string) { b.w.As(`{"sub":"ann","scopes":[` + scopes + `],"exp":1}`) }
		refused := func(what, failure, scope string) {
			t.Helper()
			if !strings.Contains(failure, "needs the scope "+scope) {
				t.Errorf("%s: got %q", what, failure)
			}
		}
		as(`"pay"`)
		b.do("connect z", `say z R1 u1: pay {"to":"A","amount":1}`)
		if !loses {
			b.finish()
			b.want("book", b.call("book", nil), "")
			b.finish()
			as(`"judge"`)
			refused("undo", b.call("undo", nil, "1"), "pay")
			refused("undo of the run", b.call("undoRun", nil), "pay")
			b.finish()
			b.want("states", b.states(), []string{"pay:A done", "pay:B done"})
			as(`"pay"`)
			b.want("undo", b.call("undo", nil, "1"), "")
			b.want("undo of the run", b.call("undoRun", nil), "")
			b.finish()
			b.want("states", b.states(), []string{"pay:A undone", "pay:B undone"})
			continue
		}
		b.silent = true
		for len(b.asked) == 0 {
			b.step()
		}
		b.do("crash", "connect a", "connect z")
		b.asked, b.silent = nil, false
		b.finish()
		id := regexp.MustCompile(`"toolCallId":"(ask_[^"]+)"`).FindStringSubmatch(strings.Join(b.lines, "\n"))[1]
		var asked []run.Pending
		refused("deny", b.call("deny", &asked, id, "no"), "judge")
		from := len(b.lines)
		b.do(fmt.Sprintf(`frame z {"type":"cf_agent_tool_result","toolCallId":"%s","toolName":"ask","output":"happened"}`, id))
		refused("answer", strings.Join(b.lines[from:], "\n"), "judge")
		b.finish()
		b.want("states", b.states(), []string{"pay:A unknown"})
		refused("settle", b.call("settle", nil, "1", true), "judge")
		b.want("states", b.states(), []string{"pay:A unknown"})
		as(`"judge"`)
		b.do("close z", "connect z", fmt.Sprintf(`frame z {"type":"cf_agent_tool_result","toolCallId":"%s","toolName":"ask","output":"happened"}`, id))
		b.finish()
		b.want("states", b.states(), []string{"pay:A done"})
	}
}

// booking pays under a key of the root.
var booking = agent.Agent{
	Name: "Booking", Helper: true,
	Program: agent.NewProgram(func(c *agent.Context, in payment) (receipt, error) {
		return agent.Act[receipt](c, agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(refund)).Across(), in)
	}),
}

// TestScopesBelow has a person without a scope say of a payment of a helper whether it has happened.
func TestScopesBelow(t *testing.T) {
	tool := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf)).Approver("judge").Across()
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, Tools: []agent.Tool{tool}}
	boss := agent.Agent{
		Name: "Boss", Model: obedient{}, Tools: []agent.Tool{delegate("delegate", clerk)},
		Methods: map[string]agent.Method{"actions": agent.ListActions, "settle": agent.SettleAction, "pending": agent.PendingApprovals, "deny": agent.Deny},
	}
	b := openBank(t, boss, clerk)
	b.do(`say a R1 u1: delegate {"say":"pay {\"to\":\"A\",\"amount\":1}"}`)
	b.silent = true
	for len(b.asked) == 0 {
		b.step()
	}
	b.do("crash", "connect a")
	b.asked, b.silent = nil, false
	b.finish()
	b.w.As(`{"sub":"ann","scopes":[],"exp":1}`)
	var asked []run.Pending
	b.want("pending", b.call("pending", &asked), "")
	if len(asked) != 1 || fmt.Sprint(asked[0].Scopes) != "[judge]" {
		t.Fatalf("got %+v", asked)
	}
	b.do("connect z")
	from := len(b.lines)
	answer := fmt.Sprintf(`frame z {"type":"cf_agent_tool_result","toolCallId":"%s","toolName":"ask","output":"happened"}`, asked[0].ID)
	b.do(answer)
	if said := strings.Join(b.lines[from:], "\n"); !strings.Contains(said, "needs the scope judge") {
		t.Errorf("got %s", said)
	}
	for what, failure := range map[string]string{"deny": b.call("deny", nil, asked[0].ID, "no"), "settle": b.call("settle", nil, "1", true)} {
		if !strings.Contains(failure, "needs the scope judge") {
			t.Errorf("%s: got %q", what, failure)
		}
	}
	b.finish()
	b.want("states", b.states(), []string{"pay:A unknown"})
	b.w.As(`{"sub":"ann","scopes":["judge"],"exp":1}`)
	b.do("close z", "connect z", answer)
	b.finish()
	b.want("states", b.states(), []string{"pay:A done"})
}

// TestCompensationOfKeysAbove has a workflow in a helper, and one below that, undo what they have done
// under keys of the root and under their own. All memory is lost at each moment in turn.
func TestCompensationOfKeysAbove(t *testing.T) {
	own := agent.NewTool("own", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(refund))
	above := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(refund)).Across()
	mixed := agent.Agent{
		Name: "Mixed", Helper: true, Tools: []agent.Tool{own, above},
		Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
			for i, tool := range []agent.Tool{above, own, above} {
				if _, err := agent.Act[receipt](c, tool, payment{in.To + strconv.Itoa(i+1), 1}); err != nil {
					return "", err
				}
			}
			return "", errors.Join(errors.New("no room is free"), agent.Compensate(c))
		}),
	}
	between := agent.Agent{
		Name: "Between", Helper: true, Tools: []agent.Tool{above},
		Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
			if _, err := agent.Act[receipt](c, above, payment{"kept", 1}); err != nil {
				return "", err
			}
			return agent.RunAgent(c, mixed, in).Error, nil
		}),
	}
	root := agent.Agent{
		Name: "Root", Model: obedient{}, Methods: map[string]agent.Method{"actions": agent.ListActions},
		Tools: []agent.Tool{agent.AgentTool[payment](mixed, "book", "Books."), agent.AgentTool[payment](between, "deep", "Books below.")},
	}
	for name, want := range map[string]struct{ log, states []string }{
		"book": {nil, []string{"pay:A1 undone", "pay:A3 undone"}},
		"deep": {[]string{`pay {"to":"kept","amount":1}`}, []string{"pay:kept done", "pay:A1 undone", "pay:A3 undone"}},
	} {
		for at, lost := 0, true; lost; at++ {
			b := openBank(t, root, between, mixed)
			b.do(`say a R1 u1: ` + name + ` {"to":"A","amount":1}`)
			lost = false
			for n := 0; n == 0 || b.step(); n++ {
				switch {
				case n < at || lost:
				case len(b.asked) > 0: // an answer that is under way would be lost
					at++
				default:
					lost = true
					for _, slot := range b.w.Slots() {
						b.w.Evict(slot)
					}
					b.do("connect c")
				}
			}
			b.want("effects", b.log, append(want.log, `pay {"to":"A1","amount":1}`, `pay {"to":"A2","amount":1}`, `pay {"to":"A3","amount":1}`,
				"refund A3 r1", "refund A2 r1", "refund A1 r1"))
			b.want("states", b.states(), want.states)
			if t.Failed() {
				t.Fatalf("%s, with a loss after %d: %s", name, at, b.outputs())
			}
		}
	}
}

// TestManyWaitersAreToldAtOnce has eighty calls of a helper wait for a key. All memory is lost before
// the call that has it ends.
func TestManyWaitersAreToldAtOnce(t *testing.T) {
	for _, lose := range []bool{false, true} {
		b := openBank(t, across()...)
		b.silent = true
		b.do(`say a R1 u1: delegate {"say":"` + strings.Repeat(`pay {\"to\":\"A\",\"amount\":1}\u003b`, 79) + `pay {\"to\":\"A\",\"amount\":1}"}`)
		const waiters = `SELECT CAST(COUNT(*) AS TEXT) FROM action_waiter`
		for len(b.asked) == 0 || b.column("", waiters)[0] != "79" {
			if !b.step() {
				t.Fatal("they do not come to wait")
			}
		}
		if lose {
			b.w.Evict("")
			b.do("connect c")
		}
		before := b.w.Now()
		b.silent = false
		for b.column("", waiters)[0] != "0" || b.column("helper-1", `SELECT CAST(COUNT(*) AS TEXT) FROM action_up`)[0] != "0" {
			if !b.step() {
				t.Fatal("somebody waits for ever")
			}
		}
		if passed := b.w.Now() - before; passed > 0 {
			t.Errorf("it took %d ms", passed)
		}
		b.finish()
		b.want("effects", b.effects(), 1)
		b.want("states", b.states(), []string{"pay:A done"})
		b.want("answers", len(regexp.MustCompile(`r1`).FindAllString(strings.Join(b.outputs(), ""), -1)), 80)
	}
}

// TestUndoThatAsks has an undoing ask a person, in a turn that nobody could go beside, and in a tool.
func TestUndoThatAsks(t *testing.T) {
	tool := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(func(c *agent.Context, in payment, out receipt) error {
		a, err := agent.Ask[bool](c, agent.Question{Title: "Really?"})
		if err != nil || a.Denied {
			return errors.Join(err, errors.New("it is not wanted"))
		}
		return refund(c, in, out)
	}))
	undoer := agent.NewTool("take", "Takes a payment back.", func(c *agent.Context, in struct{}) (string, error) { return "taken back", c.UndoCall("1") })
	b := openBank(t, agent.Agent{
		Name: "Undoer", Model: obedient{}, Tools: []agent.Tool{tool, undoer},
		Methods: map[string]agent.Method{"actions": agent.ListActions, "undo": agent.UndoCall, "pending": agent.PendingApprovals, "approve": agent.Approve},
	})
	b.do(`say a R1 u1: pay {"to":"A","amount":1}`)
	b.finish()
	b.want("undo", b.call("undo", nil, "1"), "")
	b.finish()
	a := b.actions(struct{}{}).Actions[0]
	if a.State != agent.ActionDone || !strings.Contains(a.Failure, "cannot ask a person") || !strings.Contains(a.Failure, "attempt 1 of 5") {
		t.Errorf("got %s, %q", a.State, a.Failure)
	}
	b.do(`say a R2 $R1 | u2: take {}`)
	b.finish()
	var asked []run.Pending
	b.want("pending", b.call("pending", &asked), "")
	if len(asked) != 1 {
		t.Fatalf("got %+v", asked)
	}
	b.do(`say a R3 $R1 | u2: take {} | $R2 | u3: pay {"to":"B","amount":1}`) // the conversation goes on meanwhile
	b.finish()
	b.want("states", b.states(), []string{"pay:A done", "pay:B done"})
	b.want("approve", b.call("approve", nil, asked[0].ID), "")
	b.finish()
	b.want("states", b.states(), []string{"pay:A undone", "pay:B done"})
}

// TestApprovalBesideAnUndoing has a person approve a call while the undoing of another one waits for its turn.
func TestApprovalBesideAnUndoing(t *testing.T) {
	once := agent.NewTool("pay", "Pays.", pay).With(agent.Once(keyOf), agent.Undo(refund))
	wire := agent.NewTool("wire", "Pays an amount.", pay).NeedsApproval(nil)
	b := openBank(t, agent.Agent{
		Name: "Undoer", Model: obedient{}, Tools: []agent.Tool{once, wire},
		Methods: map[string]agent.Method{"actions": agent.ListActions, "undo": agent.UndoCall, "pending": agent.PendingApprovals, "approve": agent.Approve},
	})
	b.do(`say a R1 u1: pay {"to":"A","amount":1}`)
	b.finish()
	b.do(`say a R2 $R1 | u2: wire {"to":"B","amount":1}`)
	b.finish()
	var asked []run.Pending
	b.want("pending", b.call("pending", &asked), "")
	b.do(`say a R3 $R1 | u2: wire {"to":"B","amount":1} | $R2 | u3: pay {"to":"C","amount":1}`)
	b.want("undo", b.call("undo", nil, "1"), "")
	b.want("approve", b.call("approve", nil, asked[0].ID), "")
	b.finish()
	b.want("states", b.states(), []string{"pay:A undone", "pay:C done"})
	b.want("payments to B", b.paid[`https://bank.test/pay {"to":"B","amount":1}`], 1)
	if out := strings.Join(b.lines, "\n"); !strings.Contains(out, "Undone: pay:A.") {
		t.Error("it is not said that A is undone")
	}
}

// TestStepThatAsks has an attempt of a step ask a person. Only the object's alarm is held meanwhile, and the
// time of the attempt ends the question.
func TestStepThatAsks(t *testing.T) {
	ask := agent.NewTool("ask", "Asks.", func(c *agent.Context, _ struct{}) (bool, error) {
		return flow.Do(c, "ask", func(*flow.Attempt) (bool, error) {
			a, err := agent.Ask[bool](c, agent.Question{Title: "Really?"})
			return a.Value, err
		}, flow.Retry{Attempts: 1, Timeout: 2 * time.Hour})
	})
	for _, answered := range []bool{true, false} {
		b := openBank(t, agent.Agent{
			Name: "Asker", Model: obedient{}, Tools: []agent.Tool{ask},
			Methods: map[string]agent.Method{"pending": agent.PendingApprovals, "approve": agent.Approve},
		})
		b.do(`say a R1 u1: ask {}`)
		b.finish()
		b.want("what is held", b.w.Holding(), []string{"an alarm"})
		var asked []run.Pending
		b.want("pending", b.call("pending", &asked), "")
		want := "true"
		if answered {
			b.want("approve", b.call("approve", nil, asked[0].ID), "")
		} else {
			b.do("jump 3h")
			want = "ask: attempt 1 of 1: the time is over"
		}
		b.finish()
		if out := b.outputs(); len(out) == 0 || !strings.Contains(strings.Join(out, " "), want) {
			t.Errorf("got %q, want %s", out, want)
		}
		b.want("pending", b.call("pending", &asked), "")
		b.want("asked", len(asked), 0)
	}
}
