package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// maxSummary is the size of a run's summary, in bytes. Two of them still fit into one
// tool's output; the helper's conversation has all of what it said.
const maxSummary = limit.Summary

// bounded keeps what came of a run within what a row, an event and a model's request
// can take.
func bounded(status run.Status, result run.Result) (run.Status, run.Result) {
	if n := len(result.Output); n > MaxOutput {
		result.Output, result.Reason = nil, run.InvalidOutput
		result.Failure = fmt.Sprintf("the output has %d bytes, at most %d", n, MaxOutput)
		status = run.Failed
	}
	result.Summary = cutOff(result.Summary, maxSummary)
	result.Failure = cutOff(result.Failure, maxSummary)
	return status, result
}

// cutOff cuts a text that is too long, between runes, and says so.
func cutOff(text string, limit int) string { return protocol.CutOff(text, limit) }
