package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestReturns checks that a tool gets the schema of its output, and that a type without a schema is
// refused.
func TestReturns(t *testing.T) {
	type degrees struct {
		Degrees int `json:"degrees"`
	}
	tool := agent.WithOutput[degrees](agent.NewClientTool[question]("weather", "Looks out of the window."))
	if got := string(tool.Output); !strings.Contains(got, `"degrees":{"type":"integer"}`) || !strings.Contains(got, `"required":["degrees"]`) {
		t.Errorf("got %s", got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "output of tool weather") {
			t.Errorf("recovered %s", got)
		}
	}()
	agent.WithOutput[chan int](tool)
}
