package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Run is a run of a helper that [StartAgent] has started.
type Run struct {
	id      string
	pending *flow.Pending
}

// Result is what became of a helper's run, in the form that a model is sent: a summary or an
// output, or a failure in words. OK says that the run has a result, or, if it is detached, that it
// has begun.
type Result struct {
	OK      bool   `json:"ok"`
	Summary string `json:"summary,omitempty"`
	// Output is JSON. It replaces the summary if the run has an output, see [Output].
	Output json.RawMessage `json:"output,omitempty"`
	Status run.Status      `json:"status,omitempty"`
	// Run is the id of a detached run that has begun.
	Run   string `json:"runId,omitempty"`
	Error string `json:"error,omitempty"`
	// Retryable says that another attempt may succeed. Reason says for programs why the run failed.
	Retryable bool       `json:"retryable,omitempty"`
	Reason    run.Reason `json:"reason,omitempty"`
}

// RunError is a [Result] that is not OK, as a Go error.
type RunError struct{ Result Result }

// Error says what went wrong, in words.
func (e *RunError) Error() string { return e.Result.Error }

// StartAgent starts a run of a helper and returns at once, so that several runs can be active at
// the same time. in becomes JSON of at most 256 KiB. If it is text, or has only one field and that
// is text, the helper's model is sent the text. Otherwise it is sent the JSON. If the run cannot
// start, its [Result] says why. StartAgent panics if in cannot become JSON.
func StartAgent(c *Context, helper Agent, in any, options ...Option) Run {
	return c.startRun(specOf(helper, in, options))
}

// StartDetached starts a run of a helper whose end goes to a handler among [Agent.Handlers]. It is
// for code that does not wait: callbacks, methods and hooks. The error says why the run was not
// started. In a helper the root hosts the run, and may refuse it later: the handler is then given
// the refusal as the run's end. StartDetached panics if in cannot become JSON.
func StartDetached(c *Conversation, helper Agent, handler string, in any, options ...Option) (RunInfo, error) {
	return c.startRun(specOf(helper, in, append(options[:len(options):len(options)], Detached(handler))))
}

// ID returns the id of the run. It names the run for as long as the run is kept, see [Agent.Keep].
func (r Run) ID() string { return r.id }

// Wait waits for the run and returns its result. A helper that failed is a result, not an error, so
// that one failure does not hide the results of other helpers. For a detached run Wait returns at
// once and says how the run began.
func (r Run) Wait() Result {
	o, err := r.Outcome()
	if err != nil {
		o = run.Outcome{Status: run.Failed, Failure: err.Error(), Reason: run.NotStarted}
	}
	switch {
	case o.Status == run.Completed && o.Output != nil:
		return Result{OK: true, Output: o.Output}
	case o.Status == run.Completed:
		return Result{OK: true, Summary: o.Summary}
	case !o.Status.Final():
		return Result{OK: true, Status: o.Status, Run: o.Run}
	}
	return Result{Status: o.Status, Error: o.Failure, Retryable: run.Retryable(o.Status, o.Reason), Reason: o.Reason}
}

// Outcome waits for the run and returns how it ended, as it is stored. For a detached run it returns
// at once and says how the run began. If the time to wait is over, the outcome says so. An error
// means that there is no outcome.
func (r Run) Outcome() (run.Outcome, error) {
	var o run.Outcome
	data, err := r.pending.Wait()
	switch {
	case errors.Is(err, flow.ErrTimeout):
		return run.Outcome{Run: r.id, Status: run.Aborted, Failure: err.Error(), Reason: run.TimedOut}, nil
	case err != nil:
		return o, err
	}
	err = json.Unmarshal(data, &o)
	return o, err
}

// RunAgent is [StartAgent], but waits for the result of the run.
func RunAgent(c *Context, helper Agent, in any, options ...Option) Result {
	return StartAgent(c, helper, in, options...).Wait()
}

// AgentTool makes a tool of a helper. Each call is a run of its own, with the call's id, and the
// model is sent its [Result]. In describes the input as in [NewTool]. AgentTool panics if the agent
// is not declared as a helper, or In has no schema.
func AgentTool[In any](helper Agent, name, description string, options ...Option) Tool {
	if !helper.Helper {
		panic(fmt.Errorf("agent: %s is not declared as a helper", helper.Name))
	}
	return NewTool(name, description, func(c *Context, in In) (Result, error) { return RunAgent(c, helper, in, options...), nil })
}

// prompt is what a helper is sent of its input: the text, if the input is text or has only one
// field, which is text, and otherwise all of the input.
func prompt(input json.RawMessage) string {
	var text string
	if json.Unmarshal(input, &text) == nil {
		return text
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) == nil && len(fields) == 1 {
		for _, field := range fields {
			if json.Unmarshal(field, &text) == nil {
				return text
			}
		}
	}
	return string(input)
}

// display is what browsers are sent to show a run, apart from its input.
func display(title, icon string) json.RawMessage {
	if title == "" && icon == "" {
		return nil
	}
	return limit.MustMarshal(struct {
		Name string `json:"name,omitempty"`
		Icon string `json:"icon,omitempty"`
	}{title, icon})
}
