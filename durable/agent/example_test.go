package agent_test

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
)

type question struct {
	Query string `json:"query" jsonschema:"what to find out"`
}

// researcher is a helper: an agent with its own instructions and tools that other agents use as a
// tool.
var researcher = agent.Agent{
	Name: "Researcher", Helper: true, Title: "Research",
	Instructions: "You look things up. Search before you answer.",
	Tools:        []agent.Tool{agent.NewTool("web_search", "Searches the web.", search)},
}

func search(_ *agent.Context, in question) ([]string, error) {
	return []string{"An overview of " + in.Query}, nil
}

// A helper is a value, and a tool is made of it. The model calls the tool, the helper works in an
// object of its own, and its result goes back to the model.
func Example() {
	assistant := agent.Agent{
		Name:         "Assistant",
		Instructions: "You are a helpful assistant.",
		Tools: []agent.Tool{
			agent.AgentTool[question](researcher, "research", "Has a researcher look something up.", agent.Timeout(time.Minute)),
		},
	}
	var result agent.Result
	ask("Research the tides", &result, assistant, researcher)
	fmt.Println(result.OK, firstLine(result.Summary))
	// Output: true ### the tides
}
