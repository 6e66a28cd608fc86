package model

import "testing"

func TestQuestionValidate(t *testing.T) {
	const call = `{"role":"assistant","tool_calls":[{"id":"a","function":{}},{"id":"b","function":{}}]}`
	for _, c := range []struct{ name, messages, want string }{
		{"each call has its result", call + `,{"role":"tool","tool_call_id":"b"},{"role":"tool","tool_call_id":"a"},{"role":"user"}`, ""},
		{"a result is missing", call + `,{"role":"tool","tool_call_id":"a"}`, "the results of [b] are missing"},
		{"a message stands between", call + `,{"role":"user"}`, "message 1 stands before the results of [a b]"},
		{"a result comes twice", call + `,{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"a"}`, `message 2 is the result of "a", which was not called or has one`},
		{"a result has no call", `{"role":"tool","tool_call_id":"a"}`, `message 0 is the result of "a", which was not called or has one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := parse([]byte(`{"messages":[` + c.messages + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if err := q.Validate(); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
