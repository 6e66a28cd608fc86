package servers

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// This file is about what servers say of their results: schemas that would cost more than anybody may have others
// pay. Such a schema promises nothing, and what the server has said is told as it is.

// costly are the schemas of the results of tools.
var costly = map[string]json.RawMessage{
	contract.Look:     json.RawMessage(`{"type":"object","allOf":[{"$ref":"#"}]}`),
	contract.Keep:     json.RawMessage(`{"type":"object","$ref":"#/$defs/d0","$defs":{` + doubling(30) + `"d30":{}}}`),
	contract.NoteDown: json.RawMessage(`{"type":"object","patternProperties":{` + patterns(400) + `"z":{}}}`),
}

// doubling returns definitions that each refer twice to the next one.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"oneOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	return b.String()
}

// patterns returns schemas for names that match patterns.
func patterns(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"(n|%d)+$":{"minLength":%d},`, i, i)
	}
	return b.String()
}

// structured is the content of some results, which is checked against these schemas.
var structured = func() object {
	o := object{}
	for i := range 500 {
		o[fmt.Sprint(strings.Repeat("n", 20), i)] = "n"
	}
	return o
}()

// costs says whether the result of a call has such content.
func (q Request) costs() bool { return costly[q.Tool] != nil && draw(q.Text+" costs", 16) == 0 }
