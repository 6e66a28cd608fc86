package subject

import (
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
)

// scout returns a researcher that reports progress more often than its parent is sent it, and that
// has a helper of its own.
func scout(deputy agent.Agent) agent.Agent {
	a := agents.Researcher
	a.Name = "Scout"
	a.Tools = append([]agent.Tool{
		agent.NewTool("web_search", "Searches the web. This one is simulated.", search),
		agent.AgentTool[query](deputy, "delegate", "Has somebody else look into something."),
	}, below()...)
	a.Handlers = map[string]agent.RunHook{contract.NotifyHandler: take}
	return a
}

type query struct {
	Query string `json:"query" jsonschema:"what to find out"`
}

// stops are the milestones of a search, each with the time until it is reached.
var stops = []struct {
	reached string
	after   time.Duration
}{{"searched", 150 * time.Millisecond}, {"read", 3 * time.Second}}

func search(c *agent.Context, in query) (string, error) {
	for i, s := range stops {
		if err := burst(c, i); err != nil {
			return "", err
		}
		if err := flow.Sleep(c, s.after); err != nil {
			return "", err
		}
		for range times(in) {
			if err := c.Milestone(s.reached, fmt.Sprintf("Found two sources on %s, %s.", in.Query, s.reached)); err != nil {
				return "", err
			}
		}
	}
	return "what is known of " + in.Query, burst(c, len(stops))
}

// times returns how often a search reaches each of its milestones.
func times(in query) int {
	if strings.Contains(in.Query, contract.Twice) {
		return 2
	}
	return 1
}

// burst reports progress a few times without a pause.
func burst(c *agent.Context, stage int) error {
	for i := range 4 {
		p := agent.Progress{Fraction: float64(stage*4+i) / 20, Phase: fmt.Sprint("stage ", stage), Message: fmt.Sprint("step ", i)}
		if err := c.ReportProgress(p); err != nil {
			return err
		}
	}
	return nil
}
