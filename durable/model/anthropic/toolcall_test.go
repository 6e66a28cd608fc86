package anthropic

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
)

// callsOf plays events within a message, and returns the calls that come of them without their deltas.
func callsOf(t *testing.T, finish string, events ...string) string {
	t.Helper()
	all := append([]string{`{"type":"message_start","message":{"id":"m1"}}`}, events...)
	all = append(all, `{"type":"message_delta","delta":{"stop_reason":"`+finish+`"}}`, `{"type":"message_stop"}`)
	shown := modeltest.PlayEvents(t, models["anthropic"], all...)
	shown = regexp.MustCompile(`(?m)^call-(started|delta) .*\n`).ReplaceAllString(shown, "")
	return strings.TrimSuffix(regexp.MustCompile(`call_[0-9a-z]+`).ReplaceAllString(shown, "made"), "\n")
}

// TestBlocks checks which input each call has, wherever the server puts it.
func TestBlocks(t *testing.T) {
	start := func(index int, more string) string {
		return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"t%d","name":"research"%s}}`, index, index, more)
	}
	grow := func(index int, text string) string {
		return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, index, text)
	}
	stop := func(index int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index) }
	const a, b = `call t0 research {"query":"a"}`, `call t1 research {"query":"b"}`
	for name, test := range map[string]struct {
		events []string
		want   string
	}{
		"deltas":                         {[]string{start(0, `,"input":{}`), grow(0, ""), grow(0, `{"query":`), grow(0, `"a"}`), stop(0)}, a},
		"stopped before its deltas":      {[]string{start(0, `,"input":{}`), stop(0), grow(0, `{"query":"a"}`)}, a},
		"stopped in the middle":          {[]string{start(0, `,"input":{}`), grow(0, `{"query":`), stop(0), grow(0, `"a"}`)}, a},
		"deltas of two in turns":         {[]string{start(0, `,"input":{}`), start(1, `,"input":{}`), grow(0, `{"query":`), grow(1, `{"query":"b"}`), grow(0, `"a"}`), stop(0), stop(1)}, a + "\n" + b},
		"two stopped before all deltas":  {[]string{start(0, ``), stop(0), start(1, ``), stop(1), grow(1, `{"query":"b"}`), grow(0, `{"query":"a"}`)}, a + "\n" + b},
		"deltas before the start":        {[]string{grow(0, `{"query":"a"}`), start(0, `,"input":{}`), stop(0)}, a},
		"no stop":                        {[]string{start(0, ``), grow(0, `{"query":"a"}`)}, a},
		"the whole input at the start":   {[]string{start(0, `,"input":{"query":"a"}`), stop(0)}, a},
		"and deltas, which count":        {[]string{start(0, `,"input":{"query":"x"}`), grow(0, `{"query":"a"}`), stop(0)}, a},
		"the input as a text":            {[]string{start(0, `,"input":"{\"query\":\"a\"}"`), stop(0)}, a},
		"the input encoded in a delta":   {[]string{start(0, `,"input":{}`), grow(0, `"{\"query\":\"a\"}"`), stop(0)}, a},
		"an empty object in the deltas":  {[]string{start(0, `,"input":{}`), grow(0, `{}`), grow(0, `{"query":"a"}`), stop(0)}, a},
		"no input at the start":          {[]string{start(0, ``), grow(0, `{"query":"a"}`), stop(0)}, a},
		"null at the start":              {[]string{start(0, `,"input":null`), grow(0, `{"query":"a"}`), stop(0)}, a},
		"an empty text at the start":     {[]string{start(0, `,"input":""`), grow(0, `{"query":"a"}`), stop(0)}, a},
		"no input at all":                {[]string{start(0, `,"input":{}`), stop(0)}, `call t0 research {}`},
		"null and no deltas":             {[]string{start(0, `,"input":null`), stop(0)}, `call t0 research {}`},
		"a list at the start":            {[]string{start(0, `,"input":["a"]`), stop(0)}, `call-invalid t0 research "[\"a\"]": the input is not a JSON object. The input was: ["a"]`},
		"a list":                         {[]string{start(0, `,"input":{}`), grow(0, `["a"]`), stop(0)}, `call-invalid t0 research "[\"a\"]": the input is not a JSON object. The input was: ["a"]`},
		"no JSON, and a call that is":    {[]string{start(0, ``), grow(0, `{"query": ,}`), stop(0), start(1, ``), grow(1, `{"query":"b"}`), stop(1)}, `call-invalid t0 research "{\"query\": ,}": the input is not JSON: invalid character ',' looking for beginning of value. The input was: {"query": ,}` + "\n" + b},
		"deltas of a block that is none": {[]string{start(0, `,"input":{}`), grow(5, `{"query":"a"}`), stop(0)}, `call-invalid t0 research "": its input came as that of no call` + "\n" + `call-invalid made unknown "{\"query\":\"a\"}": the call names no tool. The input was: {"query":"a"}`},
		"the input of a server's tool": {[]string{
			`{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"s0","name":"web_search","input":{}}}`, grow(0, `{"q":"x"}`), stop(0), start(1, ``), grow(1, `{"query":"b"}`), stop(1),
		}, b},
		"one number for two blocks": {[]string{
			start(0, ``), grow(0, `{"query":"a"}`), stop(0), strings.Replace(start(0, ``), "t0", "t1", 1), grow(0, `{"query":"b"}`), stop(0),
		}, a + "\n" + b},
		"no numbers": {[]string{
			strings.Replace(start(0, ``), `"index":0,`, "", 1), strings.Replace(grow(0, `{"query":"a"}`), `"index":0,`, "", 1),
			strings.Replace(start(1, ``), `"index":1,`, "", 1), strings.Replace(grow(1, `{"query":"b"}`), `"index":1,`, "", 1),
		}, a + "\n" + b},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := callsOf(t, "tool_use", test.events...), test.want+"\nfinished tool-calls 0+0"; got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
