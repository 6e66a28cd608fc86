// Package modeltest tests providers of models against golden files: the deltas that a provider
// makes of each transcript of an endpoint's answer, and the request that it makes of each
// conversation. The files are in testdata, in a folder for each provider. The flag -update writes
// them.
package modeltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// noon is 2026-11-21 12:00:00 UTC, in milliseconds since 1970.
const noon = 1795262400000

// World is the environment of one answer: a clock that stands at 2026-11-21 12:00:00 UTC, and
// randomness that counts upwards.
type World struct {
	draws int
	// Commands are the commands of all steps so far. A test may empty the list.
	Commands []durable.Command
}

// Step runs f in a step of its own.
func (w *World) Step(f func(tx *durable.Tx)) {
	tx := durable.NewTx(noon, nil, func(b []byte) {
		w.draws++
		copy(b, fmt.Sprintf("%016d", w.draws))
	})
	f(tx)
	w.Commands = append(w.Commands, tx.Commands()...)
}

// Begin begins an answer whose fetch or timer is "a1". If the model refuses, the test fails.
func (w *World) Begin(t testing.TB, m model.Model, request model.Request) model.Answer {
	t.Helper()
	var answer model.Answer
	w.Step(func(tx *durable.Tx) {
		var err error
		if answer, err = m.Begin(tx, "a1", request); err != nil {
			t.Fatal(err)
		}
	})
	return answer
}

// Take delivers events, each in a step of its own, and returns all deltas and the error. If
// anything follows the end, the test fails.
func (w *World) Take(t testing.TB, answer model.Answer, events ...durable.Event) ([]model.Delta, error) {
	t.Helper()
	var all []model.Delta
	var end error
	over := false
	for _, event := range events {
		w.Step(func(tx *durable.Tx) {
			before := len(tx.Commands())
			deltas, err := answer.Take(tx, event)
			if over && (len(deltas) > 0 || err != nil || len(tx.Commands()) > before) {
				t.Fatalf("after the end: %v, %v, %v", deltas, err, tx.Commands())
			}
			all = append(all, deltas...)
			if err != nil {
				over, end = true, err
			}
			for i, d := range deltas {
				if _, ok := d.(model.Finished); ok {
					over = true
					if i < len(deltas)-1 || err != nil {
						t.Fatalf("Finished is not the last: %v, %v", deltas, err)
					}
				}
			}
		})
	}
	var typed *model.Error
	if end != nil && !errors.As(end, &typed) {
		t.Fatalf("error is %T, want *Error", end)
	}
	return all, end
}

// Show writes each delta, and then the error, on a line of its own.
func Show(deltas []model.Delta, err error) string {
	var b strings.Builder
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			fmt.Fprintf(&b, "text %q\n", d.Text)
		case model.ReasoningDelta:
			fmt.Fprintf(&b, "reasoning %q\n", d.Text)
		case model.ReasoningEnded:
			fmt.Fprintf(&b, "reasoning-ended %s\n", d.Provider)
		case model.ToolCallStarted:
			fmt.Fprintf(&b, "call-started %s %s\n", d.ID, d.Name)
		case model.ToolCallDelta:
			fmt.Fprintf(&b, "call-delta %s %q\n", d.ID, d.Text)
		case model.ToolCall:
			fmt.Fprintf(&b, "call %s %s %s\n", d.ID, d.Name, d.Input)
		case model.ToolCallInvalid:
			fmt.Fprintf(&b, "call-invalid %s %s %q: %s\n", d.ID, d.Name, d.Text, d.Reason)
		case model.Finished:
			fmt.Fprintf(&b, "finished %s %d+%d\n", d.Reason, d.Usage.Input, d.Usage.Output)
		}
	}
	var e *model.Error
	if errors.As(err, &e) {
		fmt.Fprintf(&b, "error %s status=%d retry=%d ms: %s\n", e.Kind, e.Status, e.RetryAfter, e.Message)
	}
	return b.String()
}

// Said returns a message.
func Said(role model.Role, content ...model.Content) model.Message {
	return model.Message{Role: role, Content: content}
}

// Asked returns a request with one message of the user and tools of the given names.
func Asked(text string, tools ...string) model.Request {
	r := model.Request{Messages: []model.Message{Said(model.User, model.Text{Text: text})}}
	for _, name := range tools {
		r.Tools = append(r.Tools, model.Tool{Name: name})
	}
	return r
}

// WithResults adds a step of tool calls with their results.
func WithResults(r model.Request, results ...model.ToolResult) model.Request {
	var calls, got []model.Content
	for _, result := range results {
		calls = append(calls, model.ToolCall{ID: result.ID, Name: result.Name, Input: json.RawMessage(`{}`)})
		got = append(got, result)
	}
	r.Messages = append(r.Messages, Said(model.Assistant, calls...), Said(model.ToolRole, got...))
	return r
}
