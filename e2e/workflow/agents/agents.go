// Package agents has the agents of the tests beside this folder, which put it into a project of its
// own: a root whose methods begin and control runs, and the programs of these runs.
package agents

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// Classes returns the classes of the agents.
func Classes() []durable.Class {
	classes := []durable.Class{chat.Class(Assistant, demo.Provider)}
	for _, helper := range append(cashiers, helpers...) {
		classes = append(classes, chat.Class(helper, demo.Provider))
	}
	return classes
}

// helpers are the agents whose runs the Assistant begins.
var helpers = []agent.Agent{Poster, Retrier, Sleeper, Patient, Boss, Reporter, Doorman, Secretary, Foreman}

// Assistant is the root of the tests. It has a handler of the name "ended", and none of the name "own".
var Assistant = agent.Agent{
	Name:     "Assistant",
	Handlers: map[string]agent.RunHook{"ended": ended},
	Methods: map[string]agent.Method{
		"begin":  begin,
		"ends":   ends,
		"run":    agent.InspectRun,
		"runs":   agent.ListRuns,
		"delete": agent.DeleteRun,
		"signal": agent.SendSignal,
		"pause":  agent.PauseRun, "resume": agent.ResumeRun,
		"cancel": agent.CancelRun, "restart": agent.RestartRun,
		"questions": agent.PendingApprovals, "approve": agent.Approve,
		"deadLetters": agent.ListDeadLetters,
	},
}

// ends is the method that returns the ends that the handlers of an agent were given.
func ends(call *agent.Call) (any, error) { return call.State(), nil }

// ended adds the end of a run to the list in the state.
func ended(c *agent.Conversation, r agent.RunInfo) error {
	var ends []string
	if state := c.State(); state != nil {
		if err := json.Unmarshal(state, &ends); err != nil {
			return err
		}
	}
	return c.SetState(append(ends, r.ID+" "+string(r.Status)))
}

// job is what a program is asked to do.
type job struct {
	// URL is the counting server's. What is added to it is a path.
	URL string `json:"url"`
	// Steps is how many steps a Poster makes.
	Steps int `json:"steps"`
	// Ahead is how far ahead a Sleeper sleeps, in milliseconds.
	Ahead int64 `json:"ahead"`
	// Run is the id of the run that a Foreman begins, and Handler the handler of its end.
	Run     string `json:"run"`
	Handler string `json:"handler"`
}

// begin begins a detached run. Its arguments are the name of a helper, the run's id and a job.
func begin(call *agent.Call) (any, error) {
	var name, id string
	var in job
	for i, arg := range []any{&name, &id, &in} {
		if err := call.Arg(i, arg); err != nil {
			return nil, err
		}
	}
	r, err := agent.StartDetached(&call.Conversation, agent.Agent{Name: name, Helper: true}, "ended", in, agent.RunID(id))
	return r.Status, err
}

// get makes a GET request to the counting server.
func get(c flow.Awaiter, url string) (flow.Response, error) {
	return flow.Fetch(c, flow.Request{URL: url})
}
