package agents

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

// Assistant is the agent that people talk to. Its tools are helpers.
var Assistant = agent.Agent{
	Name:  "Assistant",
	Title: "Tributary",
	Description: "An assistant written in Go, at home in a Durable Object. " +
		"What you ask joins the stream; the answer comes down it as it is written.",
	Suggestions: []string{
		"What can you do?",
		"Compare HTTP/3 and gRPC",
		"Plan a release with config/.env, and ask me first",
		"Look into durable execution meanwhile tool=background",
		"workflow: report 3 on the history of tea",
		"act: pay 120 to Ada",
		`code: const found = await Promise.all(["tea", "ink"].map(query => tools.web_search({ query }))); return found.flat().length`,
		"Answer slowly, so that I can stop you chunks=200 delay=120",
	},
	Instructions: "You are a helpful assistant. Answer clearly and to the point, in the language of the question. " +
		"Use Markdown where it helps the reader. Have helpers look things up, compare and plan where that serves the answer.",
	Tools: []agent.Tool{
		research,
		agent.AgentTool[question](Researcher, "background", "Has a researcher look something up in the background, and tells you when that is done.",
			agent.Detached("notify"), agent.Narrate("searched")),
		agent.AgentTool[task](Planner, "plan", "Has a planner work out the steps to a goal."),
		commissioned, Pay,
		agent.Code(search, research, Pay),
		agent.NewTool("compare", "Has two researchers look at two things side by side.", compare),
		agent.NewTool("fan", "Puts many researchers to work at once, to see what the system bears.", fan).When(development),
	},
	Methods: map[string]agent.Method{
		"usage":     func(call *agent.Call) (any, error) { return call.Usage(), nil },
		"runs":      agent.ListRuns,
		"run":       agent.InspectRun,
		"cancelRun": agent.CancelRun,
		"deleteRun": agent.DeleteRun,

		"pauseRun":   agent.PauseRun,
		"resumeRun":  agent.ResumeRun,
		"restartRun": agent.RestartRun,
		"signal":     agent.SendSignal,

		"pendingApprovals": agent.PendingApprovals,
		"approve":          agent.Approve,
		"deny":             agent.Deny,

		"actions":      agent.ListActions,
		"settleAction": agent.SettleAction,
		"undoCall":     agent.UndoCall,

		"runTurn":          agent.RunTurn,
		"submitTurn":       agent.SubmitTurn,
		"submissions":      agent.ListSubmissions,
		"submission":       agent.InspectSubmission,
		"cancelSubmission": agent.CancelSubmission,

		"deadLetters": agent.ListDeadLetters,
		"retryLetter": agent.RetryDeadLetter,
	},
	Handlers: map[string]agent.RunHook{"notify": agent.Notify},
	// People add servers whose tools the Assistant uses. Other programs use the Assistant as a server.
	MCP: &agent.MCP{Editable: true, Approve: agent.ApproveWrites},
	Expose: &agent.Expose{
		Tools: []string{"compare", "pay", "plan", "research"},
		Tasks: []string{"compare", "plan", "research"},
		Chat:  true, Resources: true, Version: "1.0.0",
	},
}

var research = agent.AgentTool[question](Researcher, "research", "Has a researcher look something up and report.")

type question struct {
	Query string `json:"query" jsonschema:"what to find out"`
}

type task struct {
	Description string `json:"description" jsonschema:"what the plan is for"`
}

type pair struct {
	A string `json:"a" jsonschema:"the first of the two"`
	B string `json:"b" jsonschema:"the second of the two"`
}

// compare starts both helpers before it waits for either.
func compare(c *agent.Context, in pair) (map[string]agent.Result, error) {
	a, b := agent.StartAgent(c, Researcher, question{in.A}), agent.StartAgent(c, Researcher, question{in.B})
	return map[string]agent.Result{"a": a.Wait(), "b": b.Wait()}, nil
}

type load struct {
	N     int    `json:"n" jsonschema:"how many helpers"`
	Query string `json:"query" jsonschema:"what each of them is asked"`
}

// maxFan is how many helpers one call of fan may start.
const maxFan = 1000

func fan(c *agent.Context, in load) (map[string]int, error) {
	if in.N < 1 || in.N > maxFan {
		return nil, fmt.Errorf("n is %d, not a number from 1 to %d", in.N, maxFan)
	}
	runs := make([]agent.Run, in.N)
	for i := range runs {
		runs[i] = agent.StartAgent(c, Researcher, question{in.Query})
	}
	done := map[string]int{"ok": 0, "failed": 0}
	for _, r := range runs {
		if r.Wait().OK {
			done["ok"]++
		} else {
			done["failed"]++
		}
	}
	return done, nil
}

// development offers a tool on a developer's machine only.
func development(vars map[string]string) bool { return vars["TRIBUTARY_ENV"] == "development" }
