package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestReturns gives a tool the schema of what it returns, and refuses a type without one.
func TestReturns(t *testing.T) {
	type degrees struct {
		Degrees int `json:"degrees"`
	}
	tool := agent.Returns[degrees](agent.NewClientTool[question]("weather", "Looks out of the window."))
	if got := string(tool.Output); !strings.Contains(got, `"degrees":{"type":"integer"}`) || !strings.Contains(got, `"required":["degrees"]`) {
		t.Errorf("got %s", got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "output of tool weather") {
			t.Errorf("recovered %s", got)
		}
	}()
	agent.Returns[chan int](tool)
}
