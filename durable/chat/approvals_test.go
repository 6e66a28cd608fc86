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
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/internal/draw"
)

// desk is a conversation whose tools pay people when somebody has approved it: in the conversation,
// in a helper, and in a helper of a helper.
type desk struct {
	*testing.T
	w      *durabletest.World
	engine *losing
	// paid are the people who were paid, in order. subjects are those for whom.
	paid, subjects []string
	// steps counts the events and messages so far. All memory is lost after the number loseAfter.
	steps, loseAfter int
	// out are the lines so far.
	out []string
}

// within is how long the questions of the desk wait.
const within = 48 * time.Hour

func newDesk(t *testing.T) *desk {
	t.Helper()
	b := &desk{T: t, loseAfter: -1}
	pay := agent.NewTool("pay", "Pays somebody.", func(c *agent.Context, in payee) (string, error) {
		return flow.Step(c, "pay", func(*durable.Tx) (string, error) {
			b.paid, b.subjects = append(b.paid, in.To), append(b.subjects, c.Claims().Subject)
			return "paid " + in.To, nil
		})
	}).NeedsApproval(nil).Requires("desk:pay").Approver("desk:approve").AnswerWithin(within).
		With(agent.Explain(func(in payee) agent.Explanation {
			return agent.Explanation{Title: "Pay " + in.To, Text: "This cannot be undone.", Risk: agent.RiskHigh}
		}))
	wonder := agent.NewTool("wonder", "Asks.", func(c *agent.Context, in payee) (string, error) {
		a, err := agent.Ask[bool](c, agent.Question{Title: "Is it " + in.To + "?", Text: "Look.", Expires: within})
		return fmt.Sprint(a.Value, a.Reason), err
	})
	guess := agent.NewTool("guess", "Asks.", func(c *agent.Context, in payee) (string, error) {
		a, err := agent.Ask[string](c, agent.Question{Title: "Who is " + in.To + "?", Expires: within})
		return a.Value + a.Reason, err
	})
	remit := agent.NewTool("remit", "Pays somebody once.", func(c *agent.Context, in payee) (string, error) {
		return "remitted to " + in.To, nil
	}).With(agent.Once(func(in payee) string { return "remit:" + in.To }), agent.Undo(func(c *agent.Context, _ payee, _ string) error {
		_, err := flow.Step(c, "take back", func(*durable.Tx) (any, error) { b.subjects = append(b.subjects, c.Claims().Subject); return nil, nil })
		return err
	})).Across().Requires("desk:pay").NeedsApproval(nil).Approver("desk:approve")
	wary := agent.NewTool("wary", "Asks before it pays somebody once.", func(c *agent.Context, in payee) (string, error) {
		if a, err := agent.Ask[bool](c, agent.Question{Title: "Is it " + in.To + "?"}); err != nil || !a.Value {
			return "", errors.Join(err, errors.New("no"))
		}
		if c.Claims().Has("desk:approve") { // nobody who pays here has it
			return "", fmt.Errorf("the claims are %+v", c.Claims())
		}
		return agent.Act[string](c, remit, in)
	})
	junior := agent.Agent{Name: "Junior", Helper: true, Tools: []agent.Tool{pay}}
	clerk := agent.Agent{Name: "Clerk", Helper: true, Tools: []agent.Tool{pay, wonder, remit, wary, agent.AgentTool[payee](junior, "refer", "Refers it.")}}
	later := agent.NewTool("later", "Notes it.", func(c *agent.Context, in payee) (string, error) {
		_, err := c.Schedule(schedule.After(time.Minute), "remind", in.To)
		return "noted", err
	})
	both := agent.NewTool("both", "Pays twice.", func(c *agent.Context, in payee) (string, error) {
		first, second := agent.StartAgent(c, clerk, payee{"pay " + in.To}), agent.StartAgent(c, clerk, payee{"refer pay " + in.To})
		return first.Wait().Summary + second.Wait().Summary, nil
	})
	root := agent.Agent{
		Name:  "Desk",
		Tools: []agent.Tool{pay, later, both, wonder, guess, remit, wary, agent.AgentTool[payee](clerk, "delegate", "Delegates it.")},
		Methods: map[string]agent.Method{
			"pendingApprovals": agent.PendingApprovals, "approve": agent.Approve, "deny": agent.Deny, "submit": agent.SubmitTurn,
			"pause": agent.PauseRun, "resume": agent.ResumeRun, "restart": agent.RestartRun, "actions": agent.ListActions, "undo": agent.UndoCall,
		},
		Callbacks: map[string]agent.Callback{"remind": agent.NewCallback(func(c *agent.Conversation, to string, _ agent.Scheduled) error {
			return c.Notify("Pay " + to)
		})},
		Grant: func(in agent.TurnInfo, c agent.Claims) []string {
			if c.Subject == "boss" {
				return append(slices.Clone(c.Scopes), "desk:pay", "desk:approve")
			}
			return c.Scopes
		},
	}
	b.engine = &losing{Native: durabletest.NewNative(1, chattest.Class(root), chattest.Class(clerk), chattest.Class(junior)), dies: -1}
	t.Cleanup(func() { b.engine.Close() })
	b.w = durabletest.NewWorld(b.engine, "Desk", "room")
	act(t, b.w, "hold", "connect a", "connect b")
	return b
}

// The claims of people.
const (
	payerClaims    = `{"sub":"ann","scopes":["desk:pay","secret:scope"],"exp":9}`
	approverClaims = `{"sub":"eve","scopes":["desk:approve","secret:scope"]}`
	nothing        = `{"sub":"tom","scopes":[]}`
	boss           = `{"sub":"boss"}`
)

// settle lets everything happen that happens within a time.
func (b *desk) settle(d time.Duration) {
	b.Helper()
	for until := b.w.Now() + d.Milliseconds(); ; b.steps++ {
		if b.steps == b.loseAfter {
			for _, slot := range b.w.Slots() {
				b.w.Evict(slot)
			}
		}
		b.revive()
		at, due := b.w.Due()
		switch lanes := b.w.Lanes(); {
		case len(lanes) > 0:
			b.w.Deliver(lanes[0])
		case due && at <= until:
			b.w.Tick()
		default:
			b.take()
			return
		}
	}
}

// revive opens the tabs again if the process has died, and says whether it had.
func (b *desk) revive() bool {
	b.Helper()
	if !b.engine.hit {
		return false
	}
	b.engine.hit = false
	b.w.Crash()
	act(b.T, b.w, "connect a", "connect b")
	return true
}

func (b *desk) take() {
	b.Helper()
	if lines := transcriptOf(b.T, b.w); lines != "" {
		b.out = append(b.out, strings.Split(lines, "\n")...)
	}
}

// frame delivers a frame of a person.
func (b *desk) frame(conn, claims string, frame map[string]any) {
	b.Helper()
	b.take()
	sendAs(b.w, conn, claims, frame)
}

// say sends a message of a person.
func (b *desk) say(claims, id, text string) {
	b.Helper()
	b.frame("a", claims, requestFrame("R"+id, nil, user(id, text)))
}

// call calls a method and decodes its result. It returns the error that the method has.
func (b *desk) call(claims, method string, result any, args ...any) string {
	b.Helper()
	b.frame("b", claims, callFrame(method, args...))
	lines := b.w.Take()
	b.out = append(b.out, lines...)
	if failure, answered := answerTo(b.T, "b", lines, result); answered {
		return failure
	}
	if !b.revive() {
		b.Fatalf("%s is not answered", method)
	}
	return b.call(claims, method, result, args...)
}

// pending is the list of questions.
func (b *desk) pending() []run.Pending {
	b.Helper()
	var raw json.RawMessage
	var list []run.Pending
	if err := b.call("", "pendingApprovals", &raw); err != "" {
		b.Fatal(err)
	}
	if err := json.Unmarshal(raw, &list); err != nil || strings.Contains(string(raw), "null") {
		b.Errorf("the list is %s, %v", raw, err)
	}
	return list
}

// question is the only question.
func (b *desk) question() run.Pending {
	b.Helper()
	list := b.pending()
	if len(list) != 1 {
		b.Fatalf("%d questions are pending, want one: %+v", len(list), list)
	}
	return list[0]
}

// post answers a question by HTTP, and returns the status and the body.
func (b *desk) post(claims, id, body string) string {
	b.Helper()
	b.take()
	b.w.Tell(durable.RequestReceived{Request: "http", Method: "POST", URL: "/agents/desk/room/approvals/" + id, Body: []byte(body), Claims: claims})
	lines := b.w.Take()
	b.out = append(b.out, lines...)
	for _, line := range lines {
		if _, answer, ok := strings.Cut(line, "respond http "); ok {
			return answer
		}
	}
	if !b.revive() {
		b.Fatal("the request is not answered")
	}
	return b.post(claims, id, body)
}

// lost checks a scenario with a loss of all memory at each of its moments.
func lost(t *testing.T, scenario func(b *desk)) {
	t.Helper()
	t.Parallel()
	b := newDesk(t)
	scenario(b)
	moments := b.steps
	if moments < 5 {
		t.Fatalf("the scenario has %d moments only", moments)
	}
	for n := range draw.Moments(t) {
		if n >= moments {
			break
		}
		b := newDesk(t)
		b.loseAfter = n
		scenario(b)
		if t.Failed() {
			t.Fatalf("with a loss after %d of %d", n, moments)
		}
	}
}

// dying checks a scenario with the death of the process behind the commit of each event, before the
// commands of the event are performed.
func dying(t *testing.T, scenario func(b *desk)) {
	t.Helper()
	for n := range draw.Moments(t) {
		b := newDesk(t)
		b.engine.dies = n
		scenario(b)
		if t.Failed() {
			t.Fatalf("with the commands of event %d lost", n)
		}
		if b.engine.dies >= 0 {
			return
		}
	}
}

// check checks a scenario, and with losses if its words make a helper ask.
func check(t *testing.T, words string, scenario func(b *desk)) {
	t.Helper()
	if origins[words] == 1 {
		lost(t, scenario)
		return
	}
	scenario(newDesk(t))
}

// origins are the words that make the desk ask, and how many runs stand between the root and the
// conversation that asks.
var origins = map[string]int{"Pay bob": 0, "Delegate pay bob": 1, "Delegate refer pay bob": 2}

// TestApprovedTwiceRunsOnce approves a call from two tabs, and by a request after that (D5). The
// call runs once, and the later answers are told who has answered.
func TestApprovedTwiceRunsOnce(t *testing.T) {
	for words, depth := range origins {
		t.Run(words, func(t *testing.T) {
			scenario := func(b *desk) {
				b.say(payerClaims, "u1", words)
				b.settle(time.Hour)
				q := b.question()
				if len(q.Path) != depth {
					t.Errorf("the path is %v, want %d runs", q.Path, depth)
				}
				asked := b.w.Now()
				b.frame("a", approverClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": q.ID, "approved": true, "autoContinue": true})
				if list := b.pending(); len(list) != 0 {
					t.Errorf("it is still pending: %+v", list)
				}
				var over agent.Answered
				if err := b.call(boss, "deny", &over, q.ID, "no"); err != "" || over != (agent.Answered{ID: q.ID, Status: "over", Approved: true, By: "eve", At: asked}) {
					t.Errorf("the second answer got %+v, %s", over, err)
				}
				b.settle(time.Hour)
				if got, want := b.post(boss, q.ID, `{"approved":true}`), fmt.Sprintf(`409 cache-control="no-store" content-type="application/json" {"id":"%s","status":"over","approved":true,"by":"eve","at":%d}`, q.ID, asked); got != want {
					t.Errorf("got %s\nwant %s", got, want)
				}
				b.settle(time.Hour)
				if !slices.Equal(b.paid, []string{"bob"}) || b.subjects[0] != "ann" {
					t.Errorf("%v were paid, for %v", b.paid, b.subjects)
				}
				if list := b.pending(); len(list) != 0 {
					t.Errorf("it is pending again: %+v", list)
				}
			}
			if depth < 2 {
				dying(t, scenario)
			}
			lost(t, scenario)
		})
	}
}

// TestDeniedWithAReason denies a call with a reason, which the model is told (D7).
func TestDeniedWithAReason(t *testing.T) {
	for words := range origins {
		t.Run(words, func(t *testing.T) {
			check(t, words, func(b *desk) {
				b.say(payerClaims, "u1", words)
				b.settle(time.Hour)
				var denied agent.Answered
				if err := b.call(boss, "deny", &denied, b.question().ID, "bob has been paid"); err != "" || denied.Status != "denied" {
					t.Fatalf("got %+v, %s", denied, err)
				}
				b.settle(time.Hour)
				if list := b.pending(); len(list) != 0 || len(b.paid) > 0 {
					t.Errorf("%v were paid, %+v are pending", b.paid, list)
				}
				if out := strings.Join(b.out, "\n"); !strings.Contains(strings.ReplaceAll(out, `" }`, ``), "a person has denied this call: bob has been paid") || !strings.Contains(out, `"reason":"bob has been paid"`) && !strings.Contains(out, `\"reason\":\"bob has been paid\"`) {
					t.Errorf("the reason is not told: %s", out)
				}
			})
		})
	}
}

// TestNobodyAnswers waits until the time for the answer is over (D7). The model is told, the list is
// empty, and nothing is held before or after.
func TestNobodyAnswers(t *testing.T) {
	for words := range origins {
		t.Run(words, func(t *testing.T) {
			lost(t, func(b *desk) {
				b.say(payerClaims, "u1", words)
				b.settle(time.Hour)
				q := b.question()
				if q.Expires-q.Asked != within.Milliseconds() {
					t.Errorf("it waits for %d ms", q.Expires-q.Asked)
				}
				b.settle(time.Hour) // a parent that is opened asks its helpers whether they still wait
				if held := b.w.Holding(); !slices.Equal(held, []string{"an alarm"}) || b.w.Alarm() != q.Expires {
					t.Errorf("it holds %v, and the alarm is at %d", held, b.w.Alarm())
				}
				b.settle(within)
				b.settle(time.Hour)
				if list := b.pending(); len(list) != 0 || len(b.paid) > 0 {
					t.Errorf("%v were paid, %+v are pending", b.paid, list)
				}
				if out := strings.Join(b.out, "\n"); !strings.Contains(out, "this call was denied, because nobody has answered within 2 days") {
					t.Errorf("the model is not told: %s", out)
				}
				if held := b.w.Holding(); len(held) > 0 {
					t.Errorf("it holds %v", held)
				}
				var over agent.Answered
				if err := b.call(boss, "approve", &over, q.ID); len(q.Path) == 0 && (err != "" || over.Status != "over" || over.By != "") {
					t.Errorf("a late answer got %+v, %s", over, err)
				}
			})
		})
	}
}

// TestScopes checks who may call a tool, and who may approve it (D6).
func TestScopes(t *testing.T) {
	for words, depth := range origins {
		t.Run(words, func(t *testing.T) {
			check(t, words, func(b *desk) {
				b.say(nothing, "u1", words)
				b.settle(time.Hour)
				if list := b.pending(); len(list) > 0 {
					t.Errorf("a person is asked: %+v", list)
				}
				if out := strings.Join(b.out, "\n"); !strings.Contains(out, "pay requires the scope desk:pay, which this conversation has not been granted") {
					t.Errorf("the model is not told: %s", out)
				}
				b.say(payerClaims, "u2", words)
				b.settle(time.Hour)
				q := b.question()
				b.out = nil
				b.frame("a", payerClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": q.ID, "approved": true, "autoContinue": true})
				b.take()
				if out := strings.Join(b.out, "\n"); !strings.Contains(out, "needs the scope desk:approve") || depth == 0 && !strings.Contains(out, `"state":"approval-requested"`) || strings.Contains(out, "send b") {
					t.Errorf("the sender is told %s", out)
				}
				if err := b.call(payerClaims, "approve", nil, q.ID); err != "the answer to \""+q.ID+"\" needs the scope desk:approve" {
					t.Errorf("the caller is told %s", err)
				}
				if got := b.post(payerClaims, q.ID, `{"approved":false}`); !strings.HasPrefix(got, "403 ") || !strings.HasSuffix(got, `"missing":["desk:approve"]}`) {
					t.Errorf("the request got %s", got)
				}
				b.settle(time.Hour)
				if again := b.question(); fmt.Sprint(again) != fmt.Sprint(q) {
					t.Errorf("the question was %+v, and is %+v", q, again)
				}
				if got := b.post(approverClaims, q.ID, `{"approved":true}`); !strings.HasPrefix(got, "200 ") {
					t.Errorf("the request got %s", got)
				}
				b.settle(time.Hour)
				if !slices.Equal(b.paid, []string{"bob"}) {
					t.Errorf("%v were paid", b.paid)
				}
			})
		})
	}
}

// TestPendingApprovals lists a question of each origin (D10), before and after all memory is lost.
func TestPendingApprovals(t *testing.T) {
	lost(t, func(b *desk) {
		for n, words := range []string{"Pay ann", "Both bob"} {
			b.say(boss, fmt.Sprint("u", n), words)
			b.settle(time.Hour)
		}
		list := b.pending()
		var got []string
		for _, q := range list {
			got = append(got, fmt.Sprintf("%d %s %s %s: %s. %s %s %v %d", len(q.Path), q.Kind, q.Tool, q.Input, q.Title, q.Text, q.Risk, q.Scopes, q.Expires-q.Asked))
		}
		want := []string{
			`0 approval pay {"to":"ann"}: Pay ann. This cannot be undone. high [desk:approve] 172800000`,
			`1 approval pay {"to":"bob"}: Pay bob. This cannot be undone. high [desk:approve] 172800000`,
			`2 approval pay {"to":"bob"}: Pay bob. This cannot be undone. high [desk:approve] 172800000`,
		}
		if !slices.Equal(got, want) {
			b.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		b.w.Crash()
		act(b.T, b.w, "connect b")
		b.settle(time.Hour)
		if again := b.pending(); fmt.Sprint(again) != fmt.Sprint(list) {
			b.Errorf("the list was\n%+v\nand is\n%+v", list, again)
		}
		b.settle(time.Hour)
		if held := b.w.Holding(); !slices.Equal(held, []string{"an alarm"}) {
			b.Errorf("it holds %v", held)
		}
	})
}

// TestBadAnswers sends requests that cannot be answered with 200.
func TestBadAnswers(t *testing.T) {
	b := newDesk(t)
	b.say(boss, "u1", "Pay bob")
	b.settle(time.Hour)
	id := b.question().ID
	for _, test := range []struct{ body, id, want string }{
		{"", id, "400 "},
		{"[]", id, "400 "},
		{`{"reason":"no"}`, id, "400 "},
		{`{"approved":1}`, id, "400 "},
		{`{"approved":true}`, "other", "404 "},
		{`{"approved":true}`, "%zz", "404 "},
	} {
		if got := b.post(boss, test.id, test.body); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s to %s got %s, want %s", test.body, test.id, got, test.want)
		}
	}
	act(t, b.w, "get /agents/desk/room/approvals/"+id)
	if out := transcriptOf(t, b.w); !strings.Contains(out, "respond http 405") {
		t.Errorf("a request to read it got %s", out)
	}
	if err := b.call(boss, "approve", nil, "other"); err != `there is no question "other"` {
		t.Errorf("the caller is told %s", err)
	}
	b.question()
}

// TestClaimsAreHandedOn checks for whom the work is done that a turn leaves behind.
func TestClaimsAreHandedOn(t *testing.T) {
	b := newDesk(t)
	b.say(payerClaims, "u1", "Later bob")
	b.settle(time.Hour)
	b.call(boss, "submit", nil, map[string]string{"text": "Pay cyd"})
	b.settle(time.Hour)
	for _, q := range b.pending() {
		b.call(approverClaims, "approve", nil, q.ID)
		b.settle(time.Hour)
	}
	if got := fmt.Sprint(b.paid, b.subjects); got != "[bob cyd] [ann boss]" {
		t.Errorf("paid are %s", got)
	}
}

// TestPausedRunIsInTheList pauses a run that asks, answers it, and has the run go on. The boss lacks one of its
// scopes, so he cannot have it go on. The run that repeats it for the boss works for him.
func TestPausedRunIsInTheList(t *testing.T) {
	lost(t, func(b *desk) {
		b.say(payerClaims, "u1", "Delegate pay bob")
		b.settle(time.Hour)
		asked := b.question()
		id := asked.Path[0]
		if err := b.call(boss, "pause", nil, id); err != "" {
			b.Fatal(err)
		}
		b.settle(time.Hour)
		if q := b.question(); fmt.Sprint(q) != fmt.Sprint(asked) {
			b.Errorf("the question was %+v and is %+v", asked, q)
		}
		if err := b.call(payerClaims, "approve", nil, asked.ID); !strings.Contains(err, "needs the scope desk:approve") {
			b.Errorf("the payerClaims is told %q", err)
		}
		if err := b.call(approverClaims, "approve", nil, asked.ID); err != "" {
			b.Fatal(err)
		}
		b.settle(time.Hour)
		if len(b.paid) > 0 || len(b.pending()) > 0 {
			b.Errorf("paid is %v, and pending are %v", b.paid, b.pending())
		}
		if err := b.call(boss, "resume", nil, id); !strings.Contains(err, "works with scopes that you lack") {
			b.Errorf("the boss is told %q", err)
		}
		b.call(payerClaims, "resume", nil, id)
		b.settle(time.Hour)
		if err := b.call(boss, "restart", nil, id); err != "" {
			b.Fatal(err)
		}
		b.settle(time.Hour)
		b.call(approverClaims, "approve", nil, b.question().ID)
		b.settle(time.Hour)
		if got := fmt.Sprint(b.paid, b.subjects); got != "[bob bob] [ann boss]" {
			b.Errorf("paid are %s", got)
		}
	})
}

// TestDevelopmentGrantsEverything has everything done without claims.
func TestDevelopmentGrantsEverything(t *testing.T) {
	b := newDesk(t)
	b.say("", "u1", "Delegate pay bob")
	b.settle(time.Hour)
	if err := b.call("", "approve", nil, b.question().ID); err != "" {
		t.Error(err)
	}
	b.settle(time.Hour)
	if !slices.Equal(b.paid, []string{"bob"}) {
		t.Errorf("%v were paid", b.paid)
	}
}

// TestClaimsAreShownToNobody looks for claims in all that leaves the object.
func TestClaimsAreShownToNobody(t *testing.T) {
	b := newDesk(t)
	b.w.Set("TRIBUTARY_ENV", "development")
	b.w.Crash()
	act(t, b.w, "connect a", "connect b")
	for n, words := range []string{"Later ann", "Delegate refer pay bob"} {
		b.say(payerClaims, fmt.Sprint("u", n), words)
		b.settle(time.Second)
	}
	b.settle(time.Hour)
	for range 2 { // ann is paid when the question of the helper is answered
		q := b.question()
		b.frame("a", payerClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": q.ID, "approved": true, "autoContinue": true})
		b.call(approverClaims, "approve", nil, q.ID)
		var storage json.RawMessage
		b.call(approverClaims, "inspect", &storage)
		if !strings.Contains(string(storage), `"answer"`) || !strings.Contains(string(storage), `"ann"`) {
			t.Errorf("answers and subjects are not inspected: %s", storage)
		}
		b.settle(time.Hour)
	}
	if len(b.paid) != 2 {
		t.Errorf("%v were paid", b.paid)
	}
	if out := strings.Join(b.out, "\n"); strings.Contains(out, "secret:scope") {
		t.Error("claims are shown")
	}
}

// TestPendingQuestions lists what code asks, at the root and in a helper, and answers it.
func TestPendingQuestions(t *testing.T) {
	for words, depth := range map[string]int{"Wonder bob": 0, "Delegate wonder bob": 1} {
		t.Run(words, func(t *testing.T) {
			lost(t, func(b *desk) {
				b.say(nothing, "u1", words)
				b.settle(time.Hour)
				q := b.question()
				if len(q.Path) != depth || q.Kind != run.Form || q.Tool != "ask" || q.Title != "Is it bob?" || q.Text != "Look." || !strings.Contains(string(q.Input), `"schema"`) || q.Expires-b.w.Now() > within.Milliseconds() || q.Expires == 0 {
					t.Errorf("the question is %+v", q)
				}
				var taken agent.Answered
				if err := b.call(nothing, "deny", &taken, q.ID, "it is cyd"); err != "" || taken.Status != "denied" {
					t.Errorf("got %+v, %s", taken, err)
				}
				if got := b.post(nothing, q.ID, `{"approved":true}`); !strings.HasPrefix(got, "409 ") || !strings.Contains(got, `"by":"tom"`) {
					t.Errorf("a second answer got %s", got)
				}
				b.settle(time.Hour)
				if list := b.pending(); len(list) > 0 {
					t.Errorf("it is still pending: %+v", list)
				}
				if out := strings.Join(b.out, "\n"); !strings.Contains(out, "falseit is cyd") {
					t.Errorf("the code is not told: %s", out)
				}
			})
		})
	}
	b := newDesk(t)
	b.say(nothing, "u1", "Guess bob")
	b.settle(time.Hour)
	if got := b.post(nothing, b.question().ID, `{"approved":true}`); !strings.HasPrefix(got, "400 ") {
		t.Errorf("yes to a question for a value got %s", got)
	}
}

// TestAnotherTurnRunsAnApprovedCall has the question of another person begin between the answer and
// the turn that was queued for it. The approved call works for the person who has asked for it.
func TestAnotherTurnRunsAnApprovedCall(t *testing.T) {
	b := newDesk(t)
	b.say(payerClaims, "u1", "Pay bob")
	b.settle(time.Hour)
	id := b.question().ID
	b.say(nothing, "u2", "chunks=3 delay=10")
	b.say(nothing, "u3", "chunks=1")
	if err := b.call(approverClaims, "approve", nil, id); err != "" {
		t.Fatal(err)
	}
	b.settle(time.Hour)
	if got := fmt.Sprint(b.paid, b.subjects); got != "[bob] [ann]" {
		t.Errorf("paid are %s", got)
	}
}

// TestLedgerNamesPeople checks whom the ledger names of a call that was approved, and of one whose code
// has asked a person and has gone on in another turn. Undoing it works for the person who wants that.
func TestLedgerNamesPeople(t *testing.T) {
	for words, approvedBy := range map[string]string{"Remit bob": "eve", "Delegate remit bob": "eve", "Wary bob": "", "Delegate wary bob": ""} {
		t.Run(words, func(t *testing.T) {
			lost(t, func(b *desk) {
				b.say(payerClaims, "u1", words)
				b.settle(time.Hour)
				b.frame("a", approverClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": b.question().ID, "approved": true, "autoContinue": true})
				b.settle(time.Hour)
				var page agent.ActionPage
				if err := b.call(nothing, "actions", &page); err != "" || len(page.Actions) != 1 {
					t.Fatalf("got %+v, %s: %s", page, err, strings.Join(b.out, "\n"))
				}
				if a := page.Actions[0]; a.State != agent.ActionDone || a.Key != "remit:bob" || a.By != "ann" || a.ApprovedBy != approvedBy {
					t.Errorf("got %+v", a)
				}
				if err := b.call(nothing, "undo", nil, page.Actions[0].ID); !strings.Contains(err, "needs the scope desk:pay") {
					t.Errorf("it is undone without the scope of the tool: %q", err)
				}
				if err := b.call(payerClaims, "undo", nil, page.Actions[0].ID); err != "" {
					t.Errorf("it cannot be undone: %s", err)
				}
				b.settle(time.Hour)
				if !slices.Equal(b.subjects, []string{"ann"}) {
					t.Errorf("it was undone for %q, and ann has asked for that", b.subjects)
				}
			})
		})
	}
}

// TestActChecksScopes has code call a tool for a person who lacks the tool's scope.
func TestActChecksScopes(t *testing.T) {
	for _, words := range []string{"Wary bob", "Delegate wary bob"} {
		t.Run(words, func(t *testing.T) {
			lost(t, func(b *desk) {
				b.say(nothing, "u1", words)
				b.settle(time.Hour)
				b.frame("a", approverClaims, map[string]any{"type": "cf_agent_tool_approval", "toolCallId": b.question().ID, "approved": true, "autoContinue": true})
				b.settle(time.Hour)
				var page agent.ActionPage
				if err := b.call(nothing, "actions", &page); err != "" || len(page.Actions) != 0 {
					t.Errorf("got %+v, %s", page, err)
				}
				if out := strings.Join(b.out, "\n"); !strings.Contains(out, "remit requires the scope desk:pay, which this conversation has not been granted") {
					t.Errorf("the model is not told: %s", out)
				}
			})
		})
	}
}
