package mcp

import (
	"slices"
	"strings"
	"testing"
)

const answer = `{"jsonrpc":"2.0","id":1,"result":{}}`

// read feeds a body in pieces of a size.
func read(r *Reader, body string, size int) (messages []Message, err error) {
	for piece := range slices.Chunk([]byte(body), size) {
		got, err := r.Feed(piece)
		if messages = append(messages, got...); err != nil {
			return messages, err
		}
	}
	got, err := r.End()
	return append(messages, got...), err
}

func reader(t testing.TB, version, contentType string) *Reader {
	t.Helper()
	r, err := NewReader(version, NumberID(1), contentType)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReader(t *testing.T) {
	const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	body := ": hello\r\n\r\nevent: message\rid: 7\rdata:" + progress + "\r\n\nretry: 250\nid: 8\ndata: " + answer + "\n\n:bye\n\n"
	for size := 1; size <= len(body); size++ {
		r := reader(t, Version, "text/event-stream; charset=utf-8")
		got, err := read(r, "\ufeff"+body, size)
		if err != nil || len(got) != 2 || got[0].Method != MethodProgress || !got[1].IsResponse() {
			t.Fatalf("in pieces of %d: got %+v, %v", size, got, err)
		}
		if retry, said := r.Retry(); r.LastEvent() != "8" || retry != 250 || !said {
			t.Fatalf("got %q, %d", r.LastEvent(), retry)
		}
	}
	if got, err := read(reader(t, Version, "Application/JSON"), answer, 3); err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestReaderSkips reads streams with events that are no message of the protocol, in pieces of every size.
func TestReaderSkips(t *testing.T) {
	const end = "event: message\ndata: " + answer + "\n\n"
	for name, test := range map[string]struct {
		before  string
		skipped int
	}{
		"a ping":                           {"event: ping\ndata: ping\n\n", 0},
		"a ping that is JSON":              {"event: ping\ndata: {\"type\":\"ping\"}\n\n", 0},
		"a ping with carriage returns":     {"event:ping\rdata:1\r\r", 0},
		"an answer under another name":     {"event: progress\ndata: " + answer + "\n\n", 0},
		"a long name":                      {"event: message" + strings.Repeat("s", 1000) + "\ndata: x\n\n", 0},
		"an endpoint of 2024":              {"event: endpoint\ndata: /messages?id=1\n\n", 0},
		"a name without data":              {"event: ping\n\n", 0},
		"two names, the last one counts":   {"event: message\nevent: ping\ndata: x\n\n", 0},
		"a heartbeat":                      {"data: {\"type\":\"heartbeat\"}\n\n", 1},
		"a heartbeat with the name":        {"event: message\ndata: {\"type\":\"heartbeat\"}\n\n", 1},
		"no JSON":                          {"data: ping\n\n", 1},
		"half of a message":                {"data: {\"jsonrpc\":\"2.0\",\n\n", 1},
		"null":                             {"data: null\n\n", 1},
		"a number":                         {"data: 1790000000\n\n", 1},
		"a text":                           {"data: \"alive\"\n\n", 1},
		"an empty list":                    {"data: []\n\n", 1},
		"an empty object":                  {"data: {}\n\n", 1},
		"a message without its version":    {"data: {\"id\":2,\"result\":{}}\n\n", 1},
		"a result that is a text":          {"data: {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":\"ok\"}\n\n", 1},
		"a notification with a list":       {"data: {\"jsonrpc\":\"2.0\",\"method\":\"a\",\"params\":[]}\n\n", 1},
		"the end of another protocol":      {"data: [DONE]\n\n", 1},
		"several":                          {"event: ping\ndata: 1\n\ndata: 2\n\ndata: {\"a\":1}\n\n: 3\n\ndata:\n\n", 2},
		"an event of the last one's name":  {"event: ping\ndata: 1\n\ndata: {\"type\":\"heartbeat\"}\n\n", 1},
		"a request in the legacy era only": {"", 0},
	} {
		for _, body := range []string{test.before + end, test.before + end + test.before} {
			for size := 1; size <= len(body); size++ {
				r := reader(t, LegacyVersion, "text/event-stream")
				got, err := read(r, body, size)
				if err != nil || len(got) != 1 || !got[0].IsResponse() || r.Skipped() < test.skipped {
					t.Fatalf("%s, in pieces of %d: got %+v, %v, %d skipped", name, size, got, err, r.Skipped())
				}
			}
		}
	}
}

// TestReaderSkipsNoAnswer reads events that are meant to be the answer, and cannot be read: nothing better comes behind.
func TestReaderSkipsNoAnswer(t *testing.T) {
	for _, data := range []string{
		`{"jsonrpc":"2.0","id":1,"result":"ok"}`, `{"jsonrpc":"2.0","id":1}`, `{"id":1,"result":{}}`, `{"jsonrpc":"2.0","id":1,"error":"no"}`,
		`[` + answer + `]`, `[{"jsonrpc":"2.0","method":"a"},` + answer + `]`,
	} {
		if got, err := read(reader(t, LegacyVersion, "text/event-stream"), "data: "+data+"\n\n", 7); err != ErrNoMessage {
			t.Errorf("%s: got %+v, %v", data, got, err)
		}
	}
	for data, want := range map[string]error{
		strings.Repeat("[", 300) + strings.Repeat("]", 300): ErrTooDeep,
		"[" + strings.Repeat("1,", 30_000) + "1]":           ErrTooMany,
		`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`:       ErrDuplicate,
		strings.Repeat("a", MaxMessage+100):                 ErrTooLarge,
	} {
		if got, err := read(reader(t, LegacyVersion, "text/event-stream"), "data: "+data+"\n\n", 4096); err == nil || err.Error() != want.Error() {
			t.Errorf("%.40s: got %+v, %v, want %v", data, got, err, want)
		}
	}
}

func TestReaderRefuses(t *testing.T) {
	event := func(messages ...string) string { return "data: " + strings.Join(messages, "\n\ndata: ") + "\n\n" }
	const ask = `{"jsonrpc":"2.0","id":5,"method":"roots/list"}`
	for _, test := range []struct {
		name, version, contentType, body string
		want                             error
	}{
		{"nothing", Version, "application/json", "", ErrNoMessage},
		{"no JSON", Version, "application/json", "<html>", ErrNoMessage},
		{"a batch", Version, "application/json", "[" + answer + "]", ErrNoMessage},
		{"a notification alone", Version, "application/json", `{"jsonrpc":"2.0","method":"a"}`, ErrNoAnswer},
		{"another id", Version, "application/json", strings.Replace(answer, `"id":1`, `"id":"1"`, 1), ErrForeign},
		{"another request's answer", Version, "application/json", strings.Replace(answer, `"id":1`, `"id":2`, 1), ErrForeign},
		{"too much", Version, "application/json", strings.Repeat(" ", MaxMessage+1), ErrTooLarge},
		{"no events", Version, "text/event-stream", "", ErrNoAnswer},
		{"pings alone", Version, "text/event-stream", "event: ping\ndata: 1\n\n", ErrNoAnswer},
		{"heartbeats alone", Version, "text/event-stream", event("1", "{}"), ErrNoAnswer},
		{"heartbeats without end", Version, "text/event-stream", strings.Repeat(event("{}"), MaxStreamMessages+1), ErrStream},
		{"an end in an event", Version, "text/event-stream", "data: " + answer + "\n", ErrNoAnswer},
		{"two answers", Version, "text/event-stream", event(answer, answer), ErrTwice},
		{"an answer of another request", Version, "text/event-stream", event(strings.Replace(answer, `"id":1`, `"id":"1"`, 1)), ErrForeign},
		{"a request", Version, "text/event-stream", event(ask, answer), ErrAsks},
		{"a request in the legacy era", LegacyVersion, "text/event-stream", event("", ask, answer), nil},
		{"an error without an id", Version, "application/json", `{"jsonrpc":"2.0","error":{"code":1,"message":""}}`, nil},
		{"a line without end", Version, "text/event-stream", "data: " + strings.Repeat("a", 2*MaxMessage), ErrTooLarge},
		{"an event without end", Version, "text/event-stream", strings.Repeat("data: "+strings.Repeat("a", 1000)+"\n", 2000), ErrTooLarge},
		{"comments without end", Version, "text/event-stream", strings.Repeat(": "+strings.Repeat("a", 1000)+"\n", 20_000), ErrStream},
		{"messages without end", Version, "text/event-stream", strings.Repeat(event(`{"jsonrpc":"2.0","method":"a"}`), MaxStreamMessages+1), ErrStream},
	} {
		if got, err := read(reader(t, test.version, test.contentType), test.body, 4096); err != test.want {
			t.Errorf("%s: got %d messages, %v, want %v", test.name, len(got), err, test.want)
		}
	}
	for _, contentType := range []string{"", "text/html", "application/jsonp"} {
		if _, err := NewReader(Version, NumberID(1), contentType); err != ErrContentType {
			t.Errorf("%q: got %v", contentType, err)
		}
	}
}

func TestAppendEvent(t *testing.T) {
	body := string(AppendEvent(AppendEvent([]byte(KeepAlive), "a-1", []byte(`{"jsonrpc":"2.0","method":"a"}`)), "", []byte(answer)))
	if want := ":\n\nid: a-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n\ndata: " + answer + "\n\n"; body != want {
		t.Errorf("got %q", body)
	}
	r := reader(t, Version, "text/event-stream")
	if got, err := read(r, body, 5); err != nil || len(got) != 2 || r.LastEvent() != "a-1" || !r.Answered() {
		t.Errorf("got %v, %v", got, err)
	}
}

// FuzzReader checks that a stream means the same in whatever pieces it comes.
func FuzzReader(f *testing.F) {
	f.Add("data: "+answer+"\n\n", uint8(3))
	f.Add("\ufeffid: 1\r\rdata\n\nretry:5\r\n:\n", uint8(1))
	f.Fuzz(func(t *testing.T, body string, size uint8) {
		whole, pieces := reader(t, LegacyVersion, "text/event-stream"), reader(t, LegacyVersion, "text/event-stream")
		want, wantErr := read(whole, body, len(body)+1)
		got, err := read(pieces, body, int(size)+1)
		if err != wantErr || len(got) != len(want) || whole.LastEvent() != pieces.LastEvent() {
			t.Fatalf("got %d messages, %v, want %d, %v", len(got), err, len(want), wantErr)
		}
	})
}
