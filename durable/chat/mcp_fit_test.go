package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestOneToolTakesNothingAway checks that a tool whose schema no provider takes as it is is told in a form that they
// take, is called with its own names, and is shown with what was changed; and that one that cannot be told is left out.
func TestOneToolTakesNothingAway(t *testing.T) {
	const tools = `{"resultType":"complete","ttlMs":3600000,"tools":[
		{"name":"search","inputSchema":{"type":"object","properties":{"q":{"type":"string"}}}},
		{"name":"attach","inputSchema":{"type":"object","anyOf":[{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]},{"type":"object","properties":{"source_url":{"type":"string"}}}]}},
		{"name":"files","inputSchema":{"type":"object","properties":{"files":{"type":"array"}}}},
		{"name":"list","inputSchema":{"type":"object","properties":{"filter[status]":{"type":"string"}},"required":["filter[status]"]}},
		{"name":"bad","inputSchema":{"type":"string"}}]}`
	arguments := ""
	w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
		if q.Method == "tools/list" {
			return 200, tools
		}
		return docs(func(q rpc) (int, string) { arguments = string(q.Params.Arguments); return 200, said("done") })(q)
	})
	w.do("connect a", "say a R1 u1: hello", "tick 5s")
	w.wants("tools [docs_search docs_attach docs_files docs_list]",
		`"left_out":[{"name":"bad","reason":"its input schema is not that of an object"}]`,
		`"adjusted":["anyOf at the top is folded into one object"]`, "items are added", `is told as filter_status`)
	if strings.Count(w.lastFrame(), `"adjusted"`) != 3 {
		t.Errorf("got %s", w.lastFrame())
	}
	w.do(`say a R2 u2: call docs_list {"filter_status":"open"}`, "tick 5s")
	w.wants(`it is \"done\"`)
	if arguments != `{"filter[status]":"open"}` {
		t.Errorf("the tool is called with %s", arguments)
	}
	w.do(`frame a {"type":"rpc","id":"9","method":"mcpServers","args":[]}`)
	w.wants(`"leftOut":[{"name":"bad",`, `"adjusted":{"attach":["anyOf at the top`)
}

// TestAuthorsToolTakesNothingAway checks the same for a tool of the agent's own.
func TestAuthorsToolTakesNothingAway(t *testing.T) {
	got := ""
	a := docsAgent()
	echo := agent.NewTool("echo", "", func(_ *agent.Context, in map[string]string) (string, error) {
		got = fmt.Sprint(in)
		return "done", nil
	})
	odd := echo
	odd.Name, odd.Schema = "odd", []byte(`{"type":"object","properties":{"a b":{"type":"string"}}}`)
	none := echo
	none.Name, none.Schema = "none", []byte(`{"type":"array"}`)
	a.Tools = []agent.Tool{odd, none}
	w := newRemote(t, a, docs(func(rpc) (int, string) { return 200, said("done") }))
	w.do("connect a", "say a R1 u1: hello", "tick 5s", `say a R2 u2: call odd {"a_b":"x"}`, "tick 5s")
	w.wants("tools [odd docs_search", `it is \"done\"`)
	if got != "map[a b:x]" {
		t.Errorf("the tool gets %s", got)
	}
}

// TestTextAndStructureReachModel checks what a model is told of a result with structured content. A text that says
// something else is told too. A text that repeats the content is not.
func TestTextAndStructureReachModel(t *testing.T) {
	text := func(words string) string { return `{"type":"text","text":` + fmt.Sprintf("%q", words) + `}` }
	for _, c := range []struct{ structured, content, want string }{
		{`{"elapsedMs":12}`, text("leaves at 9:41"), `{"content":[{"text":"leaves at 9:41","type":"text"}],"structuredContent":{"elapsedMs":12}}`},
		{`{"elapsedMs":12}`, text(`{"elapsedMs": 12}`), `{"elapsedMs":12}`},
		{`{"a":1,"b":[2]}`, text("{ \"b\":[2],\n\"a\":1 }"), `{"a":1,"b":[2]}`},
		{`{"elapsedMs":12}`, "", `{"elapsedMs":12}`},
		{`{"elapsedMs":12}`, text(""), `{"elapsedMs":12}`},
		{`{"result":"sunny"}`, text("sunny"), `{"result":"sunny"}`},
		{`{"result":5}`, text("5"), `{"result":5}`},
		{`{"result":["a","b"]}`, text("a") + "," + text("b"), `{"result":["a","b"]}`},
		{`[{"n":1},{"n":2}]`, text(`{"n":1}`) + "," + text(`{"n":2}`), `[{"n":1},{"n":2}]`},
		{`{"n":1}`, text(`{"n":1}`) + "," + text("of 7"), `{"content":[{"text":"of 7","type":"text"}],"structuredContent":{"n":1}}`},
		{`{"n":1}`, text(`{"n":2}`), `{"content":[{"text":"{\"n\":2}","type":"text"}],"structuredContent":{"n":1}}`},
		{`{"n":1}`, `{"type":"resource_link","uri":"a:b","name":"l"}`, `{"content":[{"mimeType":"","name":"l","type":"link","uri":"a:b"}],"structuredContent":{"n":1}}`},
		{`"a text"`, text("a text"), `"a text"`},
		{`false`, text("no"), `{"content":[{"text":"no","type":"text"}],"structuredContent":false}`},
	} {
		for _, server := range []func(serverOf) serverOf{docs, func(calls serverOf) serverOf { return withOutput(`{}`, docs(calls)) }} {
			w := newRemote(t, docsAgent(), server(func(rpc) (int, string) {
				return 200, `{"resultType":"complete","content":[` + c.content + `],"structuredContent":` + c.structured + `}`
			}))
			w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
			if want := "it is " + c.want; !strings.Contains(strings.ReplaceAll(w.text(), `\`, ""), strings.ReplaceAll(want, `\`, "")) {
				t.Errorf("%s, %s: %q was not sent", c.structured, c.content, want)
			}
		}
	}
}

// withOutput has the tools of a server promise results that fit a schema.
func withOutput(schema string, server serverOf) serverOf {
	return func(q rpc) (int, string) {
		status, result := server(q)
		if q.Method == "tools/list" {
			result = strings.ReplaceAll(result, `"inputSchema":`, `"outputSchema":`+schema+`,"inputSchema":`)
		}
		return status, result
	}
}

// TestBrokenOutputSchema checks that a schema of results that cannot be used is found when the tools are listed, promises
// nothing and loses nothing.
func TestBrokenOutputSchema(t *testing.T) {
	for _, schema := range []string{
		`{"$id":"x.v1","description":"a result"}`, `{"$ref":"#/$defs/none"}`, `{"type":"object","properties":{"a":{"$ref":"#/definitions/none"}}}`,
		`{"type":"file"}`, `{"type":7}`, `{"properties":[]}`, `{"pattern":"("}`, `{"required":"n"}`, `{"$ref":"https://a.test/s.json"}`,
		`{"anyOf":{}}`, `{"$schema":"https://a.test/own"}`,
	} {
		w := newRemote(t, docsAgent(), withOutput(schema, docs(func(rpc) (int, string) {
			return 200, `{"resultType":"complete","content":[],"structuredContent":{"n":1}}`
		})))
		w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
		w.wants(`it is {\"n\":1}`, "the schema of its results is left out")
	}
}

// TestStructureThatTakesTooLongIsText checks that structured content is not lost because it would take too long to read it
// as JSON, beside texts and alone.
func TestStructureThatTakesTooLongIsText(t *testing.T) {
	tiny := "[" + strings.Repeat("1e-320,", 4_000) + "7]"
	for _, texts := range []string{"", `{"type":"text","text":"leaves at 9:41"}`} {
		w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) {
			return 200, `{"resultType":"complete","content":[` + texts + `],"structuredContent":{"times":` + tiny + `}}`
		}))
		w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
		w.wants(`times`, `1e-320,1e-320`)
		if texts != "" {
			w.wants("leaves at 9:41")
		}
	}
}

// TestEndlessOutputSchema checks that a result is not lost because a check against its schema would take too long.
func TestEndlessOutputSchema(t *testing.T) {
	w := newRemote(t, docsAgent(), withOutput(`{"type":"object","allOf":[{"$ref":"#"}]}`, docs(func(rpc) (int, string) {
		return 200, `{"resultType":"complete","content":[],"structuredContent":{"n":1}}`
	})))
	w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
	w.wants(`it is {\"n\":1}`)
}

// TestFailureSaysStructure checks that a tool that fails with structured content alone says why.
func TestFailureSaysStructure(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) {
		return 200, `{"resultType":"complete","isError":true,"structuredContent":{"why":"no paper"}}`
	}))
	w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
	w.wants("no paper")
}
