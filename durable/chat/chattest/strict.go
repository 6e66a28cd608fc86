package chattest

import (
	"bytes"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/agent"
)

// strict is a conversation whose tools have to return degrees. One is its own and returns something
// else on request. The other runs in the browser.
var strict = agent.Agent{
	Name: "Strict",
	Tools: []agent.Tool{
		{Name: "weather", Schema: place, Output: degrees, Run: func(_ *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			if bytes.Contains(input, []byte("wrong")) {
				return json.RawMessage(`{"degrees":"mild"}`), nil
			}
			return json.RawMessage(`{"degrees":21}`), nil
		}},
		{Name: "thermometer", Schema: place, Output: degrees, Client: true},
	},
}

var (
	place   = json.RawMessage(`{"type":"object","properties":{"place":{"type":"string"}},"required":["place"]}`)
	degrees = json.RawMessage(`{"type":"object","properties":{"degrees":{"type":"integer"}},"required":["degrees"]}`)
)
