package agent_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/run"
)

// The code of a tool can have several helpers active at the same time. It is straight-line Go, and
// survives the loss of its instance at every point where it waits.
func ExampleStartAgent() {
	type pair struct {
		A string `json:"a"`
		B string `json:"b"`
	}
	compare := func(c *agent.Context, in pair) ([]string, error) {
		a, b := agent.StartAgent(c, researcher, question{in.A}), agent.StartAgent(c, researcher, question{in.B})
		return []string{firstLine(a.Wait().Summary), firstLine(b.Wait().Summary)}, nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("compare", "Compares two things.", compare)}}
	var found []string
	ask("Compare tides and currents", &found, assistant, researcher)
	fmt.Println(strings.Join(found, ", "))
	// Output: ### tides, ### currents
}

// A budget limits the cost of one turn with all its helpers, hooks see their runs, and a page
// manages them by methods.
func ExampleAgent() {
	assistant := agent.Agent{
		Name:   "Assistant",
		Tools:  []agent.Tool{agent.AgentTool[question](researcher, "research", "Has a researcher look something up.")},
		Budget: run.Budget{Tokens: 100_000, ModelCalls: 20},
		Runs:   run.Limits{Concurrent: 4},
		BeforeRun: func(_ *agent.Conversation, r agent.RunInfo) error {
			if strings.Contains(string(r.Input), "secret") {
				return errors.New("secrets are not looked up")
			}
			return nil
		},
		Methods: map[string]agent.Method{"runs": agent.ListRuns, "cancelRun": agent.CancelRun},
	}
	var result agent.Result
	ask("Research secret things", &result, assistant, researcher)
	fmt.Println(result.OK, result.Reason, result.Error)
	// Output: false refused secrets are not looked up
}

// A run that has the id of another one joins it. The helper works once, and both get its result.
func ExampleRunID() {
	twice := func(c *agent.Context, in question) ([]string, error) {
		a, b := agent.StartAgent(c, researcher, in, agent.RunID("tides")), agent.StartAgent(c, researcher, in, agent.RunID("tides"))
		told := []string{firstLine(a.Wait().Summary), firstLine(b.Wait().Summary)}
		runs, err := c.Runs(run.Filter{})
		return append(told, fmt.Sprint(len(runs), " run")), err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("twice", "Asks twice.", twice)}}
	var told []string
	ask("Twice the tides", &told, assistant, researcher)
	fmt.Println(strings.Join(told, ", "))
	// Output: ### the tides, ### the tides, 1 run
}

// The input, the words for the helper's model, and the title and input that a browser shows are set
// one by one.
func ExamplePreview() {
	look := func(c *agent.Context, in question) ([]string, error) {
		r := agent.StartAgent(c, researcher, in, agent.Prompt("the tides"), agent.Preview("something"), agent.Display("Look-up", "search"))
		summary := r.Wait().Summary
		info, err := c.Run(r.ID())
		return []string{firstLine(summary), string(info.Preview), string(info.Display)}, err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("look", "Looks something up.", look)}}
	var told []string
	ask("Look: a secret", &told, assistant, researcher)
	fmt.Println(strings.Join(told, "\n"))
	// Output:
	// ### the tides
	// "something"
	// {"name":"Look-up","icon":"search"}
}

// Limits say how many helpers work at a time, and Keep how many runs are kept.
func ExampleAgent_limits() {
	many := func(c *agent.Context, in question) ([]string, error) {
		a := agent.StartAgent(c, researcher, in)
		b := agent.StartAgent(c, researcher, in)
		hasty := agent.RunAgent(c, researcher, in, agent.NoQueue())
		told := []string{firstLine(a.Wait().Summary), firstLine(b.Wait().Summary), hasty.Error}
		return told, nil
	}
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewTool("many", "Asks several researchers.", many)},
		Runs:  run.Limits{Concurrent: 1, Queued: 8},
		Keep:  run.Keep{Runs: 100, Age: 24 * time.Hour, Status: map[run.Status]run.Keep{run.Failed: {Runs: 10, Age: time.Hour}}},
	}
	var told []string
	ask("Many tides", &told, assistant, researcher)
	fmt.Println(strings.Join(told, "\n"))
	// Output:
	// ### tides
	// ### tides
	// all of 1 helpers are at work
}
