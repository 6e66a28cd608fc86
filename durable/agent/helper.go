package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/run"
)

// Run is a helper's run that was begun.
type Run struct{ pending chat.PendingRun }

// Result is what a helper's run gives a model: its summary or its output, or a failure
// in words.
type Result struct {
	OK      bool   `json:"ok"`
	Summary string `json:"summary,omitempty"`
	// Output is JSON, in place of the summary where the helper has one; see [Output].
	Output json.RawMessage `json:"output,omitempty"`
	Status run.Status      `json:"status,omitempty"`
	// Run is the id of a detached run that goes on.
	Run   string `json:"runId,omitempty"`
	Error string `json:"error,omitempty"`
	// Retryable says that asking again may help. Reason says for programs what went
	// wrong.
	Retryable bool       `json:"retryable,omitempty"`
	Reason    run.Reason `json:"reason,omitempty"`
}

// RunError is a [Result] that is none, where Go code wants an error.
type RunError struct{ Result Result }

// Error says what went wrong, in words.
func (e *RunError) Error() string { return e.Result.Error }

// StartAgent begins a run of a helper and returns at once, so that several can be
// at work side by side. in becomes JSON, of at most 256 KiB; the helper is told its one
// text field, or all of it as JSON. What cannot be begun is a [Result] that says why.
// StartAgent panics when in cannot be JSON.
func StartAgent(c *Context, helper Agent, in any, options ...Option) Run {
	return Run{c.StartRun(spec(helper, in, options))}
}

// StartDetached begins a run of a helper whose end goes to a handler among
// [Agent.Handlers], for code that does not wait: callbacks, methods and hooks. The error
// says why it was not begun. StartDetached panics when in cannot be JSON.
func StartDetached(c *Conversation, helper Agent, handler string, in any, options ...Option) (RunInfo, error) {
	return c.StartRun(spec(helper, in, append(options[:len(options):len(options)], Detached(handler))))
}

func spec(helper Agent, in any, options []Option) chat.Spec {
	input := mustMarshal(in)
	s := chat.Spec{Class: helper.Name, Input: input, Prompt: prompt(input), Preview: input, Display: display(helper.Title, helper.Icon)}
	for _, option := range options {
		option(&s)
	}
	return s
}

// ID names the run, for as long as it is kept.
func (r Run) ID() string { return r.pending.ID }

// Wait returns what came of the run. A helper that failed is a result, not an
// error: one failure does not hide what others have found.
func (r Run) Wait() Result {
	o, err := r.pending.Wait()
	if err != nil {
		o = chat.Outcome{Status: run.Failed, Failure: err.Error(), Reason: run.NotStarted}
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

// RunAgent is [StartAgent], and waits for what comes of the run.
func RunAgent(c *Context, helper Agent, in any, options ...Option) Result {
	return StartAgent(c, helper, in, options...).Wait()
}

// AgentTool makes a tool of a helper: a call is a run of its own, with the call's id, and the
// model is told its [Result]. In is what [NewTool] says. AgentTool panics when the agent is
// not declared as a helper, or In has no schema.
func AgentTool[In any](helper Agent, name, description string, options ...Option) Tool {
	if !helper.Helper {
		panic(fmt.Errorf("agent: %s is not declared as a helper", helper.Name))
	}
	return NewTool(name, description, func(c *Context, in In) (Result, error) { return RunAgent(c, helper, in, options...), nil })
}

// prompt is what a helper is told of its input: the text, where there is one field
// and it is text, and otherwise all of it.
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

// display is what browsers are shown of a run beside its input.
func display(title, icon string) json.RawMessage {
	if title == "" && icon == "" {
		return nil
	}
	return mustMarshal(struct {
		Name string `json:"name,omitempty"`
		Icon string `json:"icon,omitempty"`
	}{title, icon})
}
