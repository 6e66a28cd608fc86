package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// A tool is a Go function. Its input is checked against the schema of its input type before it is
// called, and the model is sent the text of its error.
func ExampleNewTool() {
	type dice struct {
		Sides int    `json:"sides,omitempty" jsonschema:"6 if it is left out"`
		Name  string `json:"name"`
	}
	describe := func(_ *agent.Context, in dice) (map[string]any, error) {
		if in.Sides == 0 {
			in.Sides = 6
		}
		return map[string]any{"name": in.Name, "sides": in.Sides}, nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("dice", "Describes dice.", describe)}}
	var output map[string]any
	ask("Dice: ivory", &output, assistant)
	fmt.Println(output["name"], output["sides"])
	// Output: ivory 6
}

// A person approves a call before it runs. The turn ends while the person decides, and nothing is
// kept in memory.
func ExampleTool_NeedsApproval() {
	type path struct {
		Path string `json:"path"`
	}
	remove := func(_ *agent.Context, in path) (string, error) {
		fmt.Println("removed", in.Path)
		return "removed", nil
	}
	hidden := func(input json.RawMessage) bool {
		var in path
		return json.Unmarshal(input, &in) != nil || strings.HasPrefix(in.Path, ".")
	}
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewTool("remove", "Removes a file.", remove).NeedsApproval(hidden)},
	}
	for _, decision := range []string{"approve", "deny"} {
		lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Remove .profile", "run", decision+" tab CALL", "run", read)
		fmt.Println(outcome(lines))
	}
	// Output:
	// removed .profile
	// output-available "removed"
	// output-denied
}

// The code of a tool asks a person, for yes or no and for a form. The turn ends with each question,
// and nothing is kept in memory until the answer comes. The code is then run again over its journal.
func ExampleAsk() {
	type query struct {
		Query string `json:"query"`
	}
	type guests struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
	}
	invite := func(c *agent.Context, in query) (string, error) {
		sure, err := agent.Ask[bool](c, agent.Question{Title: "Invite to " + in.Query + "?"})
		if err != nil || sure.Denied {
			return "nobody is invited", err
		}
		who, err := agent.Ask[guests](c, agent.Question{Title: "Who comes?", Default: guests{"Ada", 1}, Expires: 24 * time.Hour})
		if errors.Is(err, flow.ErrTimeout) {
			return "nobody has said who comes", nil
		}
		return fmt.Sprintf("%s comes with %d more", who.Value.Name, who.Value.Count), err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("invite", "Invites guests.", invite)}}
	lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Invite dinner", "tick 1s",
		"approve tab QUESTION", "tick 1s", `result tab QUESTION {"name":"Bo","count":2}`, "tick 1s", read)
	fmt.Println(outcome(lines))
	// Output: output-available "Bo comes with 2 more"
}

// A tool that runs in the browser has no function. The page sends its result, and the turn goes on
// with it. A result that does not fit the output's type is a failure of the call.
func ExampleNewClientTool() {
	type place struct {
		Name string `json:"name"`
	}
	type position struct {
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
	}
	locate := agent.NewClientTool[place]("locate", "Asks the browser where a place is on its map.")
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.WithOutput[position](locate)}}
	for _, result := range []string{`{"latitude":46.9,"longitude":7.4}`, `"here"`} {
		lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Locate Bern", "run", "result tab CALL "+result, "run", read)
		fmt.Println(outcome(lines))
	}
	// Output:
	// output-available {"latitude":46.9,"longitude":7.4}
	// output-error the output does not fit its schema: validating root: type: here has type "string", want "object"
}

// WithOutput checks data from elsewhere before the model sees it.
func ExampleWithOutput() {
	type weather struct {
		Degrees int `json:"degrees"`
	}
	fetched := func(*agent.Context, question) (json.RawMessage, error) {
		return json.RawMessage(`{"degrees":"mild"}`), nil // what some server has answered
	}
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.WithOutput[weather](agent.NewTool("weather", "Tells the weather.", fetched))},
	}
	fmt.Println(outcome(play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Weather in Bern", "run", read)))
	// Output: output-error the output does not fit its schema: validating root: validating /properties/degrees: type: mild has type "string", want "integer"
}

// A tool can be offered in some deployments only.
func ExampleTool_When() {
	reset := agent.NewTool("reset", "Resets the test data.", func(*agent.Context, struct{}) (string, error) { return "done", nil })
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{reset.When(func(vars map[string]string) bool { return vars["STAGE"] == "test" })},
	}
	for _, stage := range []string{"test", "production"} {
		lines := play([]agent.Agent{assistant}, "var STAGE="+stage, "connect tab", "say tab R1 u1: tool=reset", "run", read)
		fmt.Println(stage + ": " + outcome(lines))
	}
	// Output:
	// test: output-available "done"
	// production: no call
}

// A tool reads a variable of the deployment. A hook, a method and a handler read it with
// [Conversation.Var].
func ExampleContext_Var() {
	shop := func(c *agent.Context, _ struct{}) (string, error) { return c.Var("CURRENCY") }
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("currency", "Says what the shop takes.", shop)}}
	fmt.Println(outcome(play([]agent.Agent{assistant}, "var CURRENCY=EUR", "connect tab", "say tab R1 u1: tool=currency", "run", read)))
	// Output: output-available "EUR"
}
