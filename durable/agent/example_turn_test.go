package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/turn"
)

// A tool submits a turn. It cannot wait for the turn, because its own turn has to end first. The
// submitted turn is answered after it, and only once, even if the tool's code is replayed.
func ExampleTurnRequest() {
	remind := func(c *agent.Context, in question) (string, error) {
		_, err := c.RunTurn(agent.TurnRequest{Text: in.Query, Mode: agent.Wait})
		if !errors.Is(err, agent.ErrCannotWait) {
			return "", err
		}
		s, err := c.RunTurn(agent.TurnRequest{Text: in.Query, Key: "reminder"})
		return s.Status, err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("remind", "Comes back to something later.", remind)}}
	var status string
	ask("Remind me of the tides", &status, assistant)
	fmt.Println(status)
	// Output: pending
}

// A method says something in the chat. Narrate adds words of the agent's own, and Notify has the
// model react.
func ExampleConversation_Notify() {
	assistant := agent.Agent{
		Name: "Assistant", Model: answer("Congratulations."),
		Methods: map[string]agent.Method{"built": func(call *agent.Call) (any, error) {
			if err := call.Narrate("The build is green."); err != nil {
				return nil, err
			}
			return nil, call.Notify("(The release is out.)")
		}},
	}
	for _, line := range messages(play([]agent.Agent{assistant}, "connect tab", `frame tab {"type":"rpc","id":"a","method":"built","args":[]}`, "run", read)) {
		fmt.Println(line)
	}
	// Output:
	// assistant: The build is green.
	// user: (The release is out.)
	// assistant: Congratulations.
}

// The policy says what becomes of messages that a person sends while the model answers. With
// [turn.Latest] only the last of them is answered.
func ExampleAgent_duringTurn() {
	assistant := agent.Agent{Name: "Assistant", Model: answer("I see."), DuringTurn: turn.Latest}
	lines := play([]agent.Agent{assistant}, "connect tab",
		"say tab R1 u1: One",
		"say tab R2 u1: One | $R1 | u2: Two",
		"say tab R3 u1: One | $R1 | u2: Two | u3: Three",
		"run", read)
	for _, line := range messages(lines) {
		fmt.Println(line)
	}
	// Output:
	// user: One
	// assistant: I see.
	// user: Two
	// user: Three
	// assistant: I see.
}

// A page submits turns, lists them, and cancels one by its id.
func ExampleListSubmissions() {
	assistant := agent.Agent{
		Name: "Assistant", Model: answer("Good day."),
		Methods: map[string]agent.Method{"submit": agent.SubmitTurn, "list": agent.ListSubmissions, "cancel": agent.CancelSubmission},
	}
	lines := play([]agent.Agent{assistant}, "connect tab",
		`frame tab {"type":"rpc","id":"a","method":"submit","args":[{"text":"Hello","id":"one"}]}`,
		`frame tab {"type":"rpc","id":"b","method":"submit","args":[{"text":"Hello again","id":"two"}]}`,
		`frame tab {"type":"rpc","id":"c","method":"cancel","args":["two"]}`, "run",
		`frame tab {"type":"rpc","id":"d","method":"list","args":[{"limit":10}]}`)
	replies := frames(lines, "rpc")
	var reply struct{ Result []agent.Submission }
	must(json.Unmarshal([]byte(replies[len(replies)-1]), &reply))
	for _, s := range reply.Result {
		fmt.Println(s.ID, s.Status)
	}
	// Output:
	// two aborted
	// one completed
}
