package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The people of the till. Ann may send money. Tom may not. Max may do more than Ann. Two tokens have the
// scope and no subject. The front door knows the sender of one of them.
const (
	annClaims  = `{"sub":"ann","scopes":["money:send"],"exp":4000000000}`
	tomClaims  = `{"sub":"tom","scopes":[]}`
	maxClaims  = `{"sub":"max","scopes":["money:approve","money:send"]}`
	someClaims = `{"sub":"","scopes":["money:send"],"sender":"a-token"}`
	noneClaims = `{"sub":"","scopes":["money:send"]}`
)

// orderly is a model that does what the last message of a person orders: a list of calls in JSON. It makes
// them one after the other, and each once behind that message.
type orderly struct{}

func (orderly) Name() string { return "orderly" }

func (orderly) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return &orderlyAnswer{id: id, request: request}, nil
}

type orderlyAnswer struct {
	id      string
	request model.Request
	over    bool
}

// ordered is a call that a message orders.
type ordered struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

func (a *orderlyAnswer) Take(tx *durable.Tx, event durable.Event) ([]model.Delta, error) {
	if _, fired := event.(durable.TimerFired); !fired || a.over {
		return nil, nil
	}
	a.over = true
	var list []ordered
	var made []string
	for _, m := range a.request.Messages {
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				if m.Role == model.User {
					list, made = nil, nil
					_ = json.Unmarshal([]byte(c.Text), &list) // other words order nothing
				}
			case model.ToolCall:
				made = append(made, c.Name+string(c.Input))
			case model.ToolResult:
				var said string
				if json.Unmarshal(c.Output, &said) == nil && strings.HasPrefix(said, "[{") {
					_ = json.Unmarshal([]byte(said), &list)
				}
			}
		}
	}
	for _, o := range list {
		if slices.Contains(made, o.Tool+string(o.Input)) {
			continue
		}
		call := model.ToolCall{ID: "call_" + tx.NewID(), Name: o.Tool, Input: o.Input}
		return []model.Delta{model.ToolCallStarted{ID: call.ID, Name: call.Name}, call, model.Finished{Reason: model.ToolCalls}}, nil
	}
	return []model.Delta{model.TextDelta{Text: "done"}, model.Finished{Reason: model.Stop}}, nil
}

func (a *orderlyAnswer) Cancel(tx *durable.Tx) {
	if !a.over {
		a.over = true
		tx.Do(durable.StopTimer{Timer: a.id})
	}
}

// order are the words that order calls of tools: "transfer tom" calls transfer with {"to":"tom"}.
func order(calls ...string) string {
	list := []ordered{}
	for _, c := range calls {
		tool, to, _ := strings.Cut(c, " ")
		list = append(list, ordered{tool, limit.MustMarshal(payee{to})})
	}
	return string(limit.MustMarshal(list))
}

// delegating are the words that have a helper told some words.
func delegating(words string) string {
	return string(limit.MustMarshal([]ordered{{"delegate", limit.MustMarshal(payee{words})}}))
}

// till is a conversation whose tools pay.
type till struct {
	*testing.T
	w *durabletest.World
	// paid are the payments, with the subject for whom each was made. told are the browser tools that the
	// model was told of, with the subject of the turn.
	paid, told []string
	// failing has handlers and callbacks fail.
	failing bool
	out     []string
	ids     int
}

func newTill(t *testing.T, policy turn.Policy, change ...func(b *till, root, teller *agent.Agent)) *till {
	t.Helper()
	b := &till{T: t}
	pay := func(c *agent.Context, to string) (string, error) {
		return flow.Step(c, "pay", func(*durable.Tx) (string, error) {
			b.paid = append(b.paid, to+" for "+c.Claims().Subject)
			return "paid " + to, nil
		})
	}
	send := agent.NewTool("transfer", "Sends money.", func(c *agent.Context, in payee) (string, error) { return pay(c, in.To) }).
		Requires("money:send")
	guarded := agent.NewTool("guarded", "Sends money if a person agrees.", func(c *agent.Context, in payee) (string, error) { return pay(c, in.To) }).
		Requires("money:send").NeedsApproval(nil)
	approved := agent.NewTool("approved", "Sends money if somebody agrees who may.", func(c *agent.Context, in payee) (string, error) { return pay(c, in.To) }).
		Requires("money:send").NeedsApproval(nil).Approver("money:approve")
	asking := agent.NewTool("asking", "Asks.", func(c *agent.Context, in payee) (string, error) {
		a, err := agent.Ask[bool](c, agent.Question{Title: "Is it " + in.To + "?"})
		return fmt.Sprint(a.Value), err
	})
	slow := agent.NewTool("slow", "Takes ten seconds.", func(c *agent.Context, _ payee) (string, error) {
		return "slept", flow.Sleep(c, 10*time.Second)
	})
	refund := agent.NewTool("refundable", "Sends money once.", func(c *agent.Context, in payee) (string, error) { return pay(c, in.To) }).
		Requires("money:send").With(agent.Once(func(in payee) string { return "pay:" + in.To }),
		agent.Undo(func(c *agent.Context, in payee, _ string) error { _, err := pay(c, "back from "+in.To); return err }))
	payer := agent.Agent{Name: "Payer", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in payee) (string, error) {
		if _, err := flow.Do(c, "wait", func(*flow.Attempt) (string, error) { return "", nil }); err != nil {
			return "", err
		}
		if err := flow.Sleep(c, 4*time.Second); err != nil {
			return "", err
		}
		return agent.Act[string](c, send, in)
	})}
	waiter := agent.Agent{Name: "Waiter", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in payee) (string, error) {
		s, err := flow.Receive[string](c, "go")
		if err != nil {
			return "", err
		}
		b.told = append(b.told, s.From)
		return agent.Act[string](c, send, in)
	})}
	teller := agent.Agent{Name: "Teller", Helper: true, Model: orderly{}, Tools: []agent.Tool{send, guarded, slow}}
	begin := func(helper agent.Agent) agent.Method {
		return func(call *agent.Call) (any, error) {
			var in payee
			if err := call.Arg(0, &in); err != nil {
				return nil, err
			}
			return agent.StartDetached(&call.Conversation, helper, "ended", in)
		}
	}
	root := agent.Agent{
		Name: "Till", Model: orderly{}, DuringTurn: policy, SignalScopes: []string{"runs:signal"},
		Tools: []agent.Tool{send, guarded, approved, asking, slow, refund, agent.AgentTool[payee](teller, "delegate", "Delegates.")},
		Methods: map[string]agent.Method{
			"payroll": begin(payer), "wait": begin(waiter), "runs": agent.ListRuns, "cancel": agent.CancelRun, "pause": agent.PauseRun,
			"resume": agent.ResumeRun, "restart": agent.RestartRun, "retry": agent.RetryDeadLetter, "signal": agent.SendSignal,
			"retrySchedule": agent.RetrySchedule, "undo": agent.UndoCall, "actions": agent.ListActions, "submit": agent.SubmitTurn,
			"approve": agent.Approve, "deny": agent.Deny, "pending": agent.PendingApprovals,
			"guarded": agent.Require(agent.ListRuns, "money:send", "money:approve"),
			"later": func(call *agent.Call) (any, error) {
				return call.Schedule(schedule.After(time.Minute), "due", nil, schedule.ID("bill"), schedule.MaxAttempts(1))
			},
		},
		Handlers: map[string]agent.RunHook{"ended": func(c *agent.Conversation, r agent.RunInfo) error { return b.failOr(c, "transfer letter") }},
		Callbacks: map[string]agent.Callback{"due": agent.NewCallback(func(c *agent.Conversation, _ any, _ agent.Scheduled) error {
			return b.failOr(c, "transfer bill")
		})},
		Hooks: agent.Hooks{AfterCall: func(c *agent.Conversation, call *agent.ToolCall) error {
			b.actsFor(c, call.Claims)
			return nil
		}, AfterStep: func(c *agent.Conversation, r agent.StepResult) error {
			b.actsFor(c, r.Claims)
			return nil
		}, BeforeCall: func(c *agent.Conversation, call *agent.ToolCall) error {
			b.actsFor(c, call.Claims)
			return nil
		}, BeforeStep: func(c *agent.Conversation, r *agent.StepRequest) error {
			b.actsFor(c, r.Claims)
			for _, tool := range r.Request.Tools {
				if strings.HasPrefix(tool.Name, "browser") {
					b.told = append(b.told, tool.Name+" for "+r.Claims.Subject)
				}
			}
			return nil
		}},
	}
	for _, c := range change {
		c(b, &root, &teller)
	}
	engine := durabletest.NewNative(1, chattest.Class(root), chattest.Class(payer), chattest.Class(waiter), chattest.Class(teller))
	t.Cleanup(func() { engine.Close() })
	b.w = durabletest.NewWorld(engine, "Till", "room")
	act(t, b.w, "connect a", "connect b")
	return b
}

// actsFor checks that the hook of a turn works for the turn, whoever has sent what it is called for.
func (b *till) actsFor(c *agent.Conversation, of agent.Claims) {
	if got := c.Claims(); fmt.Sprint(got) != fmt.Sprint(of) {
		b.Errorf("a hook of a turn for %+v works for %+v", of, got)
	}
}

// failOr fails, or has the model do something in a turn of its own.
func (b *till) failOr(c *agent.Conversation, words string) error {
	if b.failing {
		return errors.New("it fails")
	}
	_, err := c.RunTurn(agent.TurnRequest{Text: order(words)})
	return err
}

func (b *till) take() string {
	b.Helper()
	text := transcriptOf(b.T, b.w)
	b.out = append(b.out, text)
	return text
}

func (b *till) after(d time.Duration) { b.Helper(); act(b.T, b.w, "tick "+d.String()); b.take() }

func (b *till) frame(conn, by string, frame map[string]any) string {
	b.Helper()
	b.take()
	sendAs(b.w, conn, by, frame)
	return b.take()
}

// request posts a list. It returns the id of the request, and what happens in its event.
func (b *till) request(conn, by string, extra map[string]any, list ...words) (id, out string) {
	b.Helper()
	b.ids++
	id = fmt.Sprint("R", b.ids)
	return id, b.frame(conn, by, requestFrame(id, extra, list...))
}

func (b *till) say(by, id, text string) {
	b.Helper()
	b.request("a", by, nil, user(id, text))
}

func (b *till) push(conn, by string, list ...words) string {
	b.Helper()
	return b.frame(conn, by, map[string]any{"type": "cf_agent_chat_messages", "messages": messagesOf(list)})
}

func (b *till) call(by, method string, result any, args ...any) string {
	b.Helper()
	out := b.frame("b", by, callFrame(method, args...))
	failure, answered := answerTo(b.T, "b", strings.Split(out, "\n"), result)
	if !answered {
		b.Fatalf("%s is not answered: %s", method, out)
	}
	return failure
}

// begun begins a run by a method, and returns its id.
func (b *till) begun(by, method string) string {
	b.Helper()
	var r agent.RunInfo
	if err := b.call(by, method, &r, payee{"boss"}); err != "" {
		b.Fatal(err)
	}
	return r.ID
}

// asked returns the id of the only question.
func (b *till) asked() string {
	b.Helper()
	var list []struct{ ID string }
	if err := b.call(annClaims, "pending", &list); err != "" || len(list) != 1 {
		b.Fatalf("%d questions are open, want one: %s", len(list), err)
	}
	return list[0].ID
}

// shown returns what somebody is shown who connects.
func (b *till) shown(conn string) string {
	b.Helper()
	b.take()
	act(b.T, b.w, "close "+conn, "connect "+conn)
	return b.take()
}

// stored returns what is stored of messages, by their ids.
func (b *till) stored(conn string) map[string]string {
	b.Helper()
	all := map[string]string{}
	for line := range strings.Lines(b.shown(conn)) {
		_, frame, ok := strings.Cut(strings.TrimSpace(line), "send "+conn+` {"type":"cf_agent_chat_messages",`)
		if !ok {
			continue
		}
		var f struct {
			Messages []struct {
				ID    string
				Parts []struct{ Text string }
			}
		}
		if err := json.Unmarshal([]byte("{"+frame), &f); err != nil {
			b.Fatal(err)
		}
		for _, m := range f.Messages {
			for _, p := range m.Parts {
				all[m.ID] += p.Text
			}
		}
	}
	return all
}

// pays checks what was paid so far.
func (b *till) pays(want ...string) {
	b.Helper()
	if !slices.Equal(b.paid, want) {
		b.Errorf("paid are %q, want %q\n%.6000s", b.paid, want, strings.Join(b.out, "\n"))
	}
}

// again is a way in which somebody has Ann's work done again, or has it go on. It says what is paid for
// each person who does so, besides what was paid before.
type again struct {
	name string
	// prepare returns what do is given. paid is what it has paid.
	prepare func(b *till) string
	paid    []string
	do      func(b *till, by, what string) (refused string)
	// to is whom a payee goes to, and refuses says that who lacks the scope is refused. bySubject is whose
	// claims are named by a payee: "ann" for a run that goes on, and "" for those of the caller.
	to, bySubject string
	refuses       bool
}

// annsRun has Ann begin the workflow, and waits for its end.
func annsRun(b *till) string {
	id := b.begun(annClaims, "payroll")
	b.after(time.Minute)
	return id
}

var agains = []again{
	{
		name: "a completed run is restarted", paid: []string{"boss for ann", "letter for ann"}, to: "boss",
		prepare: annsRun,
		do:      func(b *till, by, run string) string { b.failing = true; return b.call(by, "restart", nil, run) },
	},
	{
		name: "a run is restarted from a step", paid: []string{"boss for ann", "letter for ann"}, to: "boss",
		prepare: annsRun,
		do: func(b *till, by, run string) string {
			b.failing = true
			return b.call(by, "restart", nil, run, map[string]string{"from": "wait"})
		},
	},
	{
		name: "a run that was called off is restarted", to: "boss",
		prepare: func(b *till) string {
			b.failing = true
			id := b.begun(annClaims, "payroll")
			b.after(2 * time.Second)
			b.call(annClaims, "cancel", nil, id)
			b.after(time.Second)
			return id
		},
		do: func(b *till, by, run string) string { return b.call(by, "restart", nil, run) },
	},
	{
		name: "the run of a chatting helper is restarted", paid: []string{"boss for ann"}, to: "boss",
		prepare: func(b *till) string {
			b.say(annClaims, "u1", delegating(order("transfer boss")))
			b.after(time.Minute)
			return b.run()
		},
		do: func(b *till, by, run string) string { return b.call(by, "restart", nil, run) },
	},
	{
		name: "a dead letter is retried", paid: []string{"boss for ann"}, to: "letter",
		prepare: func(b *till) string {
			b.failing = true
			id := annsRun(b)
			b.after(10 * time.Minute)
			b.failing = false
			return id
		},
		do: func(b *till, by, run string) string { return b.call(by, "retry", nil, run) },
	},
	{
		name: "a schedule is retried", to: "bill",
		prepare: func(b *till) string {
			b.failing = true
			if err := b.call(annClaims, "later", nil); err != "" {
				b.Fatal(err)
			}
			b.after(time.Hour)
			b.failing = false
			return "bill"
		},
		do: func(b *till, by, id string) string { return b.call(by, "retrySchedule", nil, id) },
	},
	{
		name: "a run is resumed", to: "boss", bySubject: "ann", refuses: true,
		prepare: func(b *till) string {
			b.failing = true
			id := b.begun(annClaims, "payroll")
			b.after(time.Second)
			b.call(annClaims, "pause", nil, id)
			b.after(time.Minute)
			return id
		},
		do: func(b *till, by, run string) string { return b.call(by, "resume", nil, run) },
	},
	{
		name: "a call is undone", paid: []string{"boss for ann"}, to: "back from boss", refuses: true,
		prepare: func(b *till) string {
			b.say(annClaims, "u1", order("refundable boss"))
			b.after(time.Minute)
			var page struct{ Actions []struct{ ID string } }
			b.call(annClaims, "actions", &page)
			return page.Actions[0].ID
		},
		do: func(b *till, by, id string) string { return b.call(by, "undo", nil, id) },
	},
	{
		name: "a message is answered anew", paid: []string{"boss for ann"}, to: "boss",
		prepare: func(b *till) string { b.say(annClaims, "u1", order("transfer boss")); b.after(time.Minute); return "" },
		do: func(b *till, by, _ string) string {
			b.request("a", by, map[string]any{"trigger": "regenerate-message"}, user("u1", order("transfer boss")))
			return ""
		},
	},
	{
		name: "a turn is submitted", to: "boss",
		prepare: func(*till) string { return "" },
		do: func(b *till, by, _ string) string {
			return b.call(by, "submit", nil, map[string]string{"text": order("transfer boss")})
		},
	},
}

// TestWorkThatIsBegunAgain has each person begin Ann's work again in each way. Nothing is paid for Tom, who
// lacks the scope; for the others it is paid in their own names.
func TestWorkThatIsBegunAgain(t *testing.T) {
	for _, way := range agains {
		for _, who := range []struct {
			name, claims, subject string
			may                   bool
		}{{"Ann", annClaims, "ann", true}, {"Tom", tomClaims, "tom", false}, {"Max", maxClaims, "max", true}, {"a token", someClaims, "", true}, {"nobody", noneClaims, "", true}} {
			t.Run(way.name+"/"+who.name, func(t *testing.T) {
				b := newTill(t, turn.Queue)
				what := way.prepare(b)
				b.pays(way.paid...)
				refused := way.do(b, who.claims, what)
				b.after(10 * time.Minute)
				if wants := way.refuses && !who.may; (refused != "") != wants {
					t.Errorf("refused is %q, and should be: %v", refused, wants)
				}
				if who.may {
					subject := who.subject
					if way.bySubject != "" {
						subject = way.bySubject
					}
					b.pays(append(slices.Clone(way.paid), way.to+" for "+subject)...)
				} else {
					b.pays(way.paid...)
				}
			})
		}
	}
}

// TestRestartHasNoMoreThanBoth has Max restart Tom's run: it works for Max, without the scope that Tom lacks.
func TestRestartHasNoMoreThanBoth(t *testing.T) {
	b := newTill(t, turn.Queue)
	b.failing = true
	id := b.begun(tomClaims, "payroll")
	b.after(time.Minute)
	if err := b.call(maxClaims, "restart", nil, id); err != "" {
		t.Fatal(err)
	}
	b.after(10 * time.Minute)
	b.pays()
}

// TestWordsOfOthers has Tom put words into the conversation in each way, and Ann go on. What Tom has ordered
// is never paid: his words are answered for himself, or belong to nobody's turn.
func TestWordsOfOthers(t *testing.T) {
	theft := order("transfer tom")
	for _, test := range []struct {
		name   string
		policy turn.Policy
		do     func(b *till)
		want   []string
	}{
		{"he asks", turn.Queue, func(b *till) { b.say(tomClaims, "t1", theft) }, nil},
		{"his words are not merged", turn.Merge, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(tomClaims, "t1", theft)
			b.say(annClaims, "u2", " ")
		}, nil},
		{"his words are not merged when what kept them apart is gone", turn.Merge, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(tomClaims, "t1", theft)
			id, _ := b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("u1", order("slow x")))
			b.say(annClaims, "u2", " ")
			b.frame("a", annClaims, map[string]any{"type": "cf_agent_chat_request_cancel", "id": id})
		}, nil},
		{"his words are not merged into a message of hers that he wants answered", turn.Merge, func(b *till) {
			b.say(annClaims, "u1", "hello")
			b.after(time.Minute)
			b.say(annClaims, "u2", order("slow x"))
			b.request("b", tomClaims, nil, user("t1", theft), user("u1", "hello"))
			b.request("b", tomClaims, nil, user("t2", theft), user("u1", "hello"))
			b.after(time.Minute)
			shown := b.stored("b")["u1"]
			if shown != "hello" {
				b.Errorf("her message is %q", shown)
			}
			b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("u1", shown))
		}, nil},
		{"his words are not overtaken", turn.Latest, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(tomClaims, "t1", theft)
			b.say(annClaims, "u2", " ")
		}, nil},
		{"his words do not wait for more", turn.Debounce, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(tomClaims, "t1", theft)
			b.say(annClaims, "u2", " ")
		}, nil},
		{"her words are not overtaken by his", turn.Latest, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(annClaims, "u2", order("transfer boss"))
			b.say(tomClaims, "t1", " ")
		}, []string{"boss for ann"}},
		{"her words are answered, though he says more while they wait", turn.Debounce, func(b *till) {
			b.say(annClaims, "u1", order("transfer boss"))
			b.say(tomClaims, "t1", " ")
		}, []string{"boss for ann"}},
		{"he edits her message that waits", turn.Queue, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(annClaims, "u2", "thank you")
			b.say(tomClaims, "u2", theft)
		}, nil},
		{"he edits her message while it is answered", turn.Queue, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.say(tomClaims, "u1", theft)
		}, nil},
		{"he edits her message behind its answer", turn.Queue, func(b *till) {
			b.say(annClaims, "u1", order("transfer boss"))
			b.after(time.Minute)
			b.say(tomClaims, "u1", theft)
			b.after(time.Minute)
			b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("u1", order("transfer boss")))
		}, []string{"boss for ann", "boss for ann"}},
		{"he has her message answered anew with other words", turn.Queue, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.request("a", tomClaims, map[string]any{"trigger": "regenerate-message"}, user("u1", theft))
			b.after(time.Minute)
			b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("u1", order("slow x")))
		}, nil},
		{"he pushes other words into her message", turn.Queue, func(b *till) {
			b.say(annClaims, "u1", order("slow x"))
			b.after(time.Minute)
			b.push("b", tomClaims, user("u1", theft))
			if got := b.stored("b")["u1"]; got != order("slow x") {
				b.Errorf("her message is %q", got)
			}
			b.request("a", annClaims, nil, user("u1", order("slow x")), user("u2", " "))
		}, nil},
		{"he pushes an order in front of her next words", turn.Queue, func(b *till) {
			b.push("b", tomClaims, user("t1", theft))
			b.request("a", annClaims, nil, user("t1", theft), user("u1", " "))
		}, nil},
		{"she has his message answered", turn.Queue, func(b *till) {
			b.push("b", tomClaims, user("t1", theft))
			b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("t1", theft))
		}, nil},
		{"he edits his message while it is answered for her", turn.Queue, func(b *till) {
			b.push("b", tomClaims, user("t1", order("slow x")))
			b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("t1", order("slow x")))
			b.say(tomClaims, "t1", theft)
		}, nil},
		{"he edits an older message of his while she is answered", turn.Queue, func(b *till) {
			b.say(tomClaims, "t1", "hello")
			b.after(time.Minute)
			b.say(annClaims, "u1", order("slow x", "transfer boss"))
			b.say(tomClaims, "t1", theft)
		}, []string{"boss for ann"}},
		{"he has her answer go on", turn.Queue, func(b *till) {
			id, _ := b.request("a", annClaims, nil, user("u1", order("slow x")))
			b.after(time.Minute)
			_, out := b.request("b", tomClaims, nil, user("u1", order("slow x")), words{b.replyTo(id), "assistant", "done"})
			if !strings.Contains(out, "was given to somebody else") {
				b.Errorf("he is answered %s", out)
			}
		}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newTill(t, test.policy)
			test.do(b)
			b.after(10 * time.Minute)
			b.pays(test.want...)
		})
	}
}

// replyTo returns the id of the answer to a request, from the chunk that begins it.
func (b *till) replyTo(request string) string {
	b.Helper()
	all := strings.Join(b.out, "\n")
	at := strings.Index(all, `"id":"`+request+`"`)
	for _, part := range strings.Split(all[max(at, 0):], `\"messageId\":\"`)[1:] {
		id, _, _ := strings.Cut(part, `\"`)
		return id
	}
	b.Fatalf("there is no answer to %s", request)
	return ""
}

// TestContinuedTurnIsToldWhatWasSaidBefore has Ann's call wait, and Tom lay an order behind it. Her turn goes
// on with what was said before the call, and with what the calls have returned.
func TestContinuedTurnIsToldWhatWasSaidBefore(t *testing.T) {
	theft := order("transfer tom")
	lay := map[string]func(b *till, conn string){
		"nothing": func(*till, string) {},
		"a push":  func(b *till, conn string) { b.ids++; b.push(conn, tomClaims, user(fmt.Sprint("t", b.ids), theft)) },
		"a question that he stops": func(b *till, conn string) {
			id, _ := b.request(conn, tomClaims, nil, user(fmt.Sprint("t", b.ids), theft))
			b.frame(conn, tomClaims, map[string]any{"type": "cf_agent_chat_request_cancel", "id": id})
		},
		"a question that is answered": func(b *till, conn string) {
			b.request(conn, tomClaims, nil, user(fmt.Sprint("t", b.ids), theft))
			b.after(time.Minute)
		},
	}
	answer := map[string]func(b *till, id string){
		"a frame": func(b *till, id string) {
			b.frame("a", annClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": id, "approved": true, "autoContinue": true})
		},
		"a method": func(b *till, id string) { b.call(annClaims, "approve", nil, id) },
		"a request": func(b *till, id string) {
			b.w.Tell(durable.RequestReceived{Request: "http", Method: "POST", URL: "/agents/till/room/approvals/" + id, Body: []byte(`{"approved":true}`), Claims: annClaims})
		},
		"Tom": func(b *till, id string) { b.call(tomClaims, "approve", nil, id) },
	}
	for laid, lay := range lay {
		for by, answer := range answer {
			t.Run(laid+"/"+by, func(t *testing.T) {
				b := newTill(t, turn.Queue)
				b.say(annClaims, "u1", order("guarded boss", "guarded bank", "transfer desk"))
				b.after(time.Minute)
				for range 2 { // the second turn that goes on is told no more than the first
					lay(b, "b")
					answer(b, b.asked())
					b.after(time.Minute)
				}
				b.pays("boss for ann", "bank for ann", "desk for ann")
			})
		}
	}
	for laid, lay := range lay {
		t.Run(laid+"/a question of code", func(t *testing.T) {
			b := newTill(t, turn.Queue)
			b.say(annClaims, "u1", order("asking x", "transfer desk"))
			b.after(time.Minute)
			lay(b, "b")
			b.call(annClaims, "approve", nil, b.asked())
			b.after(time.Minute)
			b.pays("desk for ann")
		})
		t.Run(laid+"/in a helper", func(t *testing.T) {
			b := newTill(t, turn.Queue)
			b.say(annClaims, "u1", delegating(order("guarded boss", "transfer desk")))
			b.after(time.Minute)
			b.drill("h")
			lay(b, "h")
			b.call(annClaims, "approve", nil, b.asked())
			b.after(time.Minute)
			b.pays("boss for ann", "desk for ann")
		})
	}
}

// drill opens the helper of the only run.
func (b *till) drill(conn string) (run string) {
	b.Helper()
	run = b.run()
	act(b.T, b.w, "drill "+conn+" teller "+run)
	if out := b.take(); !strings.Contains(out, "send "+conn) {
		b.Fatalf("the helper does not greet: %s", out)
	}
	return run
}

// run returns the id of the only run.
func (b *till) run() string {
	b.Helper()
	var list []agent.RunInfo
	if err := b.call(annClaims, "runs", &list); err != "" || len(list) != 1 {
		b.Fatalf("there are %d runs, want one: %s", len(list), err)
	}
	return list[0].ID
}

// TestTaskOfAHelperBelongsToItsRun has Tom change what Ann's helper was asked, in the view of the helper.
func TestTaskOfAHelperBelongsToItsRun(t *testing.T) {
	theft := order("transfer tom")
	for name, change := range map[string]func(b *till, task string){
		"an edit": func(b *till, task string) { b.request("h", tomClaims, nil, user(task, theft)) },
		"another answer": func(b *till, task string) {
			b.request("h", tomClaims, map[string]any{"trigger": "regenerate-message"}, user(task, theft))
		},
		"a push": func(b *till, task string) { b.push("h", tomClaims, user(task, theft)) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newTill(t, turn.Queue)
			b.say(annClaims, "u1", delegating(order("slow x", "transfer desk")))
			b.after(5 * time.Second)
			change(b, "task-"+b.drill("h"))
			b.after(10 * time.Minute)
			b.pays("desk for ann")
		})
	}
}

// TestGrantInTheViewOfAHelper has somebody speak with a helper whose token has more scopes than the agent above
// grants. The helper's agent grants nothing anew, and the run's own person can still change its task.
func TestGrantInTheViewOfAHelper(t *testing.T) {
	const eve, sue = `{"sub":"eve","scopes":["money:send","money:approve"]}`, `{"sub":"sue","scopes":[]}`
	grant := func(_ *till, root, _ *agent.Agent) {
		root.Grant = func(_ agent.TurnInfo, c agent.Claims) []string {
			return map[string][]string{"ann": c.Scopes, "sue": {"money:send"}}[c.Subject]
		}
	}
	for name, test := range map[string]struct {
		do   func(b *till, task string)
		want []string
	}{
		"she asks": {do: func(b *till, _ string) { b.request("h", eve, nil, user("e1", order("transfer eve"))) }},
		"she has the task done again": {do: func(b *till, task string) {
			b.request("h", eve, map[string]any{"trigger": "regenerate-message"}, user(task, order("transfer desk")))
		}},
		"she pushes a message and has it answered": {do: func(b *till, _ string) {
			b.push("h", eve, user("e1", order("transfer eve")))
			b.request("h", eve, map[string]any{"trigger": "regenerate-message"}, user("e1", order("transfer eve")))
		}},
		"somebody asks who is granted more": {func(b *till, _ string) { b.request("h", sue, nil, user("s1", order("transfer sue"))) }, []string{"sue for sue"}},
		"whose run it is changes the task":  {func(b *till, task string) { b.request("h", annClaims, nil, user(task, order("transfer boss"))) }, []string{"boss for ann"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newTill(t, turn.Queue, grant)
			b.say(annClaims, "u1", delegating(order("transfer desk")))
			b.after(time.Minute)
			test.do(b, "task-"+b.drill("h"))
			b.after(time.Minute)
			b.pays(append([]string{"desk for ann"}, test.want...)...)
		})
	}
}

// TestOwnTaskOfAHelper has Ann change what her helper was asked, in the view of the helper: the task belongs to the
// claims of its run.
func TestOwnTaskOfAHelper(t *testing.T) {
	b := newTill(t, turn.Queue)
	b.say(annClaims, "u1", delegating(order("transfer desk")))
	b.after(time.Minute)
	task := "task-" + b.drill("h")
	b.request("h", annClaims, nil, user(task, order("transfer boss")))
	b.after(time.Minute)
	b.pays("desk for ann", "boss for ann")
}

// TestEditWaitsForItsTurn has Ann edit her own message while it is answered: the answer under way is for what
// she has said first, and the next one for the new words.
func TestEditWaitsForItsTurn(t *testing.T) {
	for _, by := range []string{"", annClaims, someClaims} {
		b := newTill(t, turn.Queue)
		b.say(by, "u1", order("slow x", "transfer old"))
		b.after(5 * time.Second)
		b.say(by, "u1", order("transfer new"))
		if got := b.stored("b")["u1"]; got != order("slow x", "transfer old") {
			t.Errorf("the message is %q before its turn begins", got)
		}
		b.after(time.Minute)
		if got := b.stored("b")["u1"]; got != order("transfer new") {
			t.Errorf("the message is %q", got)
		}
		subject := ""
		if by == annClaims {
			subject = "ann"
		}
		b.pays("old for "+subject, "new for "+subject)
	}
}

// TestEditThatIsStoppedChangesNothing stops the request of an edit before it begins.
func TestEditThatIsStoppedChangesNothing(t *testing.T) {
	b := newTill(t, turn.Queue)
	b.say(annClaims, "u1", order("slow x"))
	id, _ := b.request("a", annClaims, nil, user("u1", order("transfer new")))
	b.frame("a", annClaims, map[string]any{"type": "cf_agent_chat_request_cancel", "id": id})
	b.after(time.Minute)
	if got := b.stored("b")["u1"]; got != order("slow x") {
		t.Errorf("the message is %q", got)
	}
	b.pays()
}

// TestEditGivesWayToOthersQuestion has Tom edit his message before Ann has it answered: her turn would
// answer words that she has not seen.
func TestEditGivesWayToOthersQuestion(t *testing.T) {
	b := newTill(t, turn.Queue)
	b.push("b", tomClaims, user("t1", "hello"))
	b.say(annClaims, "u1", order("slow x"))
	b.say(tomClaims, "t1", order("transfer tom"))
	b.request("a", annClaims, map[string]any{"trigger": "regenerate-message"}, user("t1", "hello"))
	b.after(time.Minute)
	if got := b.stored("b")["t1"]; got != "hello" {
		t.Errorf("the message is %q", got)
	}
	b.pays()
}

// TestMessageOfATokenWithoutASubject belongs to that token alone, and to nobody if the token is not known.
func TestMessageOfATokenWithoutASubject(t *testing.T) {
	for _, test := range []struct {
		owner, editor string
		changes       bool
	}{
		{someClaims, someClaims, true},
		{someClaims, `{"scopes":["money:send"],"sender":"another"}`, false},
		{someClaims, `{"scopes":[],"sender":"a-token"}`, false},
		{noneClaims, noneClaims, false},
		{annClaims, `{"sub":"ann","scopes":["money:send","money:send"],"exp":1}`, true},
		{annClaims, `{"sub":"ann","scopes":[]}`, false},
		{"", "", true},
		{"", annClaims, false},
		{annClaims, "", false},
	} {
		b := newTill(t, turn.Queue)
		b.say(test.owner, "u1", "one")
		b.after(time.Minute)
		b.say(test.editor, "u1", "two")
		b.after(time.Minute)
		if got := b.stored("b")["u1"]; (got == "two") != test.changes {
			t.Errorf("%s edits the message of %s: it is %q", test.editor, test.owner, got)
		}
		b.push("b", test.editor, user("u1", "three"))
		if got := b.stored("b")["u1"]; (got == "three") != test.changes {
			t.Errorf("%s pushes the message of %s: it is %q", test.editor, test.owner, got)
		}
		b.push("b", test.editor)
		if _, there := b.stored("b")["u1"]; there == test.changes {
			t.Errorf("%s takes the message of %s away: it is there: %v", test.editor, test.owner, there)
		}
	}
}

// TestWordsOfADenial are told to the model if they are Ann's own, or if the author has named who may deny. Those
// of anybody else would be words of theirs in her turn.
func TestWordsOfADenial(t *testing.T) {
	for _, tool := range []string{"guarded boss", "approved boss"} {
		for _, by := range []string{annClaims, tomClaims, maxClaims} {
			b := newTill(t, turn.Queue)
			b.say(annClaims, "u1", order(tool))
			b.after(time.Minute)
			refused := b.call(by, "deny", nil, b.asked(), "because")
			b.after(time.Minute)
			may := tool == "guarded boss" || by == maxClaims
			if (refused == "") != may {
				t.Errorf("%s denies %s: %s", by, tool, refused)
			}
			told := may && (by == annClaims || by == maxClaims && tool == "approved boss")
			if got := strings.Contains(b.shown("b"), `"reason":"because"`); got != told {
				t.Errorf("%s denies %s: the reason is told: %v", by, tool, got)
			}
			b.pays()
		}
	}
}

// TestBrowserTools are told in the turns of who offers them, and only the same claims return their results.
func TestBrowserTools(t *testing.T) {
	offer := func(name string) map[string]any {
		return map[string]any{"clientTools": []any{map[string]any{"name": name, "parameters": map[string]any{"type": "object"}}}}
	}
	b := newTill(t, turn.Queue)
	b.request("b", tomClaims, offer("browserTom"), user("t1", "hello"))
	b.request("a", annClaims, offer("browserAnn"), user("u1", "hello"))
	b.request("b", tomClaims, nil, user("t2", "hello"))
	b.request("a", `{"sub":"ann","scopes":[]}`, nil, user("u2", "hello"))
	b.request("a", someClaims, nil, user("u3", "hello"))
	b.request("a", noneClaims, offer("browserNone"), user("u4", "hello"))
	b.after(time.Minute)
	if want := []string{"browserTom for tom", "browserAnn for ann", "browserTom for tom", "browserAnn for ann"}; !slices.Equal(b.told, want) {
		t.Errorf("told are %q, want %q", b.told, want)
	}
	b.say(annClaims, "u5", order("browserAnn x"))
	b.after(time.Minute)
	var call string
	for _, part := range strings.Split(strings.Join(b.out, "\n"), `\"toolCallId\":\"`)[1:] {
		call, _, _ = strings.Cut(part, `\"`)
	}
	result := map[string]any{"type": "cf_agent_tool_result", "toolCallId": call, "toolName": "browserAnn", "output": order("transfer tom"), "autoContinue": true}
	if out := b.frame("b", tomClaims, result); !strings.Contains(out, "made for somebody else") {
		t.Errorf("Tom's result is answered %s", out)
	}
	b.after(time.Minute)
	b.pays()
	b.frame("a", annClaims, result)
	b.after(time.Minute)
	b.pays("tom for ann")
}

// TestSignalOfOthers: the run goes on with its own claims. Over HTTP the agent asks for a scope.
func TestSignalOfOthers(t *testing.T) {
	b := newTill(t, turn.Queue)
	b.failing = true
	id := b.begun(annClaims, "wait")
	post := func(by string) string {
		b.take()
		b.w.Tell(durable.RequestReceived{Request: "http", Method: "POST", URL: "/agents/till/room/runs/" + id + "/signals/go", Body: []byte(`"x"`), Claims: by})
		return b.take()
	}
	if out := post(tomClaims); !strings.Contains(out, "respond http 403") || !strings.Contains(out, "needs the scope runs:signal") {
		t.Errorf("Tom is answered %s", out)
	}
	b.after(time.Minute)
	b.pays()
	if out := post(`{"sub":"hook","scopes":["runs:signal"]}`); !strings.Contains(out, "respond http 200") {
		t.Errorf("the hook is answered %s", out)
	}
	b.after(time.Minute)
	b.pays("boss for ann")
	if !slices.Equal(b.told, []string{"hook"}) {
		t.Errorf("the signal was from %q", b.told)
	}
}

// TestRequire has methods ask for scopes.
func TestRequire(t *testing.T) {
	b := newTill(t, turn.Queue)
	for by, want := range map[string]string{annClaims: "the method needs the scope money:approve", tomClaims: "the method needs the scope money:send, money:approve", maxClaims: "", "": ""} {
		if got := b.call(by, "guarded", nil); got != want {
			t.Errorf("%s is told %q, want %q", by, got, want)
		}
	}
}
