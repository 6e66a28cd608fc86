package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// clerkOf is a program, and a root whose tool runs it.
func clerkOf(program agent.Program) []agent.Agent {
	clerk := agent.Agent{Name: "Clerk", Helper: true, Program: program}
	root := agent.Agent{Name: "Office", Tools: []agent.Tool{{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		o, err := agent.StartAgent(c, clerk, input, agent.Prompt("")).Outcome()
		return json.RawMessage(`"` + o.Summary + `"`), err
	}}}}
	return []agent.Agent{root, clerk}
}

func clerksRoom(agents []agent.Agent) (*durabletest.World, *durabletest.Native) {
	engine := durabletest.NewNative(1, chattest.Class(agents[0]), chattest.Class(agents[1]))
	return durabletest.NewWorld(engine, agents[0].Name, "room"), engine
}

// deliver has three steps: one that succeeds at once, one that fails twice, and one that has a pause
// inside.
func deliver(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
	pauses := flow.Retry{Attempts: 3, Delay: func(n int, _ error) time.Duration { return time.Duration(n) * 2 * time.Minute }}
	for _, failures := range []int{0, 2, 0} {
		if _, err := flow.Do(c, "deliver", func(a *flow.Attempt) (string, error) {
			if a.Number() <= failures {
				return "", fmt.Errorf("nobody is at home")
			}
			return a.Key(), nil
		}, pauses); err != nil {
			return nil, err
		}
	}
	_, err := flow.Do(c, "wait", func(a *flow.Attempt) (int, error) { return 1, flow.Sleep(a, 3*time.Minute) })
	return json.RawMessage(`"delivered"`), err
}

var stepChunk = regexp.MustCompile(`\{\\+"type\\+":\\+"data-step\\+".*?\}\}`)

// shownSteps are the chunks of steps that tab a was sent, each once.
func shownSteps(out string) (all []string) {
	for _, chunk := range stepChunk.FindAllString(out, -1) {
		if chunk = strings.ReplaceAll(chunk, `\`, ""); !slices.Contains(all, chunk) {
			all = append(all, chunk)
		}
	}
	return all
}

// TestStepsAreShown checks the chunks and the stored parts of a program's steps, with memory lost
// between all events of the root, of the helper, and of both.
func TestStepsAreShown(t *testing.T) {
	step := func(id, name, data string) string {
		return fmt.Sprintf(`{"type":"data-step","id":"%s","data":{"name":"%s",%s}}`, id, name, data)
	}
	want := []string{
		step("0", "deliver", `"state":"running","attempt":1,"attempts":3`),
		step("0", "deliver", `"state":"completed","attempt":1,"attempts":3`),
		step("1", "deliver (2)", `"state":"running","attempt":1,"attempts":3`),
		step("1", "deliver (2)", `"state":"waiting","attempt":1,"attempts":3,"error":"nobody is at home","retryAt":AT`),
		step("1", "deliver (2)", `"state":"running","attempt":2,"attempts":3`),
		step("1", "deliver (2)", `"state":"waiting","attempt":2,"attempts":3,"error":"nobody is at home","retryAt":AT`),
		step("1", "deliver (2)", `"state":"running","attempt":3,"attempts":3`),
		step("1", "deliver (2)", `"state":"completed","attempt":3,"attempts":3`),
		step("2", "deliver (3)", `"state":"running","attempt":1,"attempts":3`),
		step("2", "deliver (3)", `"state":"completed","attempt":1,"attempts":3`),
		step("3", "wait", `"state":"running","attempt":1,"attempts":5`),
		step("3", "wait", `"state":"completed","attempt":1,"attempts":5`),
	}
	for _, lost := range [][]string{nil, {"evict"}, {"evict 1"}, {"evict 1", "evict"}} {
		t.Run(fmt.Sprint(lost), func(t *testing.T) {
			w, engine := clerksRoom(clerkOf(deliver))
			act(t, w, "connect a", "say a R1 u1: tool=research go", "tick 1s")
			for range 40 {
				for _, action := range lost {
					if err := w.Do(action); err != nil && !strings.Contains(err.Error(), "nobody lives in") {
						t.Fatal(err)
					}
				}
				act(t, w, "tick 30s")
			}
			act(t, w, "run")
			out := strings.Join(w.Take(), "\n")
			got := shownSteps(regexp.MustCompile(`retryAt(\\+)":\d+`).ReplaceAllString(out, `retryAt$1":AT`))
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if !strings.Contains(out, "delivered") || strings.Contains(out, "trap") {
				t.Error("it does not deliver")
			}
			if n := sql(t, engine, `SELECT COUNT(*) FROM await`)[0].Int(0); n != 0 {
				t.Errorf("%d awaits are left", n)
			}
		})
	}
}

// TestStepsBeyondTheLimitAreNotShown checks that they run.
func TestStepsBeyondTheLimitAreNotShown(t *testing.T) {
	ran := 0
	w, _ := clerksRoom(clerkOf(func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		for range limit.Steps + 1 {
			if _, err := flow.Do(c, strings.Repeat("n", limit.StepName+1), func(*flow.Attempt) (int, error) { ran++; return ran, nil }); err != nil {
				return nil, err
			}
		}
		_, err := flow.Do(c, "late", func(*flow.Attempt) (int, error) { return 0, errors.New("unseen") }, flow.Retry{Attempts: 1})
		return json.RawMessage(`"all done"`), func() error {
			if err == nil {
				return errors.New("the last step has not run")
			}
			return nil
		}()
	}))
	act(t, w, "connect a", "say a R1 u1: tool=research go", "tick 1s", "run")
	out := strings.Join(w.Take(), "\n")
	if n := len(shownSteps(out)); n != 2*limit.Steps || ran != limit.Steps+1 {
		t.Errorf("%d chunks for %d steps", n, ran)
	}
	if !strings.Contains(out, "all done") || strings.Contains(out, "unseen") || !strings.Contains(out, "n… (cut off here, 129 bytes in all)") {
		t.Error("something else is shown")
	}
}

// TestErrorOfAStepIsBounded checks what is shown of it.
func TestErrorOfAStepIsBounded(t *testing.T) {
	w, _ := clerksRoom(clerkOf(func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		_, err := flow.Do(c, "s", func(*flow.Attempt) (int, error) { return 0, errors.New(strings.Repeat("<", limit.StepError+1)) },
			flow.Retry{Attempts: 2, First: time.Minute})
		return json.RawMessage(`"done"`), err
	}))
	act(t, w, "connect a", "say a R1 u1: tool=research go", "tick 1s")
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, strings.Repeat("<", limit.StepError)+"… (cut off here, 513 bytes in all)") {
		t.Errorf("got %s", out)
	}
}

// TestRunKeepsItsVersion changes the version of a program while it sleeps. The run goes on under its
// own, and the next one has the other.
func TestRunKeepsItsVersion(t *testing.T) {
	var seen []string
	agents := clerkOf(func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		before := agent.Version(c)
		err := flow.Sleep(c, 10*time.Minute)
		seen = append(seen, before+agent.Version(c))
		return json.RawMessage(`"` + agent.Version(c) + `"`), err
	})
	version := "1"
	agents[0].Tools[0].Run = func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		clerk := agents[1]
		clerk.Version = version
		run := agent.StartAgent(c, clerk, input, agent.Prompt(""))
		if _, err := run.Outcome(); err != nil {
			return nil, err
		}
		info, err := c.Run(run.ID())
		return json.RawMessage(`"` + info.Version + agent.Version(c) + `"`), err
	}
	w, _ := clerksRoom(agents)
	act(t, w, "connect a", "say a R1 u1: tool=research go", "tick 1s")
	version = "2"
	act(t, w, "evict", "tick 11m", "run", "say a R2 u2: tool=research go", "tick 1s", "tick 11m", "run")
	if want := []string{"11", "22"}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{`"output\":\"1\"`, `"output\":\"2\"`} {
		if !strings.Contains(out, strings.ReplaceAll(want, `"`, `\"`)) && !strings.Contains(out, want) {
			t.Errorf("no %s in the answer", want)
		}
	}
}
