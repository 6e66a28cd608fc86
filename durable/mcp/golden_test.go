package mcp

import (
	"os"
	"strings"
	"testing"
)

// lines returns the lines of a file of vectors.
func lines(t testing.TB, file string) (list []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

func message(t testing.TB, text string) Message {
	t.Helper()
	m, err := ParseMessage([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

func parsed(t testing.TB, text string) Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func same(t *testing.T, got []byte, want string) {
	t.Helper()
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRequestsGolden(t *testing.T) {
	for _, line := range lines(t, "requests.txt") {
		m := message(t, line)
		from, err := ParseCaller(m)
		if err != nil {
			t.Errorf("%s: %v", line, err)
		}
		call, err := ParseCall(m)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		same(t, EncodeRequest(m.ID, from, call), line)
	}
}

func TestNotesGolden(t *testing.T) {
	for _, line := range lines(t, "notes.txt") {
		m := message(t, line)
		note, ok := ParseNote(m)
		if !ok {
			t.Errorf("%s is not known", line)
			continue
		}
		same(t, EncodeNote(note, m.Subscription()), line)
	}
}

// callOf returns a call whose answer is read as that of the method.
func callOf(method string) Call {
	switch method {
	case MethodDiscover:
		return Discover{}
	case MethodInitialize:
		return Initialize{}
	case MethodCallTool:
		return CallTool{}
	case MethodGetPrompt:
		return GetPrompt{}
	case MethodRead:
		return ReadResource{}
	case MethodComplete:
		return Complete{}
	case MethodListen:
		return Listen{}
	case MethodPing:
		return Ping{}
	case MethodTask, MethodUpdateTask, MethodCancelTask:
		return TaskCall{What: method}
	}
	return List{What: method}
}

func TestResultsGolden(t *testing.T) {
	for _, line := range lines(t, "results.txt") {
		method, text, _ := strings.Cut(line, " ")
		m := message(t, text)
		result, err := ParseOutcome(callOf(method), ClientCapabilities{Tasks: true}, m.Result)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		version := LegacyVersion
		if m.Result.Get("resultType").Exists() {
			version = Version
		}
		same(t, EncodeResult(m.ID, version, parseInfo(m.Result.Get("_meta").Get(metaServer)), result), text)
	}
}

func TestErrorsGolden(t *testing.T) {
	got := EncodeError(TextID("x"), UnsupportedVersion("v9"))
	same(t, got, `{"jsonrpc":"2.0","id":"x","error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"v9"}}}`)
	if m := message(t, string(got)); m.Error.Status(Version) != 400 || m.Error.Supported()[0] != Version {
		t.Errorf("got %+v", m.Error)
	}
	got = EncodeError(ID{}, MissingCapability(Elicit{URL: "https://example.com"}.Needs()))
	same(t, got, `{"jsonrpc":"2.0","error":{"code":-32021,"message":"missing required client capability","data":{"requiredCapabilities":{"elicitation":{"url":{}}}}}}`)
	message(t, string(got))
}

func TestNoResource(t *testing.T) {
	same(t, EncodeError(NumberID(1), NoResource(Version, "a\"b")), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"resource not found","data":{"uri":"a\"b"}}}`)
	if e := NoResource(LegacyVersion, ""); e.Code != CodeLegacyNoResource {
		t.Errorf("got %v", e)
	}
}

func TestAnswersGolden(t *testing.T) {
	row := parsed(t, `{"row":4}`)
	for want, answer := range map[string]Answer{
		`{"action":"accept","content":{"row":4}}`: ElicitResult{Action: Accept, Content: row},
		`{"action":"cancel"}`:                     ElicitResult{Action: Cancel},
		`{"role":"assistant","content":{"type":"text","text":"4"},"model":"m","stopReason":"endTurn"}`: Sampled{
			SampleMessage: SampleMessage{Role: "assistant", Content: []Content{TextContent("4")}}, Model: "m", Stop: "endTurn",
		},
		`{"roots":[{"uri":"file:///a","name":"a"},{"uri":"file:///b"}]}`: RootList{{URI: "file:///a", Name: "a"}, {URI: "file:///b"}},
	} {
		r := Respond("k", answer)
		same(t, []byte(r.Value.JSON()), want)
		var again Answer
		var err error
		switch answer.(type) {
		case ElicitResult:
			again, err = ParseElicitResult(r.Value)
		case Sampled:
			again, err = ParseSampled(r.Value)
		case RootList:
			again, err = ParseRootList(r.Value)
		}
		if err != nil {
			t.Errorf("%s: %v", want, err)
			continue
		}
		same(t, []byte(Respond("k", again).Value.JSON()), want)
		same(t, EncodeAnswer(NumberID(1), again), `{"jsonrpc":"2.0","id":1,"result":`+want+`}`)
	}
}

func TestRepeat(t *testing.T) {
	state := "s"
	for _, call := range []Call{CallTool{Name: "a"}, GetPrompt{Name: "a"}, ReadResource{URI: "a"}} {
		got, ok := Repeat(call, Resume{State: &state})
		if text := string(EncodeRequest(NumberID(1), Caller{}, got)); !ok || !strings.Contains(text, `"requestState":"s"`) {
			t.Errorf("%T: %v, %s", call, ok, text)
		}
	}
	if _, ok := Repeat(Discover{}, Resume{State: &state}); ok {
		t.Error("server/discover can be repeated with a state")
	}
}
