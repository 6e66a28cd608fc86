package chattest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// coder is a conversation whose model runs code over tools, which the code alone can call.
var coder = agent.Agent{
	Name: "Coder", Model: Coding{},
	Tools: []agent.Tool{agent.Code(double, rest, look, send, pay, wire, lose, broken, delegate).Limits(agent.CodeLimits{Calls: 20, Parallel: 4})},
}

type number struct {
	N int `json:"n"`
}

var (
	double = agent.NewTool("double", "Doubles a number.", func(_ *agent.Context, in number) (number, error) { return number{2 * in.N}, nil })
	// rest sleeps as many seconds as the number says.
	rest = agent.NewTool("rest", "Sleeps for some seconds.", func(c *agent.Context, in number) (string, error) {
		return fmt.Sprint("slept ", in.N), flow.Sleep(c, time.Duration(in.N)*time.Second)
	})
	// look and send make requests, of which the second kind must not be repeated.
	look = agent.NewTool("look", "Looks up a number.", request("GET"))
	send = agent.NewTool("send", "Sends a number.", request("POST"))
	// pay needs approval, and is done once for a number.
	pay = agent.NewTool("pay", "Pays an amount.", func(c *agent.Context, in number) (string, error) {
		return fmt.Sprint("paid ", in.N), flow.Sleep(c, time.Second)
	}).NeedsApproval(nil).AnswerWithin(time.Hour).With(agent.Once(func(in number) string { return fmt.Sprint("pay:", in.N) }))
	// wire needs approval, for as long as it takes.
	wire = agent.NewTool("wire", "Pays an amount.", func(c *agent.Context, in number) (string, error) {
		return fmt.Sprint("paid ", in.N), flow.Sleep(c, time.Second)
	}).NeedsApproval(nil)
	lose     = agent.NewTool("lose", "Fails.", func(*agent.Context, number) (number, error) { return number{}, errors.New("it was lost") })
	broken   = agent.Tool{Name: "no-output.v2", Description: "Returns nothing.", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }}
	delegate = agent.AgentTool[queryOf](codingHelper, "delegate", "Has a helper run code.")
)

// request returns the code of a tool that makes a request.
func request(method string) func(c *agent.Context, in number) (string, error) {
	return func(c *agent.Context, in number) (string, error) {
		r, err := flow.Fetch(c, flow.Request{Method: method, URL: fmt.Sprint("https://site.test/", in.N)})
		return string(r.Body), err
	}
}

type queryOf struct {
	Query string `json:"query"`
}

// codingHelper is a helper whose model runs code.
var codingHelper = agent.Agent{Name: "CodingHelper", Helper: true, Model: Coding{}, Tools: []agent.Tool{agent.Code(double, rest, pay)}}

// Coding is a model that calls the tool code with what stands behind "code: " in the question, and
// then says the output. What stands behind "input: " is the tool's whole input.
type Coding struct{}

func (Coding) Name() string { return "coding" }

func (Coding) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return &coded{id: id, request: request}, nil
}

type coded struct {
	id      string
	request model.Request
	over    bool
}

func (a *coded) Take(tx *durable.Tx, event durable.Event) ([]model.Delta, error) {
	if _, fired := event.(durable.TimerFired); !fired || a.over {
		return nil, nil
	}
	a.over = true
	switch c := lastOf(a.request.Messages).Content[0].(type) {
	case model.ToolResult:
		return []model.Delta{model.TextDelta{Text: string(c.Output)}, model.Finished{Reason: model.Stop}}, nil
	case model.Text:
		if _, code, ok := strings.Cut(c.Text, "code: "); ok {
			input := limit.MustMarshal(map[string]string{"code": code})
			if raw, ok := strings.CutPrefix(code, "input: "); ok {
				input = json.RawMessage(raw)
			}
			call := model.ToolCall{ID: "call_" + tx.NewID(), Name: agent.CodeTool, Input: input}
			return []model.Delta{model.ToolCallStarted{ID: call.ID, Name: call.Name}, call, model.Finished{Reason: model.ToolCalls}}, nil
		}
	}
	return []model.Delta{model.TextDelta{Text: "nothing to do"}, model.Finished{Reason: model.Stop}}, nil
}

func (a *coded) Cancel(tx *durable.Tx) {
	if !a.over {
		a.over = true
		tx.Do(durable.StopTimer{Timer: a.id})
	}
}
