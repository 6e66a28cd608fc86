package supervisor

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// boundResult keeps a run's result within the limits of a row, an event and a model's request.
func boundResult(status run.Status, result run.Result) (run.Status, run.Result) {
	if n := len(result.Output); n > limit.Output {
		result.Output, result.Reason = nil, run.InvalidOutput
		result.Failure = fmt.Sprintf("the output has %d bytes, at most %d", n, limit.Output)
		status = run.Failed
	}
	result.Summary = protocol.CutOff(result.Summary, limit.Summary)
	result.Failure = protocol.CutOff(result.Failure, limit.Summary)
	return status, result
}
