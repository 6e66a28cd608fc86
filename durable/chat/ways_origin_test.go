package chat_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestLetterOfAHelper retries, at the root, the dead letter of a run that Ann's helper has begun. The handler in the
// helper works for who retries it, with the scopes that the run has as well, whatever is lost on the way.
func TestLetterOfAHelper(t *testing.T) {
	for _, loss := range []string{"tick 1ms", "evict", "crash"} {
		for by, want := range map[string]string{annClaims: "ann true", tomClaims: "tom false", maxClaims: "max true", noneClaims: " true"} {
			t.Run(loss+"/"+want, func(t *testing.T) {
				failing := true
				var handled []string
				leaf := agent.Agent{Name: "Leaf", Helper: true, Program: agent.NewProgram(func(*agent.Context, payee) (string, error) { return "done", nil })}
				owner := agent.Agent{
					Name: "Owner", Helper: true,
					Handlers: map[string]agent.RunHook{"mine": func(c *agent.Conversation, _ agent.RunInfo) error {
						if failing {
							return errors.New("it fails")
						}
						handled = append(handled, fmt.Sprint(c.Claims().Subject, " ", c.Claims().Has("money:send")))
						return nil
					}},
					Program: agent.NewProgram(func(c *agent.Context, in payee) (string, error) {
						if begun := agent.RunAgent(c, leaf, in, agent.RunID("leaf"), agent.Detached("mine")); !begun.OK {
							return "", errors.New(begun.Error)
						}
						return "begun", nil
					}),
				}
				root := agent.Agent{
					Name: "Till", Handlers: map[string]agent.RunHook{"ended": func(*agent.Conversation, agent.RunInfo) error { return nil }},
					Methods: map[string]agent.Method{"retry": agent.RetryDeadLetter, "own": func(call *agent.Call) (any, error) {
						return agent.StartDetached(&call.Conversation, owner, "ended", payee{"x"})
					}},
				}
				engine := durabletest.NewNative(1, chattest.Class(root), chattest.Class(owner), chattest.Class(leaf))
				t.Cleanup(func() { engine.Close() })
				b := &till{T: t, w: durabletest.NewWorld(engine, "Till", "room")}
				act(t, b.w, "connect a", "connect b")
				if err := b.call(annClaims, "own", nil); err != "" {
					t.Fatal(err)
				}
				b.after(30 * time.Minute)
				failing = false
				if err := b.call(by, "retry", nil, "leaf"); err != "" {
					t.Fatal(err)
				}
				act(t, b.w, loss)
				b.after(30 * time.Minute)
				if !slices.Equal(handled, []string{want}) {
					t.Errorf("handled for %q, want %q", handled, want)
				}
			})
		}
	}
}
