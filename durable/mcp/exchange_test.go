package mcp

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// post makes a request into what a server receives.
func post(r Request) Post {
	p := Post{Method: r.Method, Header: map[string]string{}, Body: r.Body}
	for _, h := range r.Header {
		p.Header[h.Name] = h.Value
	}
	return p
}

var modern = Endpoint{
	URL: "https://example.com/mcp", Version: Version, Session: "ignored",
	Header: []durable.Header{{Name: "Authorization", Value: "Bearer ", Secret: "T"}, {Name: "Mcp-Method", Value: "evil"}, {Name: "Content-Type", Value: "text/plain"}},
}

func TestRequest(t *testing.T) {
	call := CallTool{Name: "größe", Arguments: parsed(t, `{"region":"süd"}`)}
	r := modern.Call(NumberID(1), Caller{}, call, []Param{{Header: "Region", Path: []string{"region"}}})
	got := ""
	for _, h := range r.Header {
		got += h.Name + ": " + h.Value + h.Secret + "\n"
	}
	const want = "authorization: Bearer T\naccept: application/json, text/event-stream\nmcp-protocol-version: 2026-07-28\n" +
		"content-type: application/json\nmcp-method: tools/call\nmcp-name: =?base64?Z3LDtsOfZQ==?=\nmcp-param-region: =?base64?c8O8ZA==?=\n"
	if got != want || r.Method != "POST" || r.URL != modern.URL {
		t.Errorf("got %s %s\n%s\nwant\n%s", r.Method, r.URL, got, want)
	}

	legacy := Endpoint{URL: "u", Version: LegacyVersion, Session: "s"}
	for _, r := range []Request{
		legacy.Call(NumberID(1), Caller{}, call, nil), legacy.Notify(Ready{}), legacy.Answer(NumberID(2), RootList{}),
		legacy.Refuse(NumberID(3), &Error{Code: -1}), legacy.Resume("e"), legacy.Close(),
	} {
		p := post(r)
		if p.Header[HeaderSession] != "s" || p.Header[HeaderVersion] != LegacyVersion || p.Header[HeaderMethod] != "" {
			t.Errorf("got %s %v", p.Method, p.Header)
		}
		if (r.Body == nil) != (r.Method != "POST") || r.Method == "GET" && p.Header[HeaderLastEvent] != "e" {
			t.Errorf("got %s %v %s", p.Method, p.Header, r.Body)
		}
	}
	if p := post(Endpoint{}.Call(NumberID(1), Caller{}, Initialize{Version: LegacyVersion}, nil)); p.Header[HeaderVersion] != "" {
		t.Errorf("got %v", p.Header)
	}
}

func TestReceive(t *testing.T) {
	params := []Call{
		Discover{},
		List{What: MethodTools},
		CallTool{Name: "größe"},
		GetPrompt{Name: " p"},
		ReadResource{URI: "note://1"},
		Complete{Prompt: "p", Argument: "a"},
		Listen{},
		TaskCall{What: MethodTask, Task: "t"},
		TaskCall{What: MethodUpdateTask, Task: "t"},
		TaskCall{What: MethodCancelTask, Task: "t"},
		CallTool{Name: ""},
	}
	for _, call := range params {
		got, refusal := Receive(post(modern.Call(TextID("i"), Caller{Progress: NumberID(2), Capabilities: ClientCapabilities{Tasks: true}}, call, nil)))
		if refusal != nil {
			t.Errorf("%s: %d %s", call.Method(), refusal.Status, refusal.Body)
			continue
		}
		if got.Caller.Version != Version || got.Session != "" || !got.Caller.Capabilities.Tasks || got.Caller.Progress != NumberID(2) || got.Call.Method() != call.Method() {
			t.Errorf("%s: got %+v", call.Method(), got)
		}
	}
	legacy := Endpoint{Version: LegacyVersion, Session: "s"}
	for _, call := range []Call{Ping{}, SetLevel{Level: "info"}, Subscribe{}, List{What: MethodTools}} {
		if got, refusal := Receive(post(legacy.Call(NumberID(1), Caller{}, call, nil))); refusal != nil || got.Session != "s" || got.Caller.Version != LegacyVersion {
			t.Errorf("%s: got %+v, %+v", call.Method(), got, refusal)
		}
	}
	got, refusal := Receive(post(Endpoint{}.Call(NumberID(1), Caller{}, Initialize{Version: "2099-01-01", Info: Info{Name: "c"}}, nil)))
	if refusal != nil || got.Caller.Version != LegacyVersion || got.Caller.Info.Name != "c" {
		t.Errorf("got %+v, %+v", got, refusal)
	}
	for _, r := range []Request{legacy.Notify(Ready{}), legacy.Answer(NumberID(1), RootList{}), modern.Notify(Cancelled{Request: NumberID(1)})} {
		if got, refusal := Receive(post(r)); refusal != nil || got.Call != nil {
			t.Errorf("%s: got %+v, %+v", r.Body, got, refusal)
		}
	}
}

func TestReceiveRefuses(t *testing.T) {
	call := CallTool{Name: "a"}
	const noMeta = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	for _, test := range []struct {
		name   string
		change func(p *Post)
		status int
		code   string
	}{
		{"GET", func(p *Post) { p.Method = "GET" }, 405, ""},
		{"another type", func(p *Post) { p.Header["content-type"] = "text/plain" }, 415, ""},
		{"no type", func(p *Post) { delete(p.Header, "content-type") }, 415, ""},
		{"no events", func(p *Post) { p.Header["accept"] = "application/json" }, 406, ""},
		{"no JSON accepted", func(p *Post) { p.Header["accept"] = "text/event-stream, text/*" }, 406, ""},
		{"too large", func(p *Post) { p.Body = make([]byte, MaxMessage+1) }, 413, ""},
		{"no JSON", func(p *Post) { p.Body = []byte("{") }, 400, "-32700"},
		{"a batch", func(p *Post) { p.Body = []byte("[]") }, 400, "-32600"},
		{"no version header", func(p *Post) { delete(p.Header, HeaderVersion) }, 400, "-32020"},
		{"another version header", func(p *Post) { p.Header[HeaderVersion] = LegacyVersion }, 400, "-32020"},
		{"no method header", func(p *Post) { delete(p.Header, HeaderMethod) }, 400, "-32020"},
		{"a method in capitals", func(p *Post) { p.Header[HeaderMethod] = "TOOLS/CALL" }, 400, "-32020"},
		{"no name header", func(p *Post) { delete(p.Header, HeaderName) }, 400, "-32020"},
		{"another name", func(p *Post) { p.Header[HeaderName] = "b" }, 400, "-32020"},
		{"a broken name", func(p *Post) { p.Header[HeaderName] = "=?base64?a?=" }, 400, "-32020"},
		{"no _meta", func(p *Post) { p.Body = []byte(noMeta) }, 400, "-32602"},
		{"no _meta, server/discover", func(p *Post) {
			p.Body = []byte(strings.Replace(noMeta, "tools/list", MethodDiscover, 1))
			delete(p.Header, HeaderVersion)
		}, 400, "-32602"},
		{"a future version", func(p *Post) {
			p.Body = []byte(strings.ReplaceAll(string(p.Body), Version, "2099-01-01"))
			p.Header[HeaderVersion] = "2099-01-01"
		}, 400, "-32022"},
		{"a legacy version in _meta", func(p *Post) {
			p.Body = []byte(strings.ReplaceAll(string(p.Body), Version, LegacyVersion))
			p.Header[HeaderVersion] = LegacyVersion
		}, 400, "-32022"},
		{"an unknown legacy version", func(p *Post) { p.Body, p.Header[HeaderVersion] = []byte(noMeta), "2020-01-01" }, 400, "-32022"},
		{"an unknown method", func(p *Post) {
			p.Body = []byte(strings.Replace(string(p.Body), "tools/call", "tools/dance", 1))
			p.Header[HeaderMethod] = "tools/dance"
		}, 404, "-32601"},
		{"a method of the other era", func(p *Post) {
			p.Body = []byte(strings.Replace(string(p.Body), "tools/call", "initialize", 1))
			p.Header[HeaderMethod] = "initialize"
		}, 404, "-32601"},
		{"a modern method in the legacy era", func(p *Post) {
			p.Body, p.Header[HeaderVersion] = []byte(strings.Replace(noMeta, "tools/list", MethodTask, 1)), LegacyVersion
		}, 200, "-32601"},
		{"a response", func(p *Post) { p.Body = []byte(answer) }, 400, "-32600"},
		{"wrong params", func(p *Post) {
			p.Body = []byte(strings.Replace(string(p.Body), `"name":"a"`, `"name":"a","arguments":1`, 1))
		}, 200, "-32602"},
	} {
		p := post(modern.Call(NumberID(1), Caller{}, call, nil))
		test.change(&p)
		got, refusal := Receive(p)
		if refusal == nil {
			t.Errorf("%s: got %+v", test.name, got)
			continue
		}
		if refusal.Status != test.status || !strings.Contains(string(refusal.Body), test.code) || (test.code == "") != (refusal.Body == nil) {
			t.Errorf("%s: got %d %s", test.name, refusal.Status, refusal.Body)
		}
		if test.code != "" && test.code != "-32700" && test.name != "a batch" && !strings.Contains(string(refusal.Body), `"id":1`) {
			t.Errorf("%s: the answer has no id: %s", test.name, refusal.Body)
		}
	}
}

func FuzzReceive(f *testing.F) {
	for _, line := range lines(f, "requests.txt") {
		f.Add([]byte(line), Version, MethodCallTool, "add")
		f.Add([]byte(line), LegacyVersion, "", "")
	}
	f.Fuzz(func(t *testing.T, body []byte, version, method, name string) {
		p := post(Endpoint{Version: version}.post(body))
		p.Header[HeaderMethod], p.Header[HeaderName] = method, name
		got, refusal := Receive(p)
		if refusal != nil {
			if refusal.Body != nil {
				message(t, string(refusal.Body))
			}
			return
		}
		if got.Message.IsRequest() != (got.Call != nil) || Choose([]string{got.Caller.Version}) == "" {
			t.Fatalf("got %+v", got)
		}
	})
}

func TestProbe(t *testing.T) {
	result := func(text string) Message { return Message{Result: parsed(t, text)} }
	fails := func(code int64, data string) Message {
		e := &Error{Code: code}
		if data != "" {
			e.Data = parsed(t, data)
		}
		return Message{Error: e}
	}
	const unsupported = `{"supported":["2026-07-28","2025-11-25"],"requested":"2026-07-28"}`
	for _, test := range []struct {
		name    string
		again   bool
		status  int
		answer  Message
		next    Next
		version string
		err     error
	}{
		{"a modern server", false, 200, result(`{"supportedVersions":["2025-11-25","2026-07-28"],"capabilities":{}}`), NextModern, Version, nil},
		{"legacy versions alone", false, 200, result(`{"supportedVersions":["2025-06-18"],"capabilities":{}}`), NextHandshake, "2025-06-18", nil},
		{"unknown versions", false, 200, result(`{"supportedVersions":["2099-01-01"],"capabilities":{}}`), 0, "", ErrNoVersion},
		{"an answer to anything", false, 200, result(`{}`), NextHandshake, LegacyVersion, nil},
		{"an answer without versions", false, 200, result(`{"supportedVersions":[]}`), 0, "", errDiscovered},
		{"refused, and listed", false, 400, fails(CodeVersion, unsupported), NextAgain, Version, nil},
		{"refused and listed twice", true, 400, fails(CodeVersion, unsupported), 0, "", ErrNoVersion},
		{"refused, a legacy version listed", false, 400, fails(CodeVersion, `{"supported":["2025-11-25"]}`), NextHandshake, LegacyVersion, nil},
		{"refused, nothing listed", false, 400, fails(CodeVersion, ""), 0, "", ErrNoVersion},
		{"an unknown method", false, 404, fails(CodeNoMethod, ""), NextHandshake, LegacyVersion, nil},
		{"an unknown method with 200", false, 200, fails(CodeNoMethod, ""), NextHandshake, LegacyVersion, nil},
		{"an error of its own", false, 400, fails(-32000, ""), NextHandshake, LegacyVersion, nil},
		{"no message", false, 400, Message{}, NextHandshake, LegacyVersion, nil},
		{"no endpoint", false, 404, Message{}, NextHandshake, LegacyVersion, nil},
		{"sign in", false, 401, Message{}, NextAuthorize, "", nil},
		{"forbidden", false, 403, fails(-32000, ""), NextAuthorize, "", nil},
		{"a redirect", false, 307, Message{}, 0, "", ErrRedirect},
		{"broken", false, 502, Message{}, 0, "", ErrStatus},
		{"busy", false, 429, Message{}, 0, "", ErrStatus},
	} {
		got, err := ReadProbe(Version, test.again, test.status, test.answer)
		if err != test.err || got.Next != test.next || got.Version != test.version {
			t.Errorf("%s: got %+v, %v", test.name, got, err)
		}
	}
	if _, err := ReadProbe(Version, false, 400, fails(CodeHeader, "")); err.(*Error).Code != CodeHeader {
		t.Errorf("got %v", err)
	}
}

func TestSession(t *testing.T) {
	for id, want := range map[string]bool{"": false, "a b": false, "a\n": false, "é": false, "1868a90c-": true, strings.Repeat("a", 2000): false} {
		if IsSession(id) != want {
			t.Errorf("%.20q: got %v", id, !want)
		}
	}
}
