package agent_test

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

// A helper answers with a Go value. Its model is told the schema of the type, and an answer that
// does not fit is an error.
func ExampleRunAgentAs() {
	type tide struct {
		Hours int `json:"hours" jsonschema:"until the water is high"`
	}
	oracle := agent.Agent{Name: "Oracle", Helper: true, Model: answer(`{"hours":6}`)}
	joker := agent.Agent{Name: "Joker", Helper: true, Model: answer(`{"hours":"soon"}`)}
	tell := func(c *agent.Context, in question) (string, error) {
		t, err := agent.RunAgentAs[tide](c, oracle, in)
		if err != nil {
			return "", err
		}
		var failed *agent.RunError
		if _, err := agent.RunAgentAs[tide](c, joker, in); !errors.As(err, &failed) {
			return "", err
		}
		return fmt.Sprintf("%d hours; %s", t.Hours, failed.Result.Reason), nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("tell", "Tells the tide.", tell)}}
	var told string
	ask("Tell of Brest", &told, assistant, oracle, joker)
	fmt.Println(told)
	// Output: 6 hours; invalid-output
}

// With Output, the result of a tool that is a helper is JSON instead of words.
func ExampleOutput() {
	type tide struct {
		Hours int `json:"hours"`
	}
	oracle := agent.Agent{Name: "Oracle", Helper: true, Model: answer(`{"hours":6}`)}
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](oracle, "tide", "Tells the tide.", agent.Output[tide]())},
	}
	var result agent.Result
	ask("Tide at Brest", &result, assistant, oracle)
	fmt.Println(result.OK, string(result.Output))
	// Output: true {"hours":6}
}
