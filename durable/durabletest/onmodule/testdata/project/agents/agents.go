// Package agents is the agents of a hotel.
package agents

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// Concierge is the agent that guests talk to.
var Concierge = agent.Agent{
	Name:         "NightConcierge",
	Instructions: "You are the concierge of a hotel.",
	Tools: []agent.Tool{
		agent.NewTool("reserve", "Reserves rooms.", reserve).NeedsApproval(long),
		agent.AgentTool[errand](Porter, "porter", "Sends the porter on an errand."),
		agent.AgentTool[errand](Porter, "later", "Sends the porter on an errand, and tells you when it is done.", agent.Detached("done")),
	},
	Handlers: map[string]agent.RunHook{"done": agent.Notify},
}

// Porter carries things.
var Porter = agent.Agent{
	Name: "HallPorter", Helper: true, Title: "Porter",
	Instructions: "You are the porter of a hotel.",
	Tools:        []agent.Tool{agent.NewTool("carry", "Carries something somewhere.", carry)},
}

// Classes returns the agents of the hotel.
func Classes() []durable.Class {
	return []durable.Class{chat.Class(Concierge, demo.Provider), chat.Class(Porter, demo.Provider)}
}

type stay struct {
	Guest  string         `json:"guest" jsonschema:"who comes"`
	Nights int            `json:"nights" jsonschema:"how long"`
	Rooms  []string       `json:"rooms,omitempty"`
	Extras map[string]int `json:"extras,omitempty"`
	Budget *float64       `json:"budget,omitempty"`
	Sea    bool           `json:"sea,omitempty"`
}

type errand struct {
	What string `json:"what" jsonschema:"what to do"`
}

// long says whether a person has to approve a stay.
func long(input json.RawMessage) bool {
	var s stay
	return json.Unmarshal(input, &s) == nil && s.Nights > 7
}

func reserve(c *agent.Context, s stay) (string, error) {
	if s.Nights < 1 {
		return "", fmt.Errorf("a stay has one night at least, and not %d", s.Nights)
	}
	if err := flow.Sleep(c, time.Second); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s stays for %d nights.", s.Guest, s.Nights), nil
}

type load struct {
	Thing string `json:"thing"`
	To    place  `json:"to"`
}

type place struct {
	Floor int    `json:"floor"`
	Room  string `json:"room"`
}

func carry(c *agent.Context, l load) (string, error) {
	for floor := range min(max(l.To.Floor, 0), 3) {
		if err := c.ReportProgress(agent.Progress{Message: fmt.Sprint("floor ", floor)}); err != nil {
			return "", err
		}
		if err := flow.Sleep(c, 2*time.Second); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s is in %s.", l.Thing, l.To.Room), nil
}
