package simtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/schedule"
)

type room struct {
	Guest  string   `json:"guest"`
	Nights int      `json:"nights"`
	With   []string `json:"with,omitempty"`
	View   *struct {
		Sea bool `json:"sea"`
	} `json:"view,omitempty"`
}

type report struct {
	Found  string  `json:"found"`
	Rating float64 `json:"rating"`
}

func answer(_ *agent.Context, r room) (string, error) { return "A room for " + r.Guest, nil }

// ran counts what a model has called, by name. Nothing depends on it.
type ran map[string]int

// count returns the tools with a count of the calls that had a result.
func (r ran) count(a agent.Agent) agent.Agent {
	a.Hooks.AfterCall = func(_ *agent.Conversation, call *agent.ToolCall) error {
		if call.Failure == "" {
			r[call.Name]++
		}
		return nil
	}
	return a
}

func classes(agents ...agent.Agent) (all []durable.Class) {
	for _, a := range agents {
		all = append(all, chat.Class(a, demo.Provider))
	}
	return all
}

// found runs worlds of the first of some agents, which is a root.
func found(t *testing.T, seeds int, agents ...agent.Agent) (finding, summary) {
	t.Helper()
	own, simulated := declared(t, classes(agents...))
	return search(Options{Seeds: seeds}.seeds(t, 1), sim.Subject{Root: agents[0].Name, Own: own, Engine: func(seed uint32) durabletest.Inspector {
		return durabletest.NewNative(seed, simulated...)
	}})
}

// desk is a root that has much of what agents can have.
func desk() (root, clerk, porter agent.Agent) {
	porter = agent.Agent{Name: "NightPorter", Helper: true, Program: agent.NewProgram(func(c *agent.Context, r room) (report, error) {
		if r.Nights < 0 {
			return report{}, errors.New("there are no such nights")
		}
		if err := c.Say("on my way"); err != nil {
			return report{}, err
		}
		return report{Found: r.Guest, Rating: 0.5}, flow.Sleep(c, 5*time.Second)
	})}
	clerk = agent.Agent{Name: "DeskClerk", Helper: true, Tools: []agent.Tool{
		agent.NewTool("look", "Looks at a room.", answer).NeedsApproval(nil),
		agent.AgentTool[room](porter, "send", "Sends the porter.", agent.Timeout(time.Minute)),
	}}
	fetch := func(c *agent.Context, r room) (int, error) {
		response, err := flow.Fetch(c, flow.Request{URL: "https://hotel.test/" + r.Guest})
		return response.Status, err
	}
	ask := func(c *agent.Context, r room) (report, error) {
		return agent.RunAgentAs[report](c, clerk, r)
	}
	remind := func(c *agent.Context, r room) (any, error) {
		return flow.Step(c, "remind", func(*durable.Tx) (any, error) { return r.Nights, nil })
	}
	root = agent.Agent{
		Name: "FrontDesk", DuringTurn: "", Tools: []agent.Tool{
			agent.NewTool("plan", "Has the name of a tool that the simulator knows.", answer),
			agent.NewTool("mine", "So has this one.", remind),
			agent.NewTool("rates", "Asks a server.", fetch),
			agent.NewTool("ask", "Has a clerk answer with JSON.", ask),
			agent.WithOutput[report](agent.NewClientTool[room]("pick", "Has the guest pick a room.")),
			agent.AgentTool[room](clerk, "clerk", "Has a clerk do it."),
			agent.AgentTool[room](porter, "later", "Has the porter do it later.", agent.Detached("told")),
			agent.NewTool("keep", "Needs approval.", answer).NeedsApproval(nil),
		},
		Handlers: map[string]agent.RunHook{"told": func(c *agent.Conversation, r agent.RunInfo) error {
			if _, err := c.Schedule(schedule.Every(time.Hour), "ring", nil, schedule.ID("ring")); err != nil {
				return err
			}
			return agent.Notify(c, r)
		}},
		Callbacks: map[string]agent.Callback{"ring": agent.NewCallback(func(c *agent.Conversation, _ any, _ agent.Scheduled) error {
			return c.Notify("It is time for tea.")
		})},
	}
	return root, clerk, porter
}

// TestSoundAgents shows that agents with tools of all kinds, programs and schedules pass.
func TestSoundAgents(t *testing.T) {
	root, clerk, porter := desk()
	for name, change := range map[string]func(*agent.Agent){
		"as they are": func(*agent.Agent) {},
		"with hooks and limits": func(a *agent.Agent) {
			a.DuringTurn, a.MaxSteps, a.History = "merge", 2, 500
			a.Hooks.BeforeStep = func(_ *agent.Conversation, s *agent.StepRequest) error {
				if strings.Contains(fmt.Sprint(s.Messages[len(s.Messages)-1]), "b") && s.Step == 1 {
					return errors.New("refused")
				}
				return nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := root
			change(&a)
			all := ran{}
			if f, sum := found(t, 60, all.count(a), all.count(clerk), porter); f != (finding{}) {
				t.Errorf("seed %d, %+v: %s", f.seed, sum, f.why)
			}
			for _, of := range []agent.Agent{a, clerk} {
				for _, tool := range of.Tools {
					if all[tool.Name] == 0 {
						t.Errorf("%s of %s has never had a result: %v", tool.Name, of.Name, all)
					}
				}
			}
		})
	}
}

// TestPanics shows that a conversation goes on behind a tool that panics on some inputs.
func TestPanics(t *testing.T) {
	f, all := found(t, 60, agent.Agent{Name: "Rash", Tools: []agent.Tool{
		agent.NewTool("cut", "Cuts something.", func(_ *agent.Context, r room) (string, error) { return r.Guest[:r.Nights], nil }),
	}})
	if f != (finding{}) || all.traps < 50 {
		t.Errorf("seed %d, %+v: %s", f.seed, all, f.why)
	}
}

// TestMistakes shows that each mistake of an author is found, and what is said of it.
func TestMistakes(t *testing.T) {
	naps, numbers := 0, 0
	porter := agent.Agent{Name: "Porter", Helper: true}
	detached := func(handlers map[string]agent.RunHook) agent.Agent {
		return agent.Agent{Name: "Loose", Handlers: handlers, Tools: []agent.Tool{agent.AgentTool[room](porter, "later", "Later.", agent.Detached("told"))}}
	}
	for name, c := range map[string]struct {
		root agent.Agent
		says string
	}{
		"a counter decides what is awaited": {agent.Agent{Name: "Counts", Tools: []agent.Tool{
			agent.NewTool("nap", "Sleeps.", func(c *agent.Context, _ room) (string, error) {
				if naps++; naps%2 == 0 {
					flow.Now(c)
				}
				return "slept", flow.Sleep(c, 20*time.Second)
			}),
		}}, ""},
		"a counter is in the result": {agent.Agent{Name: "Counts", Tools: []agent.Tool{
			agent.NewTool("number", "Gives a number.", func(*agent.Context, room) (int, error) {
				numbers++
				return numbers, nil
			}),
		}}, "neither its input nor in its journal"},
		"a handler fails":      {detached(map[string]agent.RunHook{"told": func(*agent.Conversation, agent.RunInfo) error { return errors.New("not now") }}), `the handler "told" has failed 5 times: not now`},
		"a handler panics":     {detached(map[string]agent.RunHook{"told": func(*agent.Conversation, agent.RunInfo) error { panic("not now") }}), `the handler "told" has failed`},
		"a handler is missing": {detached(nil), `no handler would be given the end of a run`},
		"a helper is no class": {agent.Agent{Name: "Alone", Tools: []agent.Tool{agent.AgentTool[room](agent.Agent{Name: "Ghost", Helper: true}, "haunt", "Haunts.")}}, "not among the classes"},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := found(t, 100, c.root, porter)
			if f == (finding{}) || !strings.Contains(f.why, c.says) {
				t.Errorf("got seed %d and %q, want %q", f.seed, f.why, c.says)
			}
		})
	}
}
