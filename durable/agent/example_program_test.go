package agent_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// A helper can be a program instead of a chat agent. What it says is shown while it works, and what
// it returns is a Go value for the caller.
func ExampleNewProgram() {
	type tide struct {
		Place string `json:"place"`
		Hours int    `json:"hours" jsonschema:"until the water is high"`
	}
	tides := agent.Agent{
		Name: "Tides", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (tide, error) {
			if err := c.Say("Looking at the moon. "); err != nil {
				return tide{}, err
			}
			if in.Query == "Bern" {
				return tide{}, errors.New("there is no sea in Bern")
			}
			return tide{Place: in.Query, Hours: 6}, flow.Sleep(c, time.Hour)
		}),
	}
	tell := func(c *agent.Context, in question) (string, error) {
		t, err := agent.RunAgentAs[tide](c, tides, in)
		if err != nil {
			return "no tide: " + err.Error(), nil
		}
		return fmt.Sprintf("%s: high water in %d hours", t.Place, t.Hours), nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("research", "Tells the tide.", tell)}}
	for _, place := range []string{"Brest", "Bern"} {
		var told string
		ask("Research "+place, &told, assistant, tides)
		fmt.Println(told)
	}
	// Output:
	// Brest: high water in 6 hours
	// no tide: there is no sea in Bern
}

// Code waits for a milestone of a helper, and goes on while the helper still works.
func ExampleContext_AwaitMilestone() {
	digger := agent.Agent{
		Name: "Digger", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			if err := c.ReportProgress(agent.Progress{Fraction: 0.5, Phase: "digging"}); err != nil {
				return "", err
			}
			if err := c.Milestone("found", in.Query); err != nil {
				return "", err
			}
			return "It is clean.", flow.Sleep(c, time.Hour)
		}),
	}
	dig := func(c *agent.Context, in question) (string, error) {
		r := agent.StartAgent(c, digger, in)
		m, err := c.AwaitMilestone(r.ID(), "found")
		if err != nil {
			return "", err
		}
		info, err := c.Run(r.ID())
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, while %s at %v: %s", m.Data, info.Progress.Phase, info.Progress.Fraction, r.Wait().Summary), nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("dig", "Digs for something.", dig)}}
	var told string
	ask("Dig: a coin", &told, assistant, digger)
	fmt.Println(told)
	// Output: "a coin", while digging at 0.5: It is clean.
}

// A run that has begun goes on under the version that it has begun with.
func ExampleVersion() {
	courier := agent.Agent{
		Name: "Courier", Helper: true, Version: "2",
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			return flow.Do(c, "deliver", func(a *flow.Attempt) (string, error) {
				if a.Number() == 1 {
					return "", errors.New("nobody is at home")
				}
				return fmt.Sprintf("%s, at attempt %d, by version %s", in.Query, a.Number(), agent.Version(c)), nil
			})
		}),
	}
	send := func(c *agent.Context, in question) (string, error) {
		return agent.RunAgent(c, courier, in).Summary, nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("research", "Sends it.", send)}}
	var told string
	ask("Research Bern", &told, assistant, courier)
	fmt.Println(told)
	// Output: Bern, at attempt 2, by version 2
}
