package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/e2e/obedient"
)

// payment is what is paid. It is the input of all tools that pay.
type payment struct {
	// Bank is the URL of the server that counts payments.
	Bank   string `json:"bank"`
	To     string `json:"to"`
	Amount int    `json:"amount"`
}

// receipt is what the bank has answered.
type receipt struct {
	Receipt string `json:"receipt"`
}

func (p payment) key() string { return "pay:" + p.To }

// post asks the bank to do something. A request with an option that makes it repeatable is known to
// the bank by its key.
func post(c flow.Awaiter, url string, options ...flow.FetchOption) (receipt, error) {
	r, err := flow.Fetch(c, flow.Request{Method: "POST", URL: url}, options...)
	switch {
	case err != nil:
		return receipt{}, err
	case r.Status != 200:
		return receipt{}, fmt.Errorf("the bank says %d", r.Status)
	}
	return receipt{string(r.Body)}, nil
}

// doPay pays. Nobody can say later whether it has paid.
func doPay(c *agent.Context, in payment) (receipt, error) { return post(c, in.Bank+"/pay/"+in.To) }

// doKnown pays under a key by which the bank recognises the payment.
func doKnown(c *agent.Context, in payment) (receipt, error) {
	return post(c, in.Bank+"/pay/"+in.To, agent.Idempotent())
}

// doHasty pays, and does not wait long for the answer.
func doHasty(c *agent.Context, in payment) (receipt, error) {
	return flow.Within(c, time.Second, func() (receipt, error) { return doPay(c, in) })
}

// wasPaid asks the bank whether it has paid.
func wasPaid(c *agent.Context, in payment, _ string) (receipt, agent.Happened, error) {
	r, err := get(c, in.Bank+"/paid/"+in.To)
	switch {
	case err != nil:
		return receipt{}, agent.Unclear, err
	case r.Status == 404:
		return receipt{}, agent.No, nil
	}
	return receipt{string(r.Body)}, agent.Yes, nil
}

// refund takes a payment back.
func refund(c *agent.Context, in payment, out receipt) error {
	_, err := post(c, in.Bank+"/refund/"+in.To, agent.Idempotent())
	return err
}

// explain is what a person is told of a payment.
func explain(in payment) agent.Explanation {
	return agent.Explanation{Title: fmt.Sprint("Pay ", in.Amount), Text: "To " + in.To + ".", Risk: agent.RiskHigh}
}

var (
	once    = agent.Once(payment.key)
	settled = agent.Settle(wasPaid)
	undone  = agent.Undo(refund)

	pay   = agent.NewTool("pay", "Pays.", doPay).With(once).Across()
	known = agent.NewTool("known", "Pays under a key.", doKnown).With(once).Across()
	// transfer pays, and can find out and undo that. local is the same with keys of the agent's own.
	transfer = agent.NewTool("transfer", "Pays, and can ask.", doPay).With(once, settled, undone).Across()
	local    = agent.NewTool("local", "Pays, and can ask.", doPay).With(once, settled, undone)
	hasty    = agent.NewTool("hasty", "Pays, and does not wait.", doHasty).With(once, settled).Across()
	// approved pays if a person approves it within an hour, and guarded if the right people ask for
	// it and approve it.
	approved = agent.NewTool("approved", "Pays what is approved.", doKnown).With(once, agent.Explain(explain)).
			NeedsApproval(nil).AnswerWithin(time.Hour)
	guarded = agent.NewTool("guarded", "Pays for some.", doKnown).With(once, agent.Explain(explain)).
		NeedsApproval(nil).Requires("bank:pay").Approver("bank:approve")
	// keyless, endless and shapeless have a key or an input that is refused.
	keyless   = agent.NewTool("keyless", "Has an empty key.", doPay).With(agent.Once(func(payment) string { return "" }))
	endless   = agent.NewTool("endless", "Has a long key.", doPay).With(agent.Once(func(payment) string { return strings.Repeat("k", 257) }))
	shapeless = agent.Tool{Name: "shapeless", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		_, err := post(c, strings.Trim(string(input), `"`)+"/pay/shapeless")
		return input, err
	}}.With(agent.Once(func(any) string { return "shapeless" }))

	paying = []agent.Tool{pay, known, transfer, local, hasty, approved, guarded, keyless, endless}
)

// Cashier is the root of the tests of actions. Clerk and Junior are helpers with the same tools.
var (
	Cashier = agent.Agent{
		Name: "Cashier", Model: obedient.Model{},
		Tools: append([]agent.Tool{
			agent.AgentTool[said](Clerk, "delegate", "Has a helper work."),
			agent.NewTool("confirm", "Asks a person.", confirm),
			agent.Code(pay),
		}, paying...),
		Expose:   &agent.Expose{Tools: []string{"pay"}},
		Handlers: map[string]agent.RunHook{"ended": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		// What a Contractor has done is undone when it fails. It cannot do that itself.
		AfterRun: func(c *agent.Conversation, r agent.RunInfo) error {
			if r.Class != Contractor.Name {
				return nil
			}
			return c.UndoRun(r.ID)
		},
		Methods: map[string]agent.Method{
			"begin": beginRun, "run": agent.InspectRun, "submit": agent.SubmitTurn, "submission": agent.InspectSubmission,
			"actions": agent.ListActions, "pendingApprovals": agent.PendingApprovals, "approve": agent.Approve, "deny": agent.Deny,
		},
	}
	Clerk = agent.Agent{
		Name: "Clerk", Helper: true, Model: obedient.Model{},
		Tools: append([]agent.Tool{agent.AgentTool[said](Junior, "delegate", "Has a helper work.")}, paying...),
	}
	Junior = agent.Agent{Name: "Junior", Helper: true, Model: obedient.Model{}, Tools: paying}
)

// said is what a helper is told.
type said struct {
	Say string `json:"say"`
}

// confirm asks a person whether to go on.
func confirm(c *agent.Context, in said) (bool, error) {
	answer, err := agent.Ask[bool](c, agent.Question{Title: in.Say})
	return answer.Value, err
}

// order is what a workflow is told to pay, by which tool and how often.
type order struct {
	Tool    string  `json:"tool"`
	Payment payment `json:"payment"`
	Times   int     `json:"times"`
}

// milestone is what a workflow reaches in front of each payment.
const milestone = "about to pay"

// act pays in a branch of a workflow.
func act(c *agent.Context, in order) *flow.Branch[receipt] {
	return flow.Go(c, "payment", func() (receipt, error) {
		if err := c.Milestone(milestone, nil); err != nil {
			return receipt{}, err
		}
		for _, t := range paying {
			if t.Name == in.Tool {
				return agent.Act[receipt](c, t, in.Payment)
			}
		}
		return receipt{}, fmt.Errorf("there is no tool %q", in.Tool)
	})
}

// wait waits for payments.
func wait(branches []*flow.Branch[receipt]) (all []receipt, err error) {
	for _, b := range branches {
		r, failed := b.Wait()
		all, err = append(all, r), errors.Join(err, failed)
	}
	return all, err
}

// Payroll pays several times at once.
var Payroll = payer("Payroll", func(c *agent.Context, in order) ([]receipt, error) {
	var branches []*flow.Branch[receipt]
	for range in.Times {
		branches = append(branches, act(c, in))
	}
	return wait(branches)
})

// Teller pays as often as it is told so by a signal.
var Teller = payer("Teller", func(c *agent.Context, in order) ([]receipt, error) {
	var branches []*flow.Branch[receipt]
	for range in.Times {
		if _, err := flow.Receive[any](c, "pay"); err != nil {
			return nil, err
		}
		branches = append(branches, act(c, in))
	}
	return wait(branches)
})

// Booker pays three, fails, and undoes that itself. Contractor leaves that to its parent.
var (
	Booker = payer("Booker", func(c *agent.Context, in order) (any, error) {
		return nil, errors.Join(book(c, local, in), agent.Compensate(c))
	})
	Contractor = payer("Contractor", func(c *agent.Context, in order) (any, error) { return nil, book(c, transfer, in) })
)

// book pays three, and fails.
func book(c *agent.Context, t agent.Tool, in order) error {
	to := in.Payment.To
	for i := range 3 {
		in.Payment.To = fmt.Sprint(to, "-", i+1)
		if _, err := agent.Act[receipt](c, t, in.Payment); err != nil {
			return err
		}
	}
	return errors.New("no room is free")
}

// Surveyor asks a person for a word.
var Surveyor = payer("Surveyor", func(c *agent.Context, in order) (string, error) {
	answer, err := agent.Ask[string](c, agent.Question{Title: "Which word?"})
	return answer.Value, err
})

// Shaper calls a tool with an input that is no object.
var Shaper = payer("Shaper", func(c *agent.Context, in order) (any, error) {
	return agent.Act[any](c, shapeless, in.Payment.Bank)
})

// payer makes a workflow. Its own ledger can be read in its own conversation.
func payer[Out any](name string, run func(c *agent.Context, in order) (Out, error)) agent.Agent {
	return agent.Agent{
		Name: name, Helper: true, Program: agent.NewProgram(run), Tools: []agent.Tool{local},
		Methods: map[string]agent.Method{"actions": agent.ListActions},
	}
}

// cashiers are the agents of the tests of actions.
var cashiers = []agent.Agent{Cashier, Clerk, Junior, Payroll, Teller, Booker, Contractor, Surveyor, Shaper}

// beginRun begins a detached run. Its arguments are the name of a helper, the run's id and its input.
func beginRun(call *agent.Call) (any, error) {
	var name, id string
	var in json.RawMessage
	for i, arg := range []any{&name, &id, &in} {
		if err := call.Arg(i, arg); err != nil {
			return nil, err
		}
	}
	r, err := agent.StartDetached(&call.Conversation, agent.Agent{Name: name, Helper: true}, "ended", in, agent.RunID(id))
	return r.Status, err
}
