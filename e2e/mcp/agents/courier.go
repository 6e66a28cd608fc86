package agents

import (
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Courier is exposed to other programs. Its tool takes as long as it is told to.
var Courier = agent.Agent{
	Name:   "Courier",
	Tools:  []agent.Tool{agent.NewTool("deliver", "Delivers something after a while.", deliver)},
	Expose: &agent.Expose{Tools: []string{"deliver"}, Version: "1.0.0"},
}

// parcel is what is delivered: a request to the URL, after so many seconds.
type parcel struct {
	URL     string `json:"url"`
	Seconds int    `json:"seconds"`
}

func deliver(c *agent.Context, in parcel) (string, error) {
	if err := c.ReportProgress(agent.Progress{Fraction: 0.5, Message: "on its way"}); err != nil {
		return "", err
	}
	if err := flow.Sleep(c, time.Duration(in.Seconds)*time.Second); err != nil {
		return "", err
	}
	r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: in.URL})
	return string(r.Body), err
}
