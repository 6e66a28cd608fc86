package subject

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
)

// workshop returns tools that use more of package flow than the shipped ones.
func workshop() []agent.Tool {
	tools := []agent.Tool{
		agent.NewTool(contract.Relay, "Does three things side by side.", relay),
		agent.NewTool(contract.Hasty, "Tries something for a second.", hasty),
		agent.NewTool(contract.Vain, "Looks for what is not there.", vain),
		agent.NewTool(contract.Careless, "Begins things, and waits for none.", careless),
		agent.NewTool(contract.Follow, "Follows a researcher.", follow),
		agent.NewTool(contract.Mine, "Breaks what it touches.", mine),
	}
	for i, t := range tools {
		tools[i] = t.When(func(vars map[string]string) bool { return vars[contract.WorkshopVar] != "" })
	}
	return tools
}

// nap starts a branch that sleeps and returns its name.
func nap(c *agent.Context, name string, d time.Duration) *flow.Branch[string] {
	return flow.Go(c, name, func() (string, error) { return name, flow.Sleep(c, d) })
}

func relay(c *agent.Context, in query) (contract.ToolResult, error) {
	r := contract.ToolResult{Query: in.Query}
	var err error
	if r.Parts, err = flow.All(nap(c, "one", 2*time.Second), nap(c, "two", time.Second), nap(c, "three", 1500*time.Millisecond)); err != nil {
		return r, err
	}
	first, err := flow.First(nap(c, "slow", 3*time.Second), nap(c, "quick", time.Second), nap(c, "slower", 4*time.Second))
	if err != nil {
		return r, err
	}
	r.Raced = first != "" // the lateness of the alarm decides which of them it is
	return r, flow.Sleep(c, 3*time.Second)
}

// hasty goes on when the time limit of a run, a request and a branch is over. By then the run has
// ended.
func hasty(c *agent.Context, in query) (contract.ToolResult, error) {
	var errand agent.Run
	slept := false
	_, late := flow.Within(c, time.Second, func() (any, error) {
		errand = agent.StartAgent(c, agents.Researcher, in)
		flow.Go(c, "nap", func() (any, error) {
			err := flow.Sleep(c, 2*time.Second)
			slept = err == nil
			return nil, err
		})
		return flow.Fetch(c, flow.Request{URL: contract.ToolServer + "within"})
	})
	run, err := c.Run(errand.ID())
	if err == nil {
		err = flow.Sleep(c, 2*time.Second)
	}
	return contract.ToolResult{Query: in.Query, Late: errors.Is(late, flow.ErrTimeout), WentOn: slept || !run.Status.Final()}, err
}

func vain(c *agent.Context, in query) (any, error) {
	if err := flow.Sleep(c, time.Second); err != nil {
		return nil, err
	}
	return nil, errors.New(contract.VainError(in.Query))
}

func careless(c *agent.Context, in query) (contract.ToolResult, error) {
	flow.Go(c, "left", func() (any, error) { return flow.Fetch(c, flow.Request{URL: contract.ToolServer + "left"}) })
	err := flow.Sleep(c, time.Second)
	agent.StartAgent(c, agents.Researcher, in)
	return contract.ToolResult{Query: in.Query}, err
}

func follow(c *agent.Context, in query) (contract.ToolResult, error) {
	run := agent.StartAgent(c, agents.Researcher, in)
	_, err := c.AwaitMilestone(run.ID(), "the end of the world")
	run.Wait()
	return contract.ToolResult{Query: in.Query, Missed: err != nil}, nil
}

func mine(c *agent.Context, in query) (any, error) {
	if err := flow.Sleep(c, time.Second); err != nil {
		return nil, err
	}
	panic(contract.OnPurpose)
}

// touchy traps before the first step of a turn whose question has the word [contract.Breaks].
func touchy(_ *agent.Conversation, s *agent.StepRequest) error {
	if s.Step == 0 && strings.Contains(fmt.Sprint(s.Messages[len(s.Messages)-1]), contract.Breaks) {
		panic(contract.OnPurpose)
	}
	return nil
}
