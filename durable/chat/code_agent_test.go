//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/turn"
)

// codeWorld returns a world with an agent whose model runs code.
func codeWorld(t *testing.T, a agent.Agent) *durabletest.World {
	t.Helper()
	a.Name, a.Model = "Own", chattest.Coding{}
	engine := durabletest.NewNative(1, chattest.Class(a))
	t.Cleanup(func() { engine.Close() })
	return durabletest.NewWorld(engine, "Own", "room")
}

type word struct {
	Word string `json:"word"`
}

// echo returns its input.
func echo(_ *agent.Context, in word) (word, error) { return in, nil }

func wantCode(t *testing.T, got ranCode, output string, calls ...string) {
	t.Helper()
	if got.output != output {
		t.Errorf("got %.1000s\nwant %s", got.output, output)
	}
	if fmt.Sprintf("%q", got.calls) != fmt.Sprintf("%q", calls) {
		t.Errorf("got the calls %.1000q\nwant %q", got.calls, calls)
	}
}

// TestHooksOfCallsOfCode checks that the hooks apply to the calls of code, also if memory is lost.
func TestHooksOfCallsOfCode(t *testing.T) {
	for _, lose := range []bool{false, true} {
		nap := agent.NewTool("nap", "", func(c *agent.Context, in word) (word, error) { return in, flow.Sleep(c, time.Second) })
		w := codeWorld(t, agent.Agent{
			Tools: []agent.Tool{agent.Code(nap)},
			Hooks: agent.Hooks{
				BeforeCall: func(_ *agent.Conversation, call *agent.ToolCall) error {
					if call.Name != "nap" {
						return nil
					}
					if strings.Contains(string(call.Input), "never") {
						return errors.New("not this word")
					}
					call.Input = json.RawMessage(`{"word":"changed"}`)
					return nil
				},
				AfterCall: func(_ *agent.Conversation, call *agent.ToolCall) error {
					if call.Name == "nap" && call.Failure == "" {
						call.Output = json.RawMessage(`[` + string(call.Output) + `]`)
					}
					return nil
				},
			},
		})
		got := runCodeIn(t, w, `return [await tools.nap({word: "a"}), await tools.nap({word: "never"}).catch(e => e.message)]`, lose)
		wantCode(t, got, `{"status":"completed","result":[[{"word":"changed"}],"not this word"]}`,
			`1 output-available [{"word":"changed"}]`, `2 output-error not this word`)
	}
}

// TestScopesOfCallsOfCode checks that a call whose scope is missing is refused, and that nobody is asked
// about it.
func TestScopesOfCallsOfCode(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{
		agent.Code(agent.NewTool("secret", "", echo).Requires("secrets").NeedsApproval(nil)),
	}})
	act(t, w, `as {"sub":"ann","scopes":["chat"]}`)
	got := runCodeIn(t, w, `return await tools.secret({word: "a"}).catch(e => e.message)`, false)
	words := "the call was refused: secret requires the scope secrets, which this conversation has not been granted"
	wantCode(t, got, `{"status":"completed","result":"`+words+`"}`, `1 output-error `+words)
}

// TestApproverOfCallsOfCode checks that only a person with the scopes can approve a call of code.
func TestApproverOfCallsOfCode(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{
		agent.Code(agent.NewTool("pay", "", echo).NeedsApproval(nil).Approver("payments")),
	}})
	act(t, w, `as {"sub":"ann","scopes":[]}`, "connect a", `say a R1 u1: code: return await tools.pay({word: "a"})`, "tick 10s", "approve a "+firstCall+"/1", "tick 10s")
	if lines := strings.Join(w.Take(), "\n"); !strings.Contains(lines, "needs the scope payments") {
		t.Errorf("a person without the scope is told %.2000s", lines)
	}
	act(t, w, `as {"sub":"eve","scopes":["payments"]}`, "connect b", "approve b "+firstCall+"/1", "tick 10s", "get /agents/x/room/get-messages")
	wantCode(t, readCode(t, w.Take()), `{"status":"completed","result":{"word":"a"}}`, `1 output-available {"word":"a"}`)
}

// TestResultOfABrowserApprovesNothing checks that a browser cannot stand for a tool of the server.
func TestResultOfABrowserApprovesNothing(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(agent.NewTool("pay", "", echo).NeedsApproval(nil))}})
	got := runCodeIn(t, w, `return await tools.pay({word: "a"})`, false, "result a "+firstCall+`/1 {"word":"mine"}`)
	wantCode(t, got, ``, `1 approval-requested`)
}

// TestToolThatIsRemoved checks that a deployment which removes a tool fails the call under way, and
// nothing else.
func TestToolThatIsRemoved(t *testing.T) {
	removed := false
	pay := agent.NewTool("pay", "", echo).NeedsApproval(nil).When(func(map[string]string) bool { return !removed })
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{pay, agent.NewTool("echo", "", echo), agent.Code()}})
	act(t, w, "connect a", `say a R1 u1: code: return [await tools.pay({word: "a"}).catch(e => e.message), await tools.echo({word: "b"})]`, "tick 10s")
	removed = true
	act(t, w, "evict", "approve a "+firstCall+"/1", "tick 10s", "get /agents/x/room/get-messages")
	words := "there is no tool named pay any more"
	wantCode(t, readCode(t, w.Take()), `{"status":"completed","result":["`+words+`",{"word":"b"}]}`, `1 output-error `+words, `2 output-available {"word":"b"}`)
}

// TestManyLargeCalls checks that what a message shows of the calls of code is bounded, and that the code
// gets all of it.
func TestManyLargeCalls(t *testing.T) {
	large := agent.NewTool("large", "", func(*agent.Context, word) (string, error) { return strings.Repeat("x", 200_000), nil })
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(large)}})
	got := runCodeIn(t, w, `let n = 0; for (let i = 0; i < 60; i++) n += (await tools.large({word: "y".repeat(100000)})).length; return n`, false)
	if want := `{"status":"completed","result":12000000}`; got.output != want || len(got.calls) != 60 {
		t.Errorf("got %s and %d calls, want %s and 60", got.output, len(got.calls), want)
	}
	act(t, w, "get /agents/x/room/get-messages")
	lines := w.Take()
	if n := len(lines[len(lines)-1]); n > limit.Message {
		t.Errorf("the messages have %d bytes, more than one may have", n)
	}
}

// TestCodeIsInspected checks what the inspector says of code that waits for a person.
func TestCodeIsInspected(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(agent.NewTool("pay", "", echo).NeedsApproval(nil), agent.NewTool("echo", "", echo))}})
	act(t, w, "var TRIBUTARY_ENV=development", "connect a", `say a R1 u1: code: await tools.echo({word: "a"}); await tools.pay({word: "secret"})`, "tick 20s")
	rows := strings.Join(sectionRows(t, w, "a", "code"), "; ")
	for _, want := range []string{"state: waits for a person", "calls: 2", "answered: 1", "stretch: 2", "time_left: 60000"} {
		if !strings.Contains(rows, want) {
			t.Errorf("got %s, want %s in it", rows, want)
		}
	}
	if strings.Contains(rows, "secret") {
		t.Errorf("the section shows the input of a call: %s", rows)
	}
}

// TestCodeCannotBeNested checks that the code of a tool cannot call the tool that runs code.
func TestCodeCannotBeNested(t *testing.T) {
	code := agent.Code(agent.NewTool("echo", "", echo))
	outer := agent.NewTool("outer", "", func(c *agent.Context, _ word) (json.RawMessage, error) {
		return agent.Act[json.RawMessage](c, code, map[string]string{"code": "1"})
	})
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{code, outer, agent.Code(outer)}[1:]})
	got := runCodeIn(t, w, `return await tools.outer({word: ""})`, false)
	words := "code is run for a call of the model alone"
	wantCode(t, got, `{"status":"failed","error":"Error: `+words+` (line 1)","calls":1}`, `1 output-error `+words)
}

// fuse traps after a second, each time that the code which has called it goes on.
var fuse = agent.NewTool("fuse", "", func(c *agent.Context, in word) (word, error) {
	if err := flow.Sleep(c, time.Second); err != nil {
		return in, err
	}
	panic("burnt through")
})

// TestTrapBesideAStretch has a tool trap each time that the code which has called it goes on, while a stretch of the code
// waits for its event. The turn fails in the end.
func TestTrapBesideAStretch(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(fuse, agent.NewTool("echo", "", echo))}})
	act(t, w, `connect a`, `say a R1 u1: code: return await Promise.all([tools.fuse({word: "a"}), tools.echo({word: "b"})])`)
	for stretches := 0; stretches < 2; {
		act(t, w, "tick")
		stretches += strings.Count(strings.Join(w.Take(), "\n"), "timer stretch ")
	}
	act(t, w, "evict")
	for range 100 {
		act(t, w, "tick")
		if strings.Contains(strings.Join(w.Take(), "\n"), turn.ErrRetries.Error()) {
			return
		}
	}
	t.Error("the turn goes on for ever")
}

// TestCallsOfCodeThatFailsItsTurn checks that the calls of code end with the turn that goes on with it after an approval,
// although the turn fails while the code is not in memory.
func TestCallsOfCodeThatFailsItsTurn(t *testing.T) {
	nap := func(c *agent.Context, in word) (word, error) { return in, flow.Sleep(c, time.Second) }
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(
		fuse, agent.NewTool("nap", "", nap).NeedsApproval(nil), agent.NewTool("ask", "", echo).NeedsApproval(nil),
	)}})
	settle := func() {
		for idle := 0; idle < 4; idle++ {
			act(t, w, "tick")
			if len(w.Take()) > 0 {
				idle = 0
			}
		}
	}
	act(t, w, "connect a", `say a R1 u1: code: const nap = tools.nap({word: "a"}); await tools.ask({word: "b"}); await Promise.all([nap, tools.fuse({word: "c"})])`)
	settle()
	act(t, w, "approve a "+firstCall+"/1", "approve a "+firstCall+"/2")
	settle()
	act(t, w, "get /agents/x/room/get-messages")
	wantCode(t, readCode(t, w.Take()), "the turn failed", "1 output-error the turn failed", `2 output-available {"word":"b"}`, "3 output-error the turn failed")
}

// TestCodeWhoseQuestionIsGone has a call of code ask a person behind its approval, in a later message, and removes that
// message by an edit. The code is over then, and so are all its calls.
func TestCodeWhoseQuestionIsGone(t *testing.T) {
	book := agent.NewTool("book", "", func(c *agent.Context, in word) (word, error) {
		_, err := agent.Ask[bool](c, agent.Question{Title: "Really?"})
		return in, err
	})
	for name, code := range map[string]string{
		"one call":            `return await tools.book({word: "a"})`,
		"beside another call": `return await Promise.all([tools.book({word: "a"}), tools.book({word: "b"})])`,
		"behind another call": `await tools.echo({word: "c"}); return await tools.book({word: "a"})`,
	} {
		t.Run(name, func(t *testing.T) {
			w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(book.NeedsApproval(nil), agent.NewTool("echo", "", echo))}})
			act(t, w, "connect a", "say a R1 u1: code: "+code, "tick 10s")
			act(t, w, "say a R2 u1: code: "+code+" | $R1 | u2: hello chunks=1", "tick 10s")
			for n := 1; n <= 2; n++ {
				act(t, w, fmt.Sprint("approve a ", firstCall, "/", n), "tick 10s")
			}
			act(t, w, "say a R4 u1: code: "+code+" | $R1 | u2: edited chunks=1", "tick 10s", "get /agents/x/room/get-messages")
			got := readCode(t, w.Take())
			if got.output != "what it asked was withdrawn" {
				t.Errorf("the code has ended with %s", got.output)
			}
			for _, call := range got.calls {
				if !strings.Contains(call, "output-") {
					t.Errorf("a call of code that is over is open: %s", call)
				}
			}
			if len(got.calls) == 0 {
				t.Error("there are no calls")
			}
		})
	}
}
