package run

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
)

// ErrNoJSON refuses an answer that should be JSON and is not.
var ErrNoJSON = errors.New("the answer is not JSON")

// ReadOutput extracts the JSON from a helper's answer: the whole answer, or the last fenced code
// block that is JSON, because models often add text around it.
func ReadOutput(answer string) (json.RawMessage, error) {
	blocks := strings.Split(answer, "```")
	candidates := []string{answer}
	for i := len(blocks)/2*2 - 1; i > 0; i -= 2 { // the odd ones stand between two fences
		candidates = append(candidates, strings.TrimLeftFunc(blocks[i], unicode.IsLetter))
	}
	for _, c := range candidates {
		if c = strings.TrimSpace(c); json.Valid([]byte(c)) {
			return json.RawMessage(c), nil
		}
	}
	return nil, ErrNoJSON
}

// Finish returns the outcome of a run whose helper has finished. If the answer must fit a schema
// and does not, the run has failed.
func Finish(r Run, result Result) (Status, Result) {
	if r.Schema == nil {
		return Completed, result
	}
	var err error
	if result.Output == nil {
		result.Output, err = ReadOutput(result.Summary)
	}
	if err == nil {
		err = Fit(r.Schema, result.Output)
	}
	if err != nil {
		return Failed, Result{Summary: result.Summary, Failure: err.Error(), Reason: InvalidOutput}
	}
	return Completed, result
}
