package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Long work runs in the background. The turn goes on at once, the chat shows a milestone, and the
// model is told the result.
func ExampleDetached() {
	digger := agent.Agent{
		Name: "Digger", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			if err := c.ReportProgress(agent.Progress{Fraction: 0.5, Phase: "digging"}); err != nil {
				return "", err
			}
			if err := flow.Sleep(c, time.Hour); err != nil {
				return "", err
			}
			return "It is old.", c.Milestone("found", "Found "+in.Query+".")
		}),
	}
	assistant := agent.Agent{
		Name: "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](digger, "background", "Digs for something in the background.",
			agent.Detached("notify"), agent.Narrate("found"))},
		Handlers: map[string]agent.RunHook{"notify": agent.Notify},
	}
	for _, line := range talk("Background: a coin", assistant, digger) {
		fmt.Println(line)
	}
	// Output:
	// user: Background: a coin
	// assistant: Here is what came back:
	// assistant: Found a coin.
	// user: (The Digger at work in the background has finished.)
	// assistant: There is news from the background: (The Digger at work in the background has finished.) It is old.
}

// The model reacts to a milestone of a run in the background, while the run goes on. Browsers are
// shown only its beginning and its end. It stops if the person stops the turn that has started it.
func ExampleReact() {
	digger := agent.Agent{
		Name: "Digger", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			if err := c.Milestone("found", in.Query); err != nil {
				return "", err
			}
			return "It is old.", flow.Sleep(c, time.Hour)
		}),
	}
	assistant := agent.Agent{
		Name: "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](digger, "dig", "Digs for something in the background.",
			agent.Detached("ended"), agent.React("found"), agent.HideChunks(), agent.StopWithTurn(), agent.IdleTimeout(2*time.Hour))},
		Handlers: map[string]agent.RunHook{"ended": func(c *agent.Conversation, r agent.RunInfo) error {
			return c.Narrate(r.Summary)
		}},
	}
	for _, line := range talk("Dig: a coin", assistant, digger) {
		fmt.Println(line)
	}
	// Output:
	// user: Dig: a coin
	// assistant: Here is what came back:
	// user: (The Digger at work in the background has reached a milestone: found.)
	// assistant: There is news from the background: (The Digger at work in the background has reached a milestone: found.) a coin
	// assistant: It is old.
}

// The end of a detached run is kept as a dead letter when its handler has failed too often. A page
// lists dead letters and has them delivered again.
func ExampleDeadLetter() {
	fails, stored := true, ""
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](researcher, "look", "Looks something up in the background.", agent.Detached("store"), agent.RunID("tides"))},
		Handlers: map[string]agent.RunHook{"store": func(_ *agent.Conversation, r agent.RunInfo) error {
			if fails {
				return errors.New("the archive is closed")
			}
			stored = r.ID
			return nil
		}},
		Methods: map[string]agent.Method{"deadLetters": agent.ListDeadLetters, "retry": func(call *agent.Call) (any, error) {
			fails = false
			return agent.RetryDeadLetter(call)
		}},
	}
	lines := play([]agent.Agent{assistant, researcher}, "connect tab", "say tab R1 u1: Look: tides", "run",
		`frame tab {"type":"rpc","id":"a","method":"deadLetters","args":[]}`,
		`frame tab {"type":"rpc","id":"b","method":"retry","args":["tides"]}`, "run")
	var reply struct{ Result []agent.DeadLetter }
	must(json.Unmarshal([]byte(frames(lines, "rpc")[0]), &reply))
	for _, letter := range reply.Result {
		fmt.Println(letter.Run.ID, letter.Handler, letter.Attempts, letter.Failure)
	}
	fmt.Println("stored", stored)
	// Output:
	// tides store 5 the archive is closed
	// stored tides
}

// A helper begins long work, and its own run ends. The root hosts the work, and lists it with the
// helper as its origin. Its end goes to the helper's handler.
func ExampleDetached_helper() {
	digger := agent.Agent{
		Name: "Digger", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			return "Found " + in.Query + ".", flow.Sleep(c, time.Hour)
		}),
	}
	foreman := agent.Agent{
		Name: "Foreman", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			if begun := agent.RunAgent(c, digger, in, agent.Detached("dug"), agent.RunID("dig")); !begun.OK {
				return "", errors.New(begun.Error) // the root has no place, for example
			}
			return "It has begun.", nil
		}),
		Handlers: map[string]agent.RunHook{"dug": func(_ *agent.Conversation, r agent.RunInfo) error {
			fmt.Println("the foreman is told:", r.Summary)
			return nil
		}},
	}
	assistant := agent.Agent{
		Name:    "Assistant",
		Tools:   []agent.Tool{agent.AgentTool[question](foreman, "dig", "Has something dug for.", agent.RunID("foreman"))},
		Methods: map[string]agent.Method{"runs": agent.ListRuns},
	}
	lines := play([]agent.Agent{assistant, foreman, digger}, "connect tab", "say tab R1 u1: Dig: a coin", "run",
		`frame tab {"type":"rpc","id":"a","method":"runs","args":[{"detached":true}]}`)
	var reply struct{ Result []agent.RunInfo }
	must(json.Unmarshal([]byte(frames(lines, "rpc")[0]), &reply))
	for _, r := range reply.Result {
		fmt.Println(r.ID, r.Status, "begun by", r.Origin[0].Run)
	}
	// Output:
	// the foreman is told: Found a coin.
	// dig completed begun by foreman
}

// Hooks follow the runs of helpers.
func ExampleRunHook() {
	builder := agent.Agent{
		Name: "Builder", Helper: true, Title: "Build", Icon: "hammer",
		Program: agent.NewProgram(func(c *agent.Context, _ question) (string, error) {
			return "It stands.", c.ReportProgress(agent.Progress{Fraction: 1, Message: "roof"})
		}),
	}
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](builder, "build", "Builds something.")},
		BeforeRun: func(_ *agent.Conversation, r agent.RunInfo) error {
			fmt.Println(r.Class, string(r.Input))
			return nil
		},
		OnProgress: func(_ *agent.Conversation, r agent.RunInfo) error {
			fmt.Println(r.Progress.Fraction, r.Progress.Message)
			return nil
		},
		AfterRun: func(_ *agent.Conversation, r agent.RunInfo) error {
			fmt.Println(r.Status, r.Summary)
			return nil
		},
	}
	talk("Build: a house", assistant, builder)
	// Output:
	// Builder {"query":"a house"}
	// 1 roof
	// completed It stands.
}
