package agent_test

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
	_ "github.com/tributary-agents/tributary/wasm/quickjs" // runs code in this process, as a Worker does
)

type town struct {
	Name string `json:"name" jsonschema:"the name of the city"`
}

// The model writes code that calls tools: several at once, in a loop, and with what other calls have
// brought. Only what the code returns reaches the model.
func ExampleCode() {
	degrees := agent.NewTool("degrees", "The temperature in a city, in degrees Celsius.", func(_ *agent.Context, in town) (int, error) {
		return map[string]int{"Rome": 31, "Oslo": 14, "Lima": 19}[in.Name], nil
	})
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{
		agent.Code(degrees).Limits(agent.CodeLimits{Calls: 50, Answer: 2_000}),
	}}
	lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: code: "+
		`const all = await Promise.all(["Rome", "Oslo", "Lima"].map(name => tools.degrees({name})));`+
		`return all.filter(d => d > 15).length`, "run", read)
	for _, p := range conversation(lines)[1].Parts {
		if p.ToolCallID != "" {
			_, call, _ := strings.Cut(p.ToolCallID, "/")
			fmt.Println(strings.TrimSpace(call+" "+p.State), string(p.Output))
		}
	}
	// Output:
	// output-available {"status":"completed","result":2}
	// 1 output-available 31
	// 2 output-available 14
	// 3 output-available 19
}
