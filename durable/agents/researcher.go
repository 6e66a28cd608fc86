package agents

import (
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Researcher looks things up.
var Researcher = agent.Agent{
	Name: "Researcher", Helper: true, Title: "Research", Icon: "search",
	Instructions: "You look things up. Search before you answer, and report briefly what you have found.",
	Tools:        []agent.Tool{search},
}

// search is a tool of researchers, and of the Assistant's code.
var search = agent.WithOutput[[]hit](agent.NewTool("web_search", "Searches the web. This one is simulated: it knows nothing of the world.", webSearch))

type hit struct {
	Title   string `json:"title"`
	Snippet string `json:"snippet"`
}

func webSearch(c *agent.Context, in question) ([]hit, error) {
	if c.Detached() {
		if err := lookAround(c, in.Query); err != nil {
			return nil, err
		}
	}
	return []hit{
		{Title: in.Query + ": an overview", Snippet: fmt.Sprintf("What is commonly said about %s, in a paragraph.", in.Query)},
		{Title: in.Query + " in practice", Snippet: fmt.Sprintf("Where %s is used, and what it costs.", in.Query)},
	}, nil
}

// stages are the stages of a search in the background. Nobody waits for the search. It takes its
// time, and reports how far it has come.
var stages = []struct{ phase, message, reached, found string }{
	{"searching", "Looking for sources", "searched", "Found two sources on %s."},
	{"reading", "Reading two sources", "read", "Read two sources on %s."},
}

const stageTime = 2 * time.Second

func lookAround(c *agent.Context, query string) error {
	for i, s := range stages {
		fraction := float64(i+1) / float64(len(stages)+1)
		if err := c.ReportProgress(agent.Progress{Fraction: fraction, Phase: s.phase, Message: s.message}); err != nil {
			return err
		}
		if err := flow.Sleep(c, stageTime); err != nil {
			return err
		}
		if err := c.Milestone(s.reached, fmt.Sprintf(s.found, subject(query))); err != nil {
			return err
		}
	}
	return nil
}

// subject returns the beginning of a query, short enough for a sentence.
func subject(query string) string {
	const room = 80
	if len(query) > room {
		return strings.ToValidUTF8(query[:room], "") + "…"
	}
	return query
}
