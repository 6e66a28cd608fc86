package subject

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/flow"
)

// clerk is a helper that runs a program.
var clerk = agent.Agent{Name: contract.Clerk, Helper: true, Program: agent.NewProgram(work), Tools: []agent.Tool{deposit}}

// office returns the tools that put clerks to work.
func office() []agent.Tool {
	tools := []agent.Tool{
		agent.AgentTool[query](clerk, contract.Commission, "Has a clerk do something."),
		agent.AgentTool[query](clerk, contract.Errand, "Has a clerk do something in the background.", agent.Detached(contract.NotifyHandler)),
		pay, book,
	}
	for i, t := range tools {
		tools[i] = t.When(isOpen)
	}
	return tools
}

// courier is a helper that begins a detached run, which the root hosts.
var courier = agent.Agent{
	Name: contract.Courier, Helper: true, Program: agent.NewProgram(carry),
	Handlers: map[string]agent.RunHook{contract.NotifyHandler: file, contract.CourierHandler: file},
}

// carry is the program of a courier. What it has begun goes on when it has ended.
func carry(c *agent.Context, in query) (string, error) {
	r := agent.RunAgent(c, agents.Researcher, in, agent.Detached(contract.HandlerOf(in.Query)), agent.Label("by", "courier"))
	if !r.OK {
		return "", errors.New(r.Error)
	}
	return in.Query, nil
}

// below returns the tools with which a helper of the root puts others to work.
func below() []agent.Tool {
	tools := []agent.Tool{
		pay,
		agent.AgentTool[query](clerk, contract.Dispatch, "Has a clerk do something in the background.", agent.Detached(contract.NotifyHandler)),
		agent.AgentTool[query](courier, contract.Mail, "Has a courier send somebody into the background."),
	}
	for i, t := range tools {
		tools[i] = t.When(isOpen)
	}
	return tools
}

// isOpen says whether there is an office.
func isOpen(vars map[string]string) bool { return vars[contract.OfficeVar] != "" }

// pay and book are the actions of the office.
var (
	pay = agent.NewTool(contract.Pay, "Pays for something.", payAt(contract.PayPath)).
		With(agent.Once(keyOf(contract.Pay)), agent.Settle(settle), agent.Undo(payBackAt(contract.PayPath))).Across()
	// deposit is an action that each clerk has for itself.
	deposit = agent.NewTool("deposit", "Deposits something.", payAt(contract.DepositPath)).
		With(agent.Once(func(in contract.Order) string { return "deposit:" + in.Wish + ":" + in.Note }), agent.Settle(settle), agent.Undo(payBackAt(contract.DepositPath)))

	book = agent.NewTool(contract.Book, "Books something.", bookNow).With(agent.Once(keyOf(contract.Book)))
)

// keyOf returns the function that makes the key of a tool's action.
func keyOf(tool string) func(contract.Order) string {
	return func(in contract.Order) string { return tool + ":" + in.Wish }
}

// payAt returns the code that pays at a path of the server.
func payAt(path string) func(c *agent.Context, in contract.Order) (contract.Paid, error) {
	return func(c *agent.Context, in contract.Order) (contract.Paid, error) {
		r, err := flow.Within(c, 30*time.Second, func() (flow.Response, error) {
			return flow.Fetch(c, flow.Request{Method: http.MethodPost, URL: contract.OfficeServer + path + in.Wish, Body: []byte(in.Note)}, agent.Idempotent())
		})
		return paid(r, err)
	}
}

// bookNow sends the key for the simulator alone: the request must not be repeated.
func bookNow(c *agent.Context, in contract.Order) (contract.Paid, error) {
	r, err := flow.Fetch(c, flow.Request{
		Method: http.MethodPost, URL: contract.OfficeServer + contract.BookPath + in.Wish, Body: []byte(in.Note),
		Header: []durable.Header{{Name: contract.KeyHeader, Value: flow.KeyOf(c)}},
	})
	return paid(r, err)
}

func paid(r flow.Response, err error) (contract.Paid, error) {
	switch {
	case err != nil:
		return contract.Paid{}, err
	case r.Status == http.StatusServiceUnavailable:
		return contract.Paid{}, agent.MayHaveHappened(errors.New("the office is broken"))
	case r.Status != http.StatusOK:
		return contract.Paid{}, fmt.Errorf("the office refuses with the status %d", r.Status)
	}
	return contract.Paid{Receipt: string(r.Body)}, nil
}

func settle(c *agent.Context, _ contract.Order, key string) (contract.Paid, agent.Happened, error) {
	r, err := flow.Within(c, 30*time.Second, func() (flow.Response, error) {
		return flow.Fetch(c, flow.Request{URL: contract.OfficeServer + contract.SettlePath + key})
	})
	switch {
	case err != nil:
		return contract.Paid{}, agent.Unclear, err
	case r.Status == http.StatusNotFound:
		return contract.Paid{}, agent.No, nil
	case r.Status != http.StatusOK:
		return contract.Paid{}, agent.Unclear, nil
	}
	return contract.Paid{Receipt: string(r.Body)}, agent.Yes, nil
}

// payBackAt returns the code that takes a payment back at a path of the server.
func payBackAt(path string) func(c *agent.Context, in contract.Order, out contract.Paid) error {
	return func(c *agent.Context, in contract.Order, _ contract.Paid) error {
		r, err := flow.Fetch(c, flow.Request{Method: http.MethodDelete, URL: contract.OfficeServer + path + in.Wish}, agent.Idempotent())
		if err == nil && r.Status != http.StatusOK {
			err = fmt.Errorf("the office refuses with the status %d", r.Status)
		}
		return err
	}
}

// work is the program of a clerk.
func work(c *agent.Context, in query) (contract.OfficeReport, error) {
	w := &desk{Context: c, job: contract.JobOf(in.Query), report: contract.OfficeReport{
		Query: in.Query, Receipts: map[string]string{}, Failed: map[string]string{}, Signals: []string{},
	}}
	if err := w.step(contract.FirstStep); err != nil {
		return w.report, err
	}
	if err := w.wait(); err != nil {
		return w.report, err
	}
	if err := w.step(contract.SecondStep); err != nil {
		return w.report, err
	}
	if err := w.pay(); err != nil {
		return w.report, err
	}
	return w.report, w.step(contract.LastStep)
}

// desk is a clerk at work.
type desk struct {
	*agent.Context
	job    contract.Job
	report contract.OfficeReport
}

// step has an effect at the office's server. A step that has failed is reported, and does not end
// the work.
func (w *desk) step(name string) error {
	receipt, err := flow.Do(w, name, func(a *flow.Attempt) (string, error) {
		r, err := flow.Fetch(a, flow.Request{
			Method: http.MethodPost, URL: contract.OfficeServer + contract.StepPath + name, Body: []byte(w.report.Query),
			Header: []durable.Header{{Name: contract.KeyHeader, Value: a.Key()}}, Repeatable: !w.job.Bare,
		})
		switch {
		case err != nil:
			return "", err
		case r.Status == http.StatusTooManyRequests:
			return "", flow.After(errors.New(r.Header["retry-after"]), 3*time.Second)
		case r.Status == http.StatusBadRequest:
			return "", flow.Permanent(errors.New("the office refuses"))
		case r.Status != http.StatusOK:
			return "", fmt.Errorf("the office answers with the status %d", r.Status)
		}
		return string(r.Body), nil
	}, flow.Retry{Timeout: 20 * time.Second, Longest: 4 * time.Second})
	switch {
	case errors.Is(err, flow.ErrCancelled):
		return err
	case err != nil:
		w.report.Failed[name] = err.Error()
	default:
		w.report.Receipts[name] = receipt
	}
	return nil
}

// wait waits for the signals and for the answer.
func (w *desk) wait() error {
	if !w.job.Beside {
		got, err := w.receive()
		w.note(got)
		return errors.Join(err, w.ask())
	}
	signals := flow.Go(w, "signals", w.receive) // it must not change the report: a branch that has ended is not run again
	err := w.ask()
	got, late := signals.Wait()
	w.note(got)
	return errors.Join(err, late)
}

// received is the ids of the signals that a clerk has received.
type received struct {
	IDs    []string
	Missed bool
}

func (w *desk) note(r received) {
	w.report.Signals, w.report.Missed = append(w.report.Signals, r.IDs...), r.Missed
}

// pay pays for what the job says, and takes that back if the job says so.
func (w *desk) pay() error {
	if w.job.Pays == "" {
		return nil
	}
	tool, note := pay, contract.Notes[0]
	if w.job.Undoes {
		tool, note = deposit, hex.EncodeToString(flow.Random(w, 8)) // no other run has the key
	}
	p, err := agent.Act[contract.Paid](w.Context, tool, contract.Order{Wish: w.job.Pays, Note: note})
	switch {
	case errors.Is(err, flow.ErrCancelled):
		return err
	case err != nil:
		w.report.NotPaid = err.Error()
		return nil
	}
	w.report.Paid = cmp.Or(p.Receipt, "a person has said so")
	if !w.job.Undoes {
		return nil
	}
	if err := agent.Compensate(w.Context); errors.Is(err, flow.ErrCancelled) {
		return err
	}
	return nil
}

// patiently waits for something, as long as the clerk has patience.
func patiently[T any](w *desk, wait func() (T, error)) (T, error) {
	if w.job.Patience == 0 {
		return wait()
	}
	return flow.Within(w, w.job.Patience, wait)
}

func (w *desk) receive() (r received, err error) {
	for range w.job.Signals {
		s, err := patiently(w, func() (flow.Signal[string], error) { return flow.Receive[string](w, contract.Go) })
		switch {
		case errors.Is(err, flow.ErrTimeout):
			r.Missed = true
			return r, nil
		case err != nil:
			return r, err
		case s.Payload != s.ID:
			return r, fmt.Errorf("the payload of %s is %q", s.ID, s.Payload)
		}
		r.IDs = append(r.IDs, s.ID)
	}
	return r, nil
}

func (w *desk) ask() error {
	answer, err := patiently(w, w.askOne)
	if errors.Is(err, flow.ErrTimeout) {
		answer, err = "late", nil
	}
	w.report.Answer = answer
	return err
}

// askOne asks a person, and returns the answer in a word.
func (w *desk) askOne() (string, error) {
	switch w.job.Asks {
	case contract.YesOrNo:
		a, err := agent.Ask[bool](w.Context, agent.Question{Title: "May it be done?", Text: w.report.Query})
		if err == nil && a.Value {
			return "yes", nil
		}
		return "no", err
	case contract.OneOf:
		a, err := agent.Ask[string](w.Context, agent.Question{Title: "Which one?", Text: w.report.Query, Choices: contract.Choices})
		if err == nil && a.Denied {
			return "denied", nil
		}
		return a.Value, err
	}
	return "", nil
}
