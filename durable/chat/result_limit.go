package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// maxSummary is the size of a run's summary, in bytes. Two summaries fit into one tool's output.
// The helper's conversation holds its whole answer.
const maxSummary = limit.Summary

// boundResult keeps a run's result within the limits of a row, an event and a model's request.
func boundResult(status run.Status, result run.Result) (run.Status, run.Result) {
	if n := len(result.Output); n > MaxOutput {
		result.Output, result.Reason = nil, run.InvalidOutput
		result.Failure = fmt.Sprintf("the output has %d bytes, at most %d", n, MaxOutput)
		status = run.Failed
	}
	result.Summary = protocol.CutOff(result.Summary, maxSummary)
	result.Failure = protocol.CutOff(result.Failure, maxSummary)
	return status, result
}
