package run_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

func TestReadOutput(t *testing.T) {
	for _, test := range []struct{ name, answer, want string }{
		{"JSON", `{"a":1}`, `{"a":1}`},
		{"with space around it", "\n {\"a\":1}\n", `{"a":1}`},
		{"a fenced block", "Here it is:\n```json\n{\"a\":1}\n```\nThat is all.", `{"a":1}`},
		{"a fence without a language", "```\n[1]\n```", `[1]`},
		{"on one line", "```json {\"a\":1} ```", `{"a":1}`},
		{"the last of two", "```json\n1\n```\nno:\n```json\n2\n```", `2`},
		{"behind a block of something else", "```json\n{\"a\":1}\n```\n```go\nx := 1\n```", `{"a":1}`},
		{"a fence that is not closed", "```json\n{}", `{}`},
		{"a broken block behind a whole one", "```json\n{\"a\":1}\n```\n```json\n{\"a\":", `{"a":1}`},
		{"JSON that holds fences", "{\"a\":\"```1```\"}", "{\"a\":\"```1```\"}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := run.ReadOutput(test.answer); err != nil || string(got) != test.want {
				t.Errorf("got %s, %v; want %s", got, err, test.want)
			}
		})
	}
	for _, answer := range []string{"", "words", "a = {}", "```json\n{\n```", "```{"} {
		if got, err := run.ReadOutput(answer); !errors.Is(err, run.ErrNoJSON) {
			t.Errorf("%q: %s, %v", answer, got, err)
		}
	}
}

func TestJudge(t *testing.T) {
	city := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`)
	for _, test := range []struct {
		name    string
		schema  json.RawMessage
		result  run.Result
		status  run.Status
		output  string
		failure string
	}{
		{"words, where words will do", nil, run.Result{Summary: "words"}, run.Completed, "", ""},
		{"an output that nobody asked for", nil, run.Result{Output: json.RawMessage(`1`)}, run.Completed, "1", ""},
		{"an answer that fits", city, run.Result{Summary: `{"name":"Bern"}`}, run.Completed, `{"name":"Bern"}`, ""},
		{"an output that fits", city, run.Result{Summary: "said", Output: json.RawMessage(`{"name":"Bern"}`)}, run.Completed, `{"name":"Bern"}`, ""},
		{"words", city, run.Result{Summary: "Bern"}, run.Failed, "", "not JSON"},
		{"a wrong type", city, run.Result{Summary: `{"name":1}`}, run.Failed, "", "does not fit"},
		{"a field too many", city, run.Result{Summary: `{"name":"Bern","x":1}`}, run.Failed, "", "does not fit"},
		{"an output that does not fit", city, run.Result{Output: json.RawMessage(`[]`)}, run.Failed, "", "does not fit"},
		{"a schema that is none", json.RawMessage(`{"type":5}`), run.Result{Summary: `1`}, run.Failed, "", "schema"},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, got := run.Finish(run.Run{Schema: test.schema}, test.result)
			if status != test.status || string(got.Output) != test.output || got.Summary != test.result.Summary {
				t.Errorf("got %s, %+v", status, got)
			}
			if !strings.Contains(got.Failure, test.failure) || (got.Reason == run.InvalidOutput) != (status == run.Failed) {
				t.Errorf("failure %q, reason %q", got.Failure, got.Reason)
			}
		})
	}
}

func FuzzReadOutput(f *testing.F) {
	f.Add("```json\n{}\n```")
	f.Add("````")
	f.Fuzz(func(t *testing.T, answer string) {
		if output, err := run.ReadOutput(answer); err == nil && !json.Valid(output) {
			t.Errorf("%q is not JSON", output)
		}
	})
}
