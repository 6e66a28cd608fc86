package stored

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// CodeCall is a call that code has made, as the message shows it.
type CodeCall struct {
	Tool          string
	Input, Output json.RawMessage
	// State is that of its part. Words are the error, or why it was denied.
	State, Words string
}

// CodeCalls returns the calls that the code of a call has made, in the order of their parts. Those of the
// turn under way are read from its log.
func (r *Reader) CodeCalls(object, call string) (calls []CodeCall) {
	at := map[string]int{}
	find := func(id string) *CodeCall {
		if i, ok := at[id]; ok {
			return &calls[i]
		}
		at[id] = len(calls)
		calls = append(calls, CodeCall{})
		return &calls[at[id]]
	}
	for _, row := range r.Rows(object, `SELECT part.value FROM message, json_each(message.body, '$.parts') AS part
		WHERE part.value ->> 'toolCallId' LIKE ? || '/%' ORDER BY place, part.key`, call) {
		var p shownPart
		p.read(row)
		*find(p.ID) = p.call()
	}
	for _, row := range r.Rows(object, `SELECT line.value
		FROM turn JOIN chunk ON stream = IIF(log > 0, log, seq), json_each('[' || replace(chunk.body, char(10), ',') || ']') AS line
		WHERE status = 'running' AND line.value ->> 'toolCallId' LIKE ? || '/%' ORDER BY chunk.first, line.key`, call) {
		var p shownPart
		p.read(row)
		p.apply(find(p.ID))
	}
	return calls
}

// shownPart is a part of a message, or a chunk of it.
type shownPart struct {
	Type, State string
	ID          string `json:"toolCallId"`
	Tool        string `json:"toolName"`
	ErrorText   string
	Input       json.RawMessage
	Output      json.RawMessage
	Approval    struct {
		Reason      string
		IsAutomatic bool
	}
	IsAutomatic bool
	Reason      string
}

func (p *shownPart) read(row durable.Row) { readJSON(row.Text(0), p) }

func (p *shownPart) call() CodeCall {
	c := CodeCall{Tool: p.Tool, Input: p.Input, Output: p.Output, State: p.State, Words: p.ErrorText}
	if c.State == "output-denied" {
		c.Words = deniedWords(p.Approval.Reason, p.Approval.IsAutomatic)
	}
	return c
}

// apply changes a call by a chunk.
func (p *shownPart) apply(c *CodeCall) {
	switch p.Type {
	case "tool-input-available":
		*c = CodeCall{Tool: p.Tool, Input: p.Input, State: "input-available"}
	case "tool-approval-request":
		c.State = "approval-requested"
	case "tool-output-available":
		c.State, c.Output = "output-available", p.Output
	case "tool-output-error":
		c.State, c.Words = "output-error", p.ErrorText
	case "tool-output-denied":
		c.State, c.Words = "output-denied", deniedWords(p.Reason, p.IsAutomatic)
	}
}

// deniedWords is what code is told of a call that was denied.
func deniedWords(reason string, automatic bool) string {
	switch {
	case automatic:
		return reason
	case reason != "":
		return "a person has denied this call: " + reason
	}
	return "a person has denied this call"
}
