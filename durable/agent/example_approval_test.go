package agent_test

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
)

// A question says what the call would do, and how much harm it can do. The page shows this from the
// part of the call, and from the list of all questions.
func ExampleExplain() {
	type refund struct {
		Order string `json:"order"`
	}
	give := func(_ *agent.Context, in refund) (string, error) { return "refunded " + in.Order, nil }
	explain := func(in refund) agent.Explanation {
		return agent.Explanation{Title: "Refund order " + in.Order, Text: "The money is sent at once.", Risk: agent.RiskHigh}
	}
	shop := agent.Agent{
		Name: "Shop",
		Tools: []agent.Tool{
			agent.NewTool("refund", "Refunds an order.", give).NeedsApproval(nil).
				Requires("billing:refund").Approver("billing:approve").With(agent.Explain(explain)),
		},
		Methods: map[string]agent.Method{"pendingApprovals": agent.PendingApprovals, "approve": agent.Approve, "deny": agent.Deny},
	}
	lines := play([]agent.Agent{shop}, "connect tab", "say tab R1 u1: Refund A7", "tick 1m",
		`frame tab {"type":"rpc","id":"1","method":"deny","args":["CALL","A7 is not paid"]}`, "run", read)
	fmt.Println(outcome(lines))
	for _, question := range frames(lines, "rpc") {
		fmt.Println(strings.Contains(question, `"status":"denied"`), strings.Contains(question, `"reason":"A7 is not paid"`))
	}
	// Output:
	// output-denied
	// true true
}
