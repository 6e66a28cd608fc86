package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// noon is 2026-11-21 12:00:00 UTC.
const noon = 1795262400000

// world is what surrounds one answer: a clock that stands, and randomness that
// counts.
type world struct {
	draws    int
	commands []durable.Command
}

func (w *world) step(f func(tx *durable.Tx)) {
	tx := durable.NewTx(noon, nil, func(b []byte) {
		w.draws++
		copy(b, fmt.Sprintf("%016d", w.draws))
	})
	f(tx)
	w.commands = append(w.commands, tx.Commands()...)
}

func (w *world) begin(t testing.TB, m Model, request Request) Answer {
	t.Helper()
	var answer Answer
	w.step(func(tx *durable.Tx) {
		var err error
		if answer, err = m.Begin(tx, "a1", request); err != nil {
			t.Fatal(err)
		}
	})
	return answer
}

// take hands events over and collects what comes of them. It fails when
// anything follows the end.
func (w *world) take(t testing.TB, answer Answer, events ...durable.Event) ([]Delta, error) {
	t.Helper()
	var all []Delta
	var end error
	over := false
	for _, event := range events {
		w.step(func(tx *durable.Tx) {
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
				if _, ok := d.(Finished); ok {
					over = true
					if i < len(deltas)-1 || err != nil {
						t.Fatalf("Finished is not the last: %v, %v", deltas, err)
					}
				}
			}
		})
	}
	var typed *Error
	if end != nil && !errors.As(end, &typed) {
		t.Fatalf("error is %T, want *Error", end)
	}
	return all, end
}

// show writes deltas and the error, one a line.
func show(deltas []Delta, err error) string {
	var b strings.Builder
	for _, d := range deltas {
		switch d := d.(type) {
		case TextDelta:
			fmt.Fprintf(&b, "text %q\n", d.Text)
		case ReasoningDelta:
			fmt.Fprintf(&b, "reasoning %q\n", d.Text)
		case ReasoningEnded:
			fmt.Fprintf(&b, "reasoning-ended %s\n", d.Provider)
		case ToolCallStarted:
			fmt.Fprintf(&b, "call-started %s %s\n", d.ID, d.Name)
		case ToolCallDelta:
			fmt.Fprintf(&b, "call-delta %s %q\n", d.ID, d.Text)
		case ToolCall:
			fmt.Fprintf(&b, "call %s %s %s\n", d.ID, d.Name, d.Input)
		case Finished:
			fmt.Fprintf(&b, "finished %s %d+%d\n", d.Reason, d.Usage.Input, d.Usage.Output)
		}
	}
	var e *Error
	if errors.As(err, &e) {
		fmt.Fprintf(&b, "error %s status=%d retry=%d ms: %s\n", e.Kind, e.Status, e.RetryAfter, e.Message)
	}
	return b.String()
}

func said(role Role, content ...Content) Message { return Message{Role: role, Content: content} }

func asked(text string, tools ...string) Request {
	r := Request{Messages: []Message{said(User, Text{Text: text})}}
	for _, name := range tools {
		r.Tools = append(r.Tools, Tool{Name: name})
	}
	return r
}

// withResults adds a step of tool calls and what came of them.
func withResults(r Request, results ...ToolResult) Request {
	var calls, got []Content
	for _, result := range results {
		calls = append(calls, ToolCall{ID: result.ID, Name: result.Name, Input: json.RawMessage(`{}`)})
		got = append(got, result)
	}
	r.Messages = append(r.Messages, said(Assistant, calls...), said(ToolRole, got...))
	return r
}
