package coderun

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/script"
)

// output is the result of code that has ended, as the model gets it.
type output struct {
	Status string          `json:"status"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
	Logs   json.RawMessage `json:"logs,omitempty"`
	Calls  *int            `json:"calls,omitempty"`
}

// ended returns the tool's output if the script has ended, or nil.
func (r *program) ended(result script.Result) json.RawMessage {
	switch result.State {
	case script.Waits:
		return nil
	case script.Done:
		if value := json.RawMessage(result.Value); json.Valid(value) {
			return r.completed(value)
		}
		return r.fail(r.spent("engine"))
	case script.Spent:
		return r.fail(r.spent(result.Words))
	}
	return r.fail(result.Words)
}

// spent says which limit the code has come to.
func (r *program) spent(limit string) string {
	switch l := r.k.Limits; {
	case limit == "work" && r.used >= l.Work:
		return fmt.Sprintf("the code has done all the work that it may do, %d units: it may have a loop without an end", l.Work)
	case limit == "work":
		return fmt.Sprintf("the code has worked for too long without an await, more than %d units: it may have a loop without an end", l.Stretch)
	case limit == "memory":
		return fmt.Sprintf("the code needs more memory than it may use, %d bytes", l.Memory)
	case limit == "stack":
		return "the code calls itself too deep"
	}
	return "the code has ended the engine that runs it"
}

// completed is the output of code that has returned a value.
func (r *program) completed(value json.RawMessage) json.RawMessage {
	most := r.k.Limits.Answer
	for {
		logs := cutLines(r.lines, most/4)
		out := output{Status: "completed", Logs: logs, Result: codemode.Cut(value, max(most-len(logs)-64, 64))}
		if data := limit.MustMarshal(out); len(data) <= limit.Output || most < 1024 {
			return data
		}
		most /= 2 // characters can take several bytes
	}
}

// fail is the output of code that has failed.
func (r *program) fail(words string) json.RawMessage { return r.k.failed(words, r.lines, r.calls) }

// failed is the output of code that has failed, for a reason in words.
func (k *Code) failed(words string, lines []string, calls int) json.RawMessage {
	return limit.MustMarshal(output{
		Status: "failed", Error: protocol.CutOff(words, limit.HookWords), Logs: cutLines(lines, k.Limits.Answer/4), Calls: &calls,
	})
}

// cutLines returns lines as a JSON list of at most so many characters, or nil if there are none.
func cutLines(lines []string, most int) json.RawMessage {
	if len(lines) == 0 {
		return nil
	}
	return codemode.Cut(limit.MustMarshal(lines), max(most, 64))
}

// end ends the code at once, whatever the journal has. Calls that it has not come to in this life end
// with it.
func (r *program) end(output json.RawMessage) {
	r.Object.EndCalls(flow.Event(r), r.Code.Call.ID, cancelled(flow.Left))
	flow.Finish(r, output, nil)
}

// giveUp ends code that has ended its instance too often.
func (r *program) giveUp() {
	words := fmt.Sprintf("this code has stopped the server %d times, and is not run again", flow.MaxSliceLosses)
	r.end(limit.MustMarshal(output{Status: "failed", Error: words})) // how far it has come is not known without running it
}
