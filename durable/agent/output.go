package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/chat"
)

// Output has the helper answer with JSON that fits the struct Out: json tags name the
// fields, jsonschema tags describe them, and a field is required unless its json tag
// says omitempty. The helper is told the schema; its answer is held to it before anybody
// sees it. Output panics when Out has no schema.
func Output[Out any]() Option {
	schema, _ := schemaOf[Out]("an output")
	return func(s *chat.Spec) { s.Output = schema }
}

// RunAs is a helper's run that was begun and gives a value of Go.
type RunAs[Out any] struct{ Run }

// StartAgentAs is [StartAgent] for an answer that is a value of Go, see [Output]. It panics
// when Out has no schema.
func StartAgentAs[Out any](c *Context, helper Agent, in any, options ...Option) RunAs[Out] {
	return RunAs[Out]{StartAgent(c, helper, in, append([]Option{Output[Out]()}, options...)...)}
}

// Wait returns what came of the run. Its error is a [*RunError] where the helper has failed.
func (r RunAs[Out]) Wait() (out Out, err error) {
	result := r.Run.Wait()
	if !result.OK {
		return out, &RunError{result}
	}
	if err := json.Unmarshal(result.Output, &out); err != nil {
		return out, fmt.Errorf("agent: output of run %s: %w", r.ID(), err)
	}
	return out, nil
}

// RunAgentAs is [StartAgentAs], and waits for the answer.
func RunAgentAs[Out any](c *Context, helper Agent, in any, options ...Option) (Out, error) {
	return StartAgentAs[Out](c, helper, in, options...).Wait()
}
