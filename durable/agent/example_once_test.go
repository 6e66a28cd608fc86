package agent_test

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

type refund struct {
	Order string `json:"order" jsonschema:"the number of the order"`
}

type refunded struct {
	Receipt string `json:"receipt"`
}

// A tool with a key acts once for it, whatever asks for it and however often. The server is sent the
// key, so a request that was lost is made again. A tool without such a server says how it is found
// out whether a call has happened.
func ExampleOnce() {
	tool := agent.NewTool("refund", "Refunds an order.", func(c *agent.Context, in refund) (refunded, error) {
		r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: "https://bank.test/refunds/" + in.Order}, agent.Idempotent())
		if err == nil && r.Status != 201 {
			err = fmt.Errorf("the bank answers with the status %d", r.Status)
		}
		return refunded{Receipt: string(r.Body)}, err
	}).With(
		agent.Once(func(in refund) string { return "refund:" + in.Order }),
		agent.Settle(func(c *agent.Context, in refund, key string) (refunded, agent.Happened, error) {
			r, err := flow.Fetch(c, flow.Request{URL: "https://bank.test/refunds/" + in.Order})
			switch {
			case err != nil:
				return refunded{}, agent.Unclear, err
			case r.Status == 404:
				return refunded{}, agent.No, nil
			}
			return refunded{Receipt: string(r.Body)}, agent.Yes, nil
		}),
		agent.Undo(func(c *agent.Context, in refund, out refunded) error {
			_, err := flow.Fetch(c, flow.Request{Method: "DELETE", URL: "https://bank.test/receipts/" + out.Receipt})
			return err
		}),
	)
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{tool}, Methods: map[string]agent.Method{
		"actions": agent.ListActions, "undo": agent.UndoCall,
	}}
	lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: refund 4711", "tick",
		"respond 201", "data r-1", "end", "run", read)
	fmt.Println(outcome(lines))
	// Output:
	// output-available {"receipt":"r-1"}
}
