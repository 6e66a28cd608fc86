package agents

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Pay pays. It is an action: it happens once for its key, whoever asks and however often. The bank
// is the server at the variable BANK_URL. Without the variable the bank is simulated.
var Pay = agent.NewTool("pay", "Pays an amount of money to somebody.", pay).
	NeedsApproval(large).
	With(agent.Explain(explainPayment), agent.Once(keyOf), agent.Settle(settlePayment), agent.Undo(payBack)).
	Across()

type payment struct {
	Amount int    `json:"amount" jsonschema:"the amount, in whole euros"`
	To     string `json:"to" jsonschema:"who is paid"`
}

type receipt struct {
	Receipt string `json:"receipt"`
	Amount  int    `json:"amount"`
	To      string `json:"to"`
}

// small is the largest amount that nobody has to approve.
const small = 100

// large says whether a person has to approve a payment.
func large(input json.RawMessage) bool {
	var in payment
	return json.Unmarshal(input, &in) != nil || in.Amount > small
}

func explainPayment(in payment) agent.Explanation {
	e := agent.Explanation{Title: fmt.Sprintf("Pay %d € to %s", in.Amount, in.To), Text: "The money leaves the account at once.", Risk: agent.RiskMedium}
	if in.Amount > 10*small {
		e.Risk = agent.RiskHigh
	}
	return e
}

func keyOf(in payment) string { return fmt.Sprintf("pay:%d:%s", in.Amount, in.To) }

// pay sends a payment to the bank. The bank knows the key of a payment that is sent again.
func pay(c *agent.Context, in payment) (receipt, error) {
	bank, err := c.Var("BANK_URL")
	if err != nil {
		return receipt{}, err
	}
	if in.Amount < 1 {
		return receipt{}, fmt.Errorf("%d € cannot be paid", in.Amount)
	}
	if bank == "" {
		return receipt{Receipt: "simulated-" + hex.EncodeToString(flow.Random(c, 4)), Amount: in.Amount, To: in.To}, nil
	}
	body, err := json.Marshal(in)
	if err != nil {
		return receipt{}, err
	}
	response, err := flow.Fetch(c, flow.Request{
		Method: "POST", URL: bank + "/payments", Body: body,
		Header: []durable.Header{{Name: "Content-Type", Value: "application/json"}},
	}, agent.Idempotent())
	if err != nil {
		return receipt{}, err
	}
	return receiptOf(response)
}

// receiptOf reads what the bank has answered.
func receiptOf(r flow.Response) (out receipt, err error) {
	switch {
	case r.Status >= 500:
		return out, agent.MayHaveHappened(fmt.Errorf("the bank answers with the status %d", r.Status))
	case r.Status >= 300:
		return out, fmt.Errorf("the bank refuses with the status %d", r.Status)
	}
	return out, json.Unmarshal(r.Body, &out)
}

// settlePayment asks the bank for the payment with a key.
func settlePayment(c *agent.Context, _ payment, key string) (receipt, agent.Happened, error) {
	bank, err := c.Var("BANK_URL")
	if err != nil || bank == "" {
		return receipt{}, agent.Unclear, err
	}
	response, err := flow.Fetch(c, flow.Request{Method: "GET", URL: bank + "/payments?key=" + url.QueryEscape(key)})
	switch {
	case err != nil:
		return receipt{}, agent.Unclear, err
	case response.Status == 404:
		return receipt{}, agent.No, nil
	case response.Status != 200:
		return receipt{}, agent.Unclear, nil
	}
	out, err := receiptOf(response)
	return out, agent.Yes, err
}

// payBack has the bank take a payment back.
func payBack(c *agent.Context, _ payment, out receipt) error {
	bank, err := c.Var("BANK_URL")
	if err != nil || bank == "" {
		return err
	}
	response, err := flow.Fetch(c, flow.Request{Method: "DELETE", URL: bank + "/payments/" + url.PathEscape(out.Receipt)}, agent.Idempotent())
	if err == nil && response.Status >= 300 && response.Status != 404 {
		err = fmt.Errorf("the bank refuses with the status %d", response.Status)
	}
	return err
}
