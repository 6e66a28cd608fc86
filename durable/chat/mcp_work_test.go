//go:build !wasip1

package chat_test

import (
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
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/internal/draw"
)

// instalments is a workflow that pays, sleeps, and pays again.
var instalments = agent.Agent{
	Name: "Instalments", Helper: true, Tools: []agent.Tool{transfer},
	Program: agent.NewProgram(func(c *agent.Context, in payment) (string, error) {
		for _, to := range []string{"1", "2"} {
			if _, err := agent.Act[receipt](c, transfer, payment{in.To + to, in.Amount}); err != nil {
				return "", err
			}
			if err := flow.Sleep(c, time.Minute); err != nil {
				return "", err
			}
		}
		return "both are paid", nil
	}),
}

// worked returns a bank whose agent does work of every kind for other programs, and one of them.
func worked(t *testing.T) (*bank, *program) {
	t.Helper()
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, Tools: []agent.Tool{transfer}}
	known := agent.NewTool("known", "Pays under a key.", func(c *agent.Context, in payment) (receipt, error) {
		r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/pay", Body: []byte(`{"to":"` + in.To + `"}`)}, agent.Idempotent())
		return receipt{string(r.Body)}, err
	})
	names := []string{"book", "delegate", "hand", "known", "transfer"}
	b := openBank(t, agent.Agent{
		Name: "Own", Model: obedient{}, Methods: map[string]agent.Method{"actions": agent.ListActions},
		Tools: []agent.Tool{
			transfer, known, delegate("delegate", clerk),
			agent.AgentTool[payment](instalments, "book", "Books."), agent.AgentTool[word](clerk, "hand", "Hands a word to a helper."),
		},
		Expose: &agent.Expose{Tools: names, Tasks: names, Chat: true, Resources: true},
	}, clerk, instalments)
	return b, &program{t: t, w: b.w, capabilities: takesTasks}
}

// begin begins a task.
func (b *bank) begin(p *program, params string) (id string) {
	b.t.Helper()
	request, lines := p.send("tools/call", params)
	b.see(lines)
	id, _ = taskOf(b.t, p.answer(request, lines))
	return fmt.Sprintf(`"taskId":%q`, id)
}

// ask asks for a task.
func (b *bank) ask(p *program, task string) string {
	b.t.Helper()
	request, lines := p.send("tasks/get", task)
	b.see(lines)
	return p.answer(request, lines)
}

// forget has all memory be lost, and with it the requests that are under way.
func (b *bank) forget(loss string) {
	b.t.Helper()
	b.asked = nil
	if loss == "crash" {
		b.do("crash")
		return
	}
	for _, slot := range b.w.Slots() {
		b.w.Evict(slot)
	}
	b.look()
}

// TestWorkOfTasksSurvivesLosses calls tools that do work of every kind, as tasks. All memory is lost at each
// moment, and nobody wakes the object but itself. There is one result, and each effect happens once.
func TestWorkOfTasksSurvivesLosses(t *testing.T) {
	const pays = `\"to\":\"A\",\"amount\":1`
	for _, tt := range []struct {
		title, params, want string
		effects             int
	}{
		{"an action", `"name":"transfer","arguments":{"to":"A","amount":1}`, `"structuredContent":{"receipt":"r1"}`, 1},
		{"code that fetches", `"name":"known","arguments":{"to":"A","amount":1}`, `"structuredContent":{"receipt":"r1"}`, -1},
		{"a helper", `"name":"delegate","arguments":{"say":"transfer {` + pays + `}"}`, `"ok":true,"summary":"{\"receipt\":\"r1\"}"`, 1},
		{"a helper as a tool", `"name":"hand","arguments":{"word":"transfer {` + pays + `}"}`, `"ok":true,"summary":"{\"receipt\":\"r1\"}"`, 1},
		{"a workflow", `"name":"book","arguments":{"to":"A","amount":1}`, `"ok":true,"summary":"both are paid"`, 2},
	} {
		for _, loss := range []string{"crash", "evict"} {
			t.Run(tt.title+", "+loss, func(t *testing.T) {
				for at := range draw.Moments(t) {
					b, p := worked(t)
					b.do("hold")
					lost := false
					task := b.begin(p, tt.params)
					for n := 0; ; n++ {
						if n == at {
							b.forget(loss)
							lost = true
						}
						if !b.step() {
							break
						}
						if n > 2000 {
							t.Fatalf("%d: it does not come to an end", at)
						}
					}
					got := b.ask(p, task)
					if _, status := taskOf(t, got); status != "completed" || !strings.Contains(got, tt.want) || strings.Contains(got, `"isError"`) {
						t.Fatalf("%d: got %s\nwant %s", at, got, tt.want)
					}
					want(t, b.ask(p, task), got)
					if tt.effects >= 0 && b.effects() != tt.effects {
						t.Fatalf("%d: %d effects, want %d", at, b.effects(), tt.effects)
					}
					if tt.effects < 0 { // the bank recognises its key
						for _, key := range b.keys {
							want(t, key, b.keys[0])
						}
					}
					if !lost {
						if at < 5 {
							t.Errorf("only %d moments", at)
						}
						break
					}
				}
			})
		}
	}
}

// TestKeyOfCallsFromOutside has a program use one key twice at once, and again when both calls have ended.
func TestKeyOfCallsFromOutside(t *testing.T) {
	b, p := worked(t)
	const call = `"name":"transfer","arguments":{"to":"A","amount":1}`
	tasks := []string{b.begin(p, call), b.begin(p, call)}
	b.finish()
	for _, task := range tasks {
		has(t, b.ask(p, task), `"completed"`, `"structuredContent":{"receipt":"r1"}`)
	}
	has(t, p.ask("tools/call", call), `"structuredContent":{"receipt":"r1"}`)
	has(t, p.ask("tools/call", `"name":"transfer","arguments":{"to":"A","amount":2}`), `"isError":true`, "belongs to another input")
	b.look()
	b.want("effects", b.effects(), 1)
}

// TestChatSurvivesLosses asks the agent as a task, and loses all memory at each moment. The answer of the
// turn is the result.
func TestChatSurvivesLosses(t *testing.T) {
	for _, loss := range []string{"crash", "evict"} {
		for at := range draw.Moments(t) {
			b, p := worked(t)
			b.do("hold")
			lost := false
			request, lines := p.send("tools/call", `"name":"ask","arguments":{"message":"delegate {\"say\":\"transfer {\\\"to\\\":\\\"A\\\",\\\"amount\\\":1}\"}"}`)
			b.see(lines)
			p.t, lines = t, nil
			for lines == nil { // the handle comes after two seconds
				b.w.Tick()
				got := b.w.Take()
				b.see(got)
				if strings.Contains(strings.Join(got, "\n"), "respond "+request) {
					lines = got
				}
			}
			id, _ := taskOf(t, p.answer(request, lines))
			task := fmt.Sprintf(`"taskId":%q`, id)
			for n := 0; ; n++ {
				if n == at {
					b.forget(loss)
					lost = true
				}
				if !b.step() {
					break
				}
				if n > 2000 {
					t.Fatalf("%s %d: it does not come to an end", loss, at)
				}
			}
			got := b.ask(p, task)
			if _, status := taskOf(t, got); status != "completed" || !strings.Contains(got, `\"receipt\`) || strings.Contains(got, `"isError"`) || b.effects() != 1 {
				t.Fatalf("%s %d: got %s, %d effects", loss, at, got, b.effects())
			}
			if !lost {
				if at < 5 {
					t.Errorf("%s: only %d moments", loss, at)
				}
				break
			}
		}
	}
}

// failing is a model that fails.
type failing struct{}

func (failing) Name() string { return "failing" }

func (failing) Begin(*durable.Tx, string, model.Request) (model.Answer, error) {
	return nil, errors.New("the model is out of order")
}

// TestChatThatFails checks that a failed turn is a failure in words.
func TestChatThatFails(t *testing.T) {
	engine := durabletest.NewNative(1, chattest.Class(agent.Agent{Name: "Own", Model: failing{}, Expose: &agent.Expose{Chat: true}}))
	t.Cleanup(func() { _ = engine.Close() })
	p := &program{t: t, w: durabletest.NewWorld(engine, "Own", "room"), capabilities: takesTasks}
	request, lines := p.send("tools/call", `"name":"ask","arguments":{"message":"hello"}`)
	got := p.answer(request, append(lines, p.do("tick 1s")...))
	has(t, got, `"isError":true`, "the turn has ended as", "the model is out of order")
}
