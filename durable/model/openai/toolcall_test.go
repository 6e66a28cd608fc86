package openai

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
)

// callsOf plays fragments of tool calls, each a JSON object, and returns the calls that come of them
// without their deltas.
func callsOf(t *testing.T, finish string, fragments ...string) string {
	t.Helper()
	var events []string
	for _, f := range fragments {
		events = append(events, `{"choices":[{"delta":{"tool_calls":[`+f+`]}}]}`)
	}
	events = append(events, `{"choices":[{"delta":{},"finish_reason":"`+finish+`"}]}`, "[DONE]")
	shown := modeltest.PlayEvents(t, endpoint, events...)
	shown = regexp.MustCompile(`(?m)^call-(started|delta) .*\n`).ReplaceAllString(shown, "")
	return strings.TrimSuffix(made.ReplaceAllString(shown, "made"), "\n")
}

// made is an id that the provider makes.
var made = regexp.MustCompile(`call_[0-9a-z]+`)

// TestInputs checks which inputs of a call run, and what the model is told of the others.
func TestInputs(t *testing.T) {
	bad := func(text, why string) string {
		return fmt.Sprintf("call-invalid c1 research %q: %s. The input was: %s", text, why, text)
	}
	const run = `call c1 research {"query":"a"}`
	for name, test := range map[string]struct{ arguments, want string }{
		"an object":                          {`{"query":"a"}`, run},
		"space around it":                    {" \n{\"query\":\"a\"}\n", run},
		"nothing":                            {``, `call c1 research {}`},
		"null":                               {`null`, `call c1 research {}`},
		"an object encoded twice":            {`"{\"query\":\"a\"}"`, run},
		"an object encoded three times":      {strconv.Quote(`"{\"query\":\"a\"}"`), run},
		"an empty text encoded twice":        {`""`, `call c1 research {}`},
		"an empty object in front":           {`{}{"query":"a"}`, run},
		"two empty objects in front":         {`{} {}{"query":"a"}`, run},
		"only empty objects":                 {`{}{}`, `call c1 research {}`},
		"a missing value":                    {`{"query": ,}`, bad(`{"query": ,}`, "the input is not JSON: invalid character ',' looking for beginning of value")},
		"a cut object":                       {`{"query":"a"`, bad(`{"query":"a"`, "the input is not JSON: unexpected end of JSON input")},
		"a cut text":                         {`{"query":"a`, bad(`{"query":"a`, "the input is not JSON: unexpected end of JSON input")},
		"a line break in a text":             {"{\"query\":\"a\nb\"}", bad("{\"query\":\"a\nb\"}", `the input is not JSON: invalid character '\n' in string literal`)},
		"the object twice":                   {`{"query":"a"}{"query":"a"}`, bad(`{"query":"a"}{"query":"a"}`, "the input is not JSON: invalid character '{' after top-level value")},
		"words behind the object":            {`{"query":"a"} I am done.`, bad(`{"query":"a"} I am done.`, "the input is not JSON: invalid character 'I' after top-level value")},
		"words in front":                     {`Sure: {"query":"a"}`, bad(`Sure: {"query":"a"}`, "the input is not JSON: invalid character 'S' looking for beginning of value")},
		"a list":                             {`["a"]`, bad(`["a"]`, "the input is not a JSON object")},
		"an empty list":                      {`[]`, bad(`[]`, "the input is not a JSON object")},
		"a number":                           {`7`, bad(`7`, "the input is not a JSON object")},
		"true":                               {`true`, bad(`true`, "the input is not a JSON object")},
		"a text":                             {`"a"`, bad(`a`, "the input is not JSON: invalid character 'a' looking for beginning of value")},
		"a list encoded twice":               {`"[1]"`, bad(`[1]`, "the input is not a JSON object")},
		"a fence":                            {"```json\n{\"query\":\"a\"}\n```", bad("```json\n{\"query\":\"a\"}\n```", "the input is not JSON: invalid character '`' looking for beginning of value")},
		"tags":                               {`<query>a</query>`, bad(`<query>a</query>`, "the input is not JSON: invalid character '<' looking for beginning of value")},
		"single quotes":                      {`{'query':'a'}`, bad(`{'query':'a'}`, `the input is not JSON: invalid character '\'' looking for beginning of object key string`)},
		"a comma behind the last field":      {`{"query":"a",}`, bad(`{"query":"a",}`, "the input is not JSON: invalid character '}' looking for beginning of object key string")},
		"a field without a name":             {`{query:"a"}`, bad(`{query:"a"}`, "the input is not JSON: invalid character 'q' looking for beginning of object key string")},
		"a comment":                          {`{/* */"query":"a"}`, bad(`{/* */"query":"a"}`, "the input is not JSON: invalid character '/' looking for beginning of object key string")},
		"a value of another language":        {`{"query":None}`, bad(`{"query":None}`, "the input is not JSON: invalid character 'N' looking for beginning of value")},
		"an escape that is none":             {`{"query":"\d"}`, bad(`{"query":"\d"}`, "the input is not JSON: invalid character 'd' in string escape code")},
		"an empty object in front of a list": {`{}["a"]`, bad(`{}["a"]`, "the input is not JSON: invalid character '[' after top-level value")},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(test.want, "call-invalid") && strings.HasPrefix(test.arguments, `"`) { // shown as the model has written it
				inner, _ := strconv.Unquote(test.arguments)
				test.want = strings.ReplaceAll(strings.ReplaceAll(test.want, strconv.Quote(inner), strconv.Quote(test.arguments)), "was: "+inner, "was: "+test.arguments)
			}
			want := test.want + "\nfinished tool-calls 0+0"
			whole := `{"index":0,"id":"c1","function":{"name":"research","arguments":` + quoted(test.arguments) + `}}`
			if got := callsOf(t, "tool_calls", whole); got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			half := len(test.arguments) / 2
			got := callsOf(t, "stop", `{"index":0,"id":"c1","function":{"name":"research","arguments":""}}`,
				`{"index":0,"function":{"arguments":`+quoted(test.arguments[:half])+`}}`, `{"index":0,"function":{"arguments":`+quoted(test.arguments[half:])+`}}`)
			if got != want {
				t.Errorf("in pieces: got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// quoted is a text as JSON.
func quoted(text string) string {
	return strings.ReplaceAll(strconv.Quote(text), `\x`, `\u00`)
}

// TestInputsCutOff checks that a call is told what has cut its input off.
func TestInputsCutOff(t *testing.T) {
	for finish, why := range map[string]string{
		"length":         "the input was cut off by the limit on the answer's length",
		"content_filter": "the input was cut off by the provider's filter",
	} {
		got := callsOf(t, finish, `{"index":0,"id":"c1","function":{"name":"research","arguments":"{\"query\":"}}`, `{"index":1,"id":"c2","function":{"name":"now","arguments":""}}`,
			`{"index":2,"id":"c3","function":{"name":"now","arguments":"{}"}}`)
		want := `call-invalid c1 research "{\"query\":": ` + why + `. The input was: {"query":` + "\n" + `call-invalid c2 now "": ` + why + "\ncall c3 now {}\nfinished "
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", finish, got, want)
		}
	}
}

// TestFragments checks to which call each fragment belongs, however the server numbers and names its
// calls.
func TestFragments(t *testing.T) {
	a, b := `{"query":"a"}`, `{"query":"b"}`
	fragment := func(head, name, arguments string) string {
		if name != "" {
			name = `"name":"` + name + `",`
		}
		return `{` + head + `"function":{` + name + `"arguments":` + quoted(arguments) + `}}`
	}
	two := "call made research " + a + "\ncall made research " + b
	for name, test := range map[string]struct {
		fragments []string
		want      string
	}{
		"one number, no id": {[]string{fragment(`"index":0,`, "research", a), fragment(`"index":0,`, "research", b)}, two},
		"one number, the id is empty": {
			[]string{fragment(`"index":0,"id":"",`, "research", a), fragment(`"index":0,"id":"",`, "research", b)}, two,
		},
		"one number, three calls, one in pieces": {
			[]string{fragment(`"index":0,`, "research", a), fragment(`"index":0,`, "research", `{"que`), fragment(`"index":0,`, "", `ry":"b"}`), fragment(`"index":0,`, "now", "{}")},
			two + "\ncall made now {}",
		},
		"one number, no id, two calls without input": {[]string{fragment(`"index":0,`, "now", "{}"), fragment(`"index":0,`, "now", "{}")}, "call made now {}\ncall made now {}"},
		"one number, no id, equal calls":             {[]string{fragment(`"index":0,`, "research", a), fragment(`"index":0,`, "research", a)}, "call made research " + a + "\ncall made research " + a},
		"one number, an id each": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":0,"id":"c2",`, "research", b)}, "call c1 research " + a + "\ncall c2 research " + b,
		},
		"one number and one id": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":0,"id":"c1",`, "research", b)}, "call c1 research " + a + "\ncall made research " + b,
		},
		"one id under two numbers": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":1,"id":"c1",`, "research", b)}, "call c1 research " + a + "\ncall made research " + b,
		},
		"one id under two numbers, in pieces": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", ""), fragment(`"index":0,`, "", a), fragment(`"index":1,"id":"c1",`, "research", ""), fragment(`"index":1,`, "", b)},
			"call c1 research " + a + "\ncall made research " + b,
		},
		"a number that grows, and the name in every fragment": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", `{"qu`), fragment(`"index":1,"id":"c1",`, "research", `ery":"a"}`), fragment(`"index":2,"id":"c1",`, "research", "")},
			"call c1 research " + a + "\n" + `call-invalid made research "": it has the id of another call, and no input`,
		},
		"a call under a number that grows": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", `{"qu`), fragment(`"index":1,"id":"c1",`, "", `ery":`), fragment(`"index":2,"id":"c1",`, "", `"a"}`)}, "call c1 research " + a,
		},
		"a number that grows, and then no id": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", `{"qu`), fragment(`"index":1,"id":"c1",`, "", `ery":`), fragment(`"index":1,`, "", `"a"}`)}, "call c1 research " + a,
		},
		"the name in every fragment": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", ""), fragment(`"index":0,"id":"c1",`, "research", `{"qu`), fragment(`"index":0,"id":"c1",`, "research", `ery":"a"}`), fragment(`"index":0,"id":"c1",`, "research", ``)},
			"call c1 research " + a,
		},
		"the name in every fragment, no id": {
			[]string{fragment(`"index":0,`, "research", `{"qu`), fragment(`"index":0,`, "research", `ery":"a"}`)}, "call made research " + a,
		},
		"the name in every fragment, no number and no id": {[]string{fragment("", "research", `{"qu`), fragment("", "research", `ery":"a"}`)}, "call made research " + a},
		"an id invented for every fragment": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", `{"qu`), fragment(`"index":0,"id":"c2",`, "", `ery":`), fragment(`"index":0,"id":"c3",`, "research", `"a"}`)}, "call c1 research " + a,
		},
		"an id invented for every fragment, no number": {
			[]string{fragment(`"id":"c1",`, "research", `{"qu`), fragment(`"id":"c2",`, "", `ery":"a"}`)}, "call c1 research " + a,
		},
		"the call said twice":               {[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":0,"id":"c1",`, "research", a)}, "call c1 research " + a},
		"an empty object first":             {[]string{fragment(`"index":0,"id":"c1",`, "research", "{}"), fragment(`"index":0,`, "", `{"qu`), fragment(`"index":0,`, "", `ery":"a"}`)}, "call c1 research " + a},
		"an empty object first, names":      {[]string{fragment(`"index":0,"id":"c1",`, "research", "{}"), fragment(`"index":0,"id":"c1",`, "research", a)}, "call c1 research " + a},
		"no number, names":                  {[]string{fragment("", "research", a), fragment("", "research", b)}, two},
		"no number, ids":                    {[]string{fragment(`"id":"c1",`, "research", a), fragment(`"id":"c2",`, "research", b)}, "call c1 research " + a + "\ncall c2 research " + b},
		"no number, ids, in turns":          {[]string{fragment(`"id":"c1",`, "research", `{"query"`), fragment(`"id":"c2",`, "now", `{`), fragment(`"id":"c1",`, "", `:"a"}`), fragment(`"id":"c2",`, "", `}`)}, "call c1 research " + a + "\ncall c2 now {}"},
		"numbers, in turns":                 {[]string{fragment(`"index":0,"id":"c1",`, "research", `{"query"`), fragment(`"index":1,"id":"c2",`, "now", `{`), fragment(`"index":0,`, "", `:"a"}`), fragment(`"index":1,`, "", `}`)}, "call c1 research " + a + "\ncall c2 now {}"},
		"the number only at first":          {[]string{fragment(`"index":0,"id":"c1",`, "research", `{"query"`), fragment(``, "", `:"a"}`)}, "call c1 research " + a},
		"the number only later":             {[]string{fragment(`"id":"c1",`, "research", `{"query"`), fragment(`"index":0,`, "", `:"a"}`)}, "call c1 research " + a},
		"the name last":                     {[]string{fragment(`"index":0,"id":"c1",`, "", `{"query":"a"}`), fragment(`"index":0,`, "research", ``)}, "call c1 research " + a},
		"an empty fragment behind the call": {[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":1,`, "", "")}, "call c1 research " + a},
		"two names, the first one has no input": {
			[]string{fragment(`"index":0,`, "now", ""), fragment(`"index":0,`, "research", a)}, "call made now {}\ncall made research " + a,
		},
		"a second input under the first number": {
			[]string{fragment(`"index":0,"id":"c1",`, "research", a), fragment(`"index":0,`, "", b)},
			fmt.Sprintf("call-invalid c1 research %q: the input is not JSON: invalid character '{' after top-level value. The input was: %s", a+b, a+b),
		},
		"an input under the number of no call": {
			[]string{fragment(`"index":1,"id":"c1",`, "research", ""), fragment(`"index":2,`, "", a)},
			`call-invalid c1 research "": its input came as that of no call` + "\n" + fmt.Sprintf("call-invalid made unknown %q: the call names no tool. The input was: %s", a, a),
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := callsOf(t, "tool_calls", test.fragments...), test.want+"\nfinished tool-calls 0+0"; got != want {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
