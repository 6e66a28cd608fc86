package mcp

import (
	"errors"
	"strings"
	"testing"
)

func TestMessageRefuses(t *testing.T) {
	for text, want := range map[string]int64{
		`{`:                                     CodeParse,
		`[]`:                                    CodeInvalidRequest,
		`[{}]`:                                  CodeInvalidRequest,
		`1`:                                     CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1}`:              CodeInvalidRequest,
		`{"jsonrpc":"1.0","id":1,"method":"a"}`: CodeInvalidRequest,
		`{"id":1,"method":"a"}`:                 CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":null,"method":"a"}`:                               CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1.5,"method":"a"}`:                                CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":true,"method":"a"}`:                               CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1e300,"method":"a"}`:                              CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("a", 300) + `","method":"a"}`: CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":""}`:                                   CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":5}`:                                    CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":[]}`:                      CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":"null"}`:                  CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":false}`:                   CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":null}`:                                 CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"result":null,"error":null}`:                    CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"result":null}`:                                 CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"method":"a","result":{}}`:                      CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}`:   CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"result":[]}`:                                   CodeInvalidRequest,
		`{"jsonrpc":"2.0","result":{}}`:                                          CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}`:                       CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}`:            CodeInvalidRequest,
		`{"jsonrpc":"2.0","id":1,"error":"m"}`:                                   CodeInvalidRequest,
	} {
		m, err := ParseMessage([]byte(text))
		var e *Error
		if !errors.As(err, &e) || e.Code != want {
			t.Errorf("%.80s: got %+v, %v, want %d", text, m, err, want)
		}
	}
}

func TestMessageKinds(t *testing.T) {
	for text, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:                                  "request",
		`{"jsonrpc":"2.0","method":"a","params":{}}`:                             "notification",
		`{"jsonrpc":"2.0","id":"x","result":{}}`:                                 "response",
		`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"","data":2}}`:      "response",
		`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}`:            "response",
		`{"jsonrpc":"2.0","error":{"code":1,"message":""}}`:                      "response",
		`{"jsonrpc":"2.0","id":1,"method":"a","params":null}`:                    "request",
		`{"jsonrpc":"2.0","method":"a","params":null}`:                           "notification",
		`{"jsonrpc":"2.0","id":1,"result":{},"error":null}`:                      "response",
		`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":""}}`: "response",
	} {
		m := message(t, text)
		got := ""
		for kind, is := range map[string]bool{"request": m.IsRequest(), "notification": m.IsNotification(), "response": m.IsResponse()} {
			if is {
				got += kind
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestIDs(t *testing.T) {
	for a, b := range map[string]string{`"a"`: `"\u0061"`, `1`: `1.0`, `1e2`: `100`} {
		x, _ := ParseID(parsed(t, a))
		y, _ := ParseID(parsed(t, b))
		if x != y || !x.Exists() {
			t.Errorf("%s and %s are %s and %s", a, b, x.JSON(), y.JSON())
		}
	}
	if TextID("1") == NumberID(1) {
		t.Error("a text is a number")
	}
}

func TestCallRefuses(t *testing.T) {
	for _, line := range []string{
		`tools/call {}`, `tools/call {"name":1}`, `tools/call {"name":"a","arguments":[]}`, `tools/call {"name":"a","requestState":1}`,
		`tools/call {"name":"a","inputResponses":[]}`, `prompts/get {}`, `prompts/get {"name":"a","arguments":{"b":1}}`,
		`resources/read {}`, `tools/list {"cursor":1}`, `completion/complete {}`, `completion/complete {"ref":{"type":"ref/prompt"},"argument":{"name":"a","value":""}}`,
		`completion/complete {"ref":{"type":"ref/prompt","name":"a"},"argument":{"name":"a"}}`, `subscriptions/listen {}`,
		`logging/setLevel {"level":"loud"}`, `resources/subscribe {}`, `tasks/get {}`, `tasks/update {"taskId":"a"}`, `initialize {}`,
		`initialize {"protocolVersion":"2025-11-25","capabilities":1}`,
	} {
		method, params, _ := strings.Cut(line, " ")
		_, err := ParseCall(Message{ID: NumberID(1), Method: method, Params: parsed(t, params)})
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeInvalidParams {
			t.Errorf("%s: got %v", line, err)
		}
	}
	_, err := ParseCall(Message{Method: "a\x00b"})
	if e := err.(*Error); e.Code != CodeNoMethod || strings.Contains(e.Message, "\x00") {
		t.Errorf("got %v", e)
	}
}

func TestCaller(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`:                                   true,
		`{"` + metaVersion + `":1}`:            false,
		`{"` + metaVersion + `":"2026-07-28"}`: false,
		`{"` + metaVersion + `":"2026-07-28","` + metaCapabilities + `":[]}`:  false,
		`{"` + metaVersion + `":"2026-07-28","` + metaCapabilities + `":{}}`:  true,
		`{"` + metaVersion + `":"2025-11-25"}`:                                true,
		`{"progressToken":1.5,"` + metaCapabilities + `":{"elicitation":{}}}`: true,
	} {
		_, err := ParseCaller(Message{Params: parsed(t, `{"_meta":`+text+`}`)})
		if (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCapabilities(t *testing.T) {
	for text, want := range map[string]ClientCapabilities{
		`{"elicitation":{}}`:                             {Form: true},
		`{"elicitation":{"url":{}}}`:                     {URL: true},
		`{"elicitation":{"form":{},"url":{}}}`:           {Form: true, URL: true},
		`{"sampling":{"context":{}}}`:                    {Sampling: true},
		`{"extensions":{"` + TasksExtension + `":true}}`: {},
		`{"roots":{"listChanged":true}}`:                 {Roots: true},
	} {
		if got := parseClientCapabilities(parsed(t, text)); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
	lacks, any := ClientCapabilities{Form: true}.Missing(ClientCapabilities{Form: true, SamplingTools: true})
	if !any || lacks != (ClientCapabilities{Sampling: true, SamplingTools: true}) {
		t.Errorf("got %+v, %v", lacks, any)
	}
	if _, any := (ClientCapabilities{Form: true}).Missing(ClientCapabilities{Form: true}); any {
		t.Error("nothing is missing")
	}
}

func TestOutcomeRefuses(t *testing.T) {
	all := ClientCapabilities{Tasks: true}
	for _, test := range []struct {
		call     Call
		declared ClientCapabilities
		text     string
		want     error
	}{
		{CallTool{}, all, `{}`, errContent},
		{CallTool{}, all, `{"content":{}}`, errContent},
		{CallTool{}, all, `{"structuredContent":null}`, errContent},
		{CallTool{}, all, `{"resultType":"poem"}`, errResultType},
		{CallTool{}, all, `{"resultType":null,"content":[]}`, errResultType},
		{CallTool{}, ClientCapabilities{}, `{"resultType":"task","taskId":"a","status":"working"}`, errResultType},
		{GetPrompt{}, all, `{"resultType":"task","taskId":"a","status":"working"}`, errResultType},
		{CallTool{}, all, `{"resultType":"task","taskId":"","status":"working"}`, errTask},
		{CallTool{}, all, `{"resultType":"task","taskId":"a","status":"happy"}`, errTask},
		{CallTool{}, all, `{"resultType":"input_required"}`, errInput},
		{CallTool{}, all, `{"resultType":"input_required","inputRequests":{"a":{"method":"a/b"}}}`, errAsk},
		{CallTool{}, all, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m","requestedSchema":{}}}}}`, errForm},
		{CallTool{}, all, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":5}}}}`, errForm},
		{CallTool{}, all, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m"}}}}`, errLink},
		{CallTool{}, all, `{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{}}}}`, errSampling},
		{Discover{}, all, `{"resultType":"input_required","requestState":"a"}`, errResultType},
		{Discover{}, all, `{"supportedVersions":[]}`, errDiscovered},
		{Initialize{}, all, `{"protocolVersion":"2024-11-05"}`, errInitialized},
		{Initialize{}, all, `{"protocolVersion":"2026-07-28"}`, errInitialized},
		{List{What: MethodTools}, all, `{}`, errPage},
		{List{What: MethodTools}, all, `{"tools":"none"}`, errPage},
		{List{What: MethodPrompts}, all, `{"prompts":{}}`, errPage},
		{Complete{}, all, `{"completion":{}}`, errCompletion},
		{ReadResource{}, all, `{}`, errContent},
		{GetPrompt{}, all, `{}`, errContent},
	} {
		if got, err := ParseOutcome(test.call, test.declared, parsed(t, test.text)); err != test.want {
			t.Errorf("%T %s: got %+v, %v, want %v", test.call, test.text, got, err, test.want)
		}
	}
}

// TestCallResult reads the forms in which servers say what a tool has returned.
func TestCallResult(t *testing.T) {
	for text, want := range map[string]string{
		`{"content":[{"type":"text","text":"a"}]}`: "a",
		`{"content":[]}`:   "",
		`{"content":null}`: "",
		`{"content":null,"structuredContent":{"n":1}}`:                        ` {"n":1}`,
		`{"structuredContent":{"n":1}}`:                                       ` {"n":1}`,
		`{"structuredContent":[1]}`:                                           ` [1]`,
		`{"structuredContent":false}`:                                         ` false`,
		`{"structuredContent":"a","content":7}`:                               ` "a"`,
		`{"content":[{"type":"text","text":"a"}],"structuredContent":null}`:   "a",
		`{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`: "ab",
		`{"content":{"type":"text","text":"a"}}`:                              "a",
		`{"content":"a"}`:                                                     "a",
		`{"content":["a",{"type":"text","text":"b"},null,7]}`:                 "ab",
		`{"content":null,"isError":true,"structuredContent":{"why":"no"}}`:    ` {"why":"no"}`,
	} {
		got, err := ParseCallResult(parsed(t, text))
		words := ""
		for _, c := range got.Content {
			words += c.Text
		}
		if got.Structured.Exists() {
			words += " " + got.Structured.JSON()
		}
		if err != nil || words != want || got.Content == nil {
			t.Errorf("%s: got %q, %v, want %q", text, words, err, want)
		}
	}
}

// TestListsThatAreNull reads lists that are null, which is what Go writes for one without elements.
func TestListsThatAreNull(t *testing.T) {
	for _, test := range []struct {
		call Call
		text string
	}{
		{List{What: MethodTools}, `{"tools":null}`},
		{List{What: MethodPrompts}, `{"prompts":null}`},
		{List{What: MethodResources}, `{"resources":null}`},
		{List{What: MethodTemplates}, `{"resourceTemplates":null}`},
		{Complete{}, `{"completion":{"values":null}}`},
		{ReadResource{}, `{"contents":null}`},
		{GetPrompt{}, `{"messages":null}`},
		{CallTool{}, `{"content":null}`},
		{List{What: MethodPrompts}, `{"prompts":[{"name":"p","arguments":null}]}`},
	} {
		if got, err := ParseOutcome(test.call, ClientCapabilities{}, parsed(t, test.text)); err != nil {
			t.Errorf("%s: got %+v, %v", test.text, got, err)
		}
	}
}

func TestElicit(t *testing.T) {
	form := Elicit{Schema: parsed(t, `{"properties":{"a\"":{"type":"string","default":"x"},"b":{"type":"number"},"c":{"default":["y"]}}}`)}
	if got, want := form.Defaults().JSON(), `{"a\"":"x","c":["y"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := (Elicit{}).Defaults().JSON(); got != "{}" {
		t.Errorf("got %s", got)
	}
	e := &Error{Code: CodeLegacyURL, Data: parsed(t, `{"elicitations":[{"mode":"url","message":"m","url":"https://a.example","elicitationId":"1"},{"mode":"form","message":"m"},{"mode":"url"},5]}`)}
	if got := e.Visits(); len(got) != 1 || got[0].ID != "1" || got[0].URL != "https://a.example" {
		t.Errorf("got %+v", got)
	}
	if got := (&Error{}).Visits(); got != nil {
		t.Errorf("got %+v", got)
	}
}

func TestCache(t *testing.T) {
	for text, want := range map[string]Cache{
		`{}`: {}, `{"ttlMs":0}`: {}, `{"ttlMs":-5}`: {}, `{"ttlMs":1.5}`: {}, `{"ttlMs":"5"}`: {},
		`{"ttlMs":5,"cacheScope":"public"}`: {TTL: 5, Public: true}, `{"ttlMs":9e12}`: {TTL: maxTTL},
	} {
		var got Cache
		if got.decode(parsed(t, text)); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

func TestLogs(t *testing.T) {
	for _, test := range []struct {
		asked, line string
		want        bool
	}{
		{"info", "info", true}, {"info", "error", true}, {"error", "info", false}, {"", "emergency", false}, {"info", "loud", false},
	} {
		if got := Logs(test.asked, test.line); got != test.want {
			t.Errorf("%s, %s: got %v", test.asked, test.line, got)
		}
	}
}

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\n\tb": "a b", "a\x00\x1b[31mb": "a [31mb", "a\u202eb\u200bc": "abc", "\xffa": "\ufffda", strings.Repeat("é", 20): "ééé…",
	} {
		if got := Quote(text, 10); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestVersions(t *testing.T) {
	if got := Choose([]string{"2024-11-05", LegacyVersion, Version, "2099-01-01"}); got != Version {
		t.Errorf("got %q", got)
	}
	if got := Choose([]string{"2024-11-05"}); got != "" {
		t.Errorf("got %q", got)
	}
	for asked, want := range map[string]string{"2025-06-18": "2025-06-18", Version: LegacyVersion, "1": LegacyVersion} {
		if got := AnswerHandshake(asked); got != want {
			t.Errorf("%s: got %s, want %s", asked, got, want)
		}
	}
}

// FuzzMessage checks that what was read and encoded once stays the same.
func FuzzMessage(f *testing.F) {
	for _, line := range append(lines(f, "requests.txt"), lines(f, "notes.txt")...) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		encoded, ok := encodeAgain(data)
		if !ok {
			return
		}
		again, ok := encodeAgain(encoded)
		if !ok || string(again) != string(encoded) {
			t.Fatalf("%s\nbecomes %s\nand then %s", data, encoded, again)
		}
	})
}

func encodeAgain(data []byte) ([]byte, bool) {
	m, err := ParseMessage(data)
	if err != nil {
		return nil, false
	}
	if m.IsNotification() {
		note, ok := ParseNote(m)
		if !ok {
			return nil, false
		}
		return EncodeNote(note, m.Subscription()), true
	}
	call, err := ParseCall(m)
	from, callerErr := ParseCaller(m)
	if !m.IsRequest() || first(err, callerErr) != nil {
		return nil, false
	}
	return EncodeRequest(m.ID, from, call), true
}

// FuzzOutcome does the same for answers to every call.
func FuzzOutcome(f *testing.F) {
	for _, line := range lines(f, "results.txt") {
		method, text, _ := strings.Cut(line, " ")
		f.Add(method, text)
	}
	f.Fuzz(func(t *testing.T, method, text string) {
		encoded, ok := outcomeAgain(method, text)
		if !ok {
			return
		}
		again, ok := outcomeAgain(method, encoded)
		if !ok || again != encoded {
			t.Fatalf("%s\nbecomes %s\nand then %s", text, encoded, again)
		}
	})
}

func outcomeAgain(method, text string) (string, bool) {
	m, err := ParseMessage([]byte(text))
	if err != nil || m.Error != nil || !m.IsResponse() {
		return "", false
	}
	result, err := ParseOutcome(callOf(method), ClientCapabilities{Tasks: true}, m.Result)
	if err != nil {
		return "", false
	}
	return string(EncodeResult(m.ID, Version, Info{}, result)), true
}
