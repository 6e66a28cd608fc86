package demo

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/model"
)

// withServer returns a request with the tools of a server.
func withServer(message string) model.Request {
	request := modeltest.Asked(message, parentTools...)
	request.Tools = append(request.Tools,
		model.Tool{Name: "demo_weather", Description: "Says the weather.", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)},
		model.Tool{Name: "demo_count", Schema: json.RawMessage(`{"properties":{"to":{"type":"integer"}},"required":["to"]}`)},
		model.Tool{Name: "demo_time", Description: "Says the time.", Schema: json.RawMessage(`{"type":"object"}`)})
	return request
}

// TestDemoCallsAToolOfAServer shows that a message names a tool and its input, as JSON or in words.
func TestDemoCallsAToolOfAServer(t *testing.T) {
	for message, want := range map[string]string{
		`mcp: demo_weather {"city":"Ulm","days":2}`:         `demo_weather{"city":"Ulm","days":2}|tool-calls`,
		"MCP:\n demo_weather:\n { \"city\": \"chunks=9\" }": `demo_weather{"city":"chunks=9"}|tool-calls`,
		"mcp: demo_weather Ulm":                             `demo_weather{"city":"Ulm"}|tool-calls`,
		"mcp: demo_weather":                                 `demo_weather{"city":""}|tool-calls`,
		"mcp: demo_count 30":                                `demo_count{"to":30}|tool-calls`,
		"mcp: demo_time":                                    `demo_time{}|tool-calls`,
		"mcp: demo_time {}":                                 `demo_time{}|tool-calls`,
		"demo_weather: Ulm":                                 `demo_weather{"city":"Ulm"}|tool-calls`,
		"Please demo_weather Ulm!":                          `demo_weather{"city":"Ulm"}|tool-calls`,
	} {
		steps, _ := listen(t, withServer(message))
		modeltest.CheckDeltas(t, flat(steps), nil)
		if got := outline(flat(steps)); got != want {
			t.Errorf("%q: got %s, want %s", message, got, want)
		}
	}
	for message, want := range map[string]string{
		"mcp: other_weather Ulm":        "The tool `other_weather` is not available to this agent, so I did nothing.",
		`mcp: demo_weather {"city":`:    "I did nothing, because the input of `demo_weather` is not JSON: unexpected end of JSON input.",
		`mcp: demo_weather {} and more`: "I did nothing, because the input of `demo_weather` is not JSON: invalid character 'a' after top-level value.",
	} {
		steps, _ := listen(t, withServer(message))
		if got := textOf(flat(steps)); got != want {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

func TestDemoTellsWhatAServerAnswers(t *testing.T) {
	request := modeltest.WithResults(withServer(`mcp: demo_weather {"city":"Ulm"}`),
		model.ToolResult{ID: "c1", Name: "demo_weather", Output: json.RawMessage(`"Rain in Ulm"`)})
	steps, _ := listen(t, request)
	if got, want := textOf(flat(steps)), "- **demo_weather**: Rain in Ulm\n"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestDemoOffersFewTools shows that an answer does not list all tools of many servers.
func TestDemoOffersFewTools(t *testing.T) {
	request := modeltest.Asked("What can you do?")
	for i := range maxOffered + 2 {
		request.Tools = append(request.Tools, model.Tool{Name: fmt.Sprintf("t%d", i), Schema: json.RawMessage(`{}`)})
	}
	steps, _ := listen(t, request)
	got := textOf(flat(steps))
	if !strings.Contains(got, fmt.Sprintf("**t%d**", maxOffered-1)) || strings.Contains(got, fmt.Sprintf("**t%d**", maxOffered)) || !strings.Contains(got, "- and 2 more tools") {
		t.Errorf("got %s", got)
	}
}
