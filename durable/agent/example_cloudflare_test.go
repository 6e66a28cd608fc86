package agent_test

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
)

type pages struct {
	Pages int `json:"pages"`
}

// reporter is an agent whose tool runs a Workflow.
func reporter() agent.Agent {
	report := func(c *agent.Context, in question) (pages, error) {
		return agent.RunCloudflare[pages](c, "REPORTS", in, agent.CloudflareOptions{})
	}
	return agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("research", "Writes a report.", report)}}
}

// A tool runs an instance of Cloudflare's Workflows and waits for its output. The scene plays the
// binding: it has made the instance, and two seconds later it says that the instance has ended.
func ExampleRunCloudflare() {
	lines := play([]agent.Agent{reporter()},
		"connect tab", "say tab R1 u1: Research tides", "tick 1s",
		"respond 200", "data {}", "end",
		"tick 3s",
		"respond 200", `data {"status":"complete","output":{"pages":7}}`, "end",
		"run", read)
	for _, line := range lines {
		if _, request, found := strings.Cut(line, "POST "); found {
			url, _, _ := strings.Cut(request, " ")
			fmt.Println(url)
		}
	}
	fmt.Println(outcome(lines))
	// Output:
	// binding://REPORTS/workflow/create
	// binding://REPORTS/workflow/status
	// output-available {"pages":7}
}
