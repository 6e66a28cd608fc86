package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// FuzzQuestion checks that a question with any schema is a form of the protocol or an error, and that no
// answer of a client traps, nor is taken that does not fit.
func FuzzQuestion(f *testing.F) {
	f.Add(`{"title":"Which?","default":"red"}`, `{"type":"string","enum":["red"]}`, `{"action":"accept","content":{"value":"red"}}`)
	f.Add(`{"text":"How many?"}`, `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`, `{"action":"accept","content":{"n":1}}`)
	f.Add(`{}`, `{"type":"object","properties":{"n":{"type":"array"}}}`, `{"action":"decline"}`)
	f.Add(`[]`, `true`, `null`)
	f.Fuzz(func(t *testing.T, input, schema, answer string) {
		if !json.Valid([]byte(schema)) { // an author's type makes it
			return
		}
		q, err := questionOf(author.Question{Input: json.RawMessage(input), Schema: json.RawMessage(schema), Form: true})
		if err != nil {
			return
		}
		params, err := mcp.Parse(q.Params)
		if err != nil {
			t.Fatalf("%v: %s", err, q.Params)
		}
		if _, ok := q.ask().(mcp.Elicit); !ok {
			t.Fatalf("it is asked as %s", params.JSON())
		}
		v, err := mcp.Parse([]byte(answer))
		if err != nil {
			return
		}
		if a, ok := q.answerOf(v); ok && !a.Denied && !json.Valid(a.Value) {
			t.Fatalf("%s is taken as %s", answer, a.Value)
		}
	})
}

// FuzzRow checks that damaged questions of a stored call trap nothing.
func FuzzRow(f *testing.F) {
	f.Add(`[{"key":"q1","position":1,"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{}}},"form":"approves"}]`, `{"action":"accept"}`)
	f.Add(`[{"method":"sampling/createMessage","params":{},"form":"whole"},{}]`, `{}`)
	f.Fuzz(func(t *testing.T, asked, answer string) {
		var c row
		if json.Unmarshal([]byte(asked), &c.asked) != nil {
			return
		}
		needs(c)
		task := c.task()
		mcp.EncodeResult(mcp.NumberID(1), mcp.Version, mcp.Info{}, mcp.TaskState{Task: task})
		v, err := mcp.Parse([]byte(answer))
		if err != nil {
			return
		}
		for _, q := range c.asked {
			q.answerOf(v)
		}
	})
}
