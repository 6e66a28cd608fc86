package agent_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// A program waits for what happens outside: a payment, the word of another program, a webhook. The
// wait holds nothing, and may take days. Here the code that has begun the run sends the signal.
// Others post it to /agents/{agent}/{name}/runs/{run}/signals/{signal}, with the header
// Idempotency-Key, or call the method [agent.SendSignal].
func ExampleContext_Signal() {
	type payment struct{ Amount int }
	shop := agent.Agent{
		Name: "Shop", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			paid, err := flow.Within(c, 24*time.Hour, func() (flow.Signal[payment], error) { return flow.Receive[payment](c, "paid") })
			if errors.Is(err, flow.ErrTimeout) {
				return in.Query + " was not paid.", nil
			}
			return fmt.Sprintf("%s: %d paid by %s.", in.Query, paid.Payload.Amount, paid.ID), err
		}),
	}
	buy := func(c *agent.Context, in question) ([]string, error) {
		order := agent.StartAgent(c, shop, in)
		first, err := c.Signal(order.ID(), "paid", payment{120}, "invoice-7")
		if err != nil {
			return nil, err
		}
		again, err := c.Signal(order.ID(), "paid", payment{120}, "invoice-7")
		return []string{string(first), string(again), order.Wait().Summary}, err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("research", "Buys something.", buy)}}
	var said []string
	ask("Research a boat", &said, assistant, shop)
	for _, line := range said {
		fmt.Println(line)
	}
	// Output:
	// kept
	// duplicate
	// a boat: 120 paid by invoice-7.
}
