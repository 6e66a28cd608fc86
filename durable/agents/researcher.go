package agents

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
)

// Researcher looks things up.
var Researcher = agent.Agent{
	Name: "Researcher", Helper: true, Title: "Research", Icon: "search",
	Instructions: "You look things up. Search before you answer, and report briefly what you have found.",
	Tools: []agent.Tool{
		agent.NewTool("web_search", "Searches the web. This one is simulated: it knows nothing of the world.", webSearch),
	},
	Methods: map[string]agent.Method{"inspect": agent.Inspect},
}

type hit struct {
	Title   string `json:"title"`
	Snippet string `json:"snippet"`
}

func webSearch(_ *agent.Context, in question) ([]hit, error) {
	return []hit{
		{Title: in.Query + ": an overview", Snippet: fmt.Sprintf("What is commonly said about %s, in a paragraph.", in.Query)},
		{Title: in.Query + " in practice", Snippet: fmt.Sprintf("Where %s is used, and what it costs.", in.Query)},
	}, nil
}
