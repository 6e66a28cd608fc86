package agent_test

import (
	"errors"
	"fmt"
	"strings"

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

// Typed runs can be active at the same time. Order is their order on the page.
func ExampleStartAgentAs() {
	type count struct {
		N int `json:"n"`
	}
	counter := agent.Agent{
		Name: "Counter", Helper: true,
		Program: agent.NewProgram(func(_ *agent.Context, in question) (count, error) { return count{len(in.Query)}, nil }),
	}
	sum := func(c *agent.Context, in question) (int, error) {
		var runs []agent.TypedRun[count]
		for i, word := range strings.Fields(in.Query) {
			runs = append(runs, agent.StartAgentAs[count](c, counter, question{word}, agent.Order(i)))
		}
		total := 0
		for _, r := range runs {
			n, err := r.Wait()
			if err != nil {
				return 0, err
			}
			total += n.N
		}
		return total, nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("sum", "Counts letters.", sum)}}
	var total int
	ask("Sum: ebb and flow", &total, assistant, counter)
	fmt.Println(total)
	// Output: 10
}
