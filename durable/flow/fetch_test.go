package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

const fetchName = "await/r#0"

// asks returns code that makes one request and reports its outcome.
func asks(t *testing.T, request flow.Request) flow.Func {
	return func(c *flow.Context) (json.RawMessage, error) {
		response, err := flow.Fetch(c, request)
		if err == nil {
			return json.Marshal(fmt.Sprintf("%d %v %s", response.Status, response.Header, response.Body))
		}
		var failed *flow.FetchError
		if !errors.As(err, &failed) {
			t.Errorf("got %T", err)
		}
		return nil, err
	}
}

func (w *world) fetched(events ...durable.Event) {
	w.t.Helper()
	for i, e := range events {
		if got, want := w.routine.Fetched(w.tx, fetchName, e), i == len(events)-1; got != want {
			w.t.Errorf("%T has ended it: %v, want %v", e, got, want)
		}
	}
	w.routine.Resume(w.tx)
}

// commands returns the commands so far.
func (w *world) commands() string {
	var all []string
	for _, c := range w.tx.Commands() {
		switch c := c.(type) {
		case durable.Fetch:
			all = append(all, fmt.Sprintf("%s %s %s%v %s", c.Fetch, c.Method, c.URL, c.Header, c.Body))
		case durable.CancelFetch:
			all = append(all, "cancel "+c.Fetch)
		}
	}
	return strings.Join(all, "; ")
}

func TestFetch(t *testing.T) {
	w := open(t)
	w.start(asks(t, flow.Request{
		Method: "post", URL: "https://x.test/a?q=1", Header: []durable.Header{{Name: "Authorization", Value: "Bearer ", Secret: "KEY"}}, Body: []byte("in"),
	}))
	if !flow.IsFetch(fetchName) || !w.routine.Fetching() {
		t.Error("nothing is under way")
	}
	w.fetched(durable.FetchResponded{Status: 201, Header: map[string]string{"a": "b"}},
		durable.FetchChunk{Data: []byte("ou")}, durable.FetchChunk{Data: []byte("t")}, durable.FetchEnded{})
	w.wants(`"201 map[a:b] out"`)
	if got, want := w.commands(), fetchName+" POST https://x.test/a?q=1[{Authorization Bearer  KEY}] in"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if w.routine.Fetching() || w.routine.Fetched(w.tx, fetchName, durable.FetchEnded{}) {
		t.Error("something is still under way")
	}
}

// TestFetchFails checks for each failure whether the request may have had its effect.
func TestFetchFails(t *testing.T) {
	get := flow.Request{URL: "https://x.test/a?secret"}
	post := flow.Request{Method: "POST", URL: "https://x.test/a"}
	large := flow.Request{URL: "https://x.test/a", Limit: 3}
	head := durable.FetchResponded{Status: 200}
	for name, c := range map[string]struct {
		request flow.Request
		events  []durable.Event
		want    string
	}{
		"no connection": {get, []durable.Event{durable.FetchFailed{Error: "reset"}}, "GET https://x.test/a: reset; it may or may not have happened"},
		"no secret":     {post, []durable.Event{durable.FetchFailed{Error: "there is no secret KEY", Unsent: true}}, "POST https://x.test/a: there is no secret KEY; nothing has happened"},
		"broke off":     {post, []durable.Event{head, durable.FetchFailed{Error: "reset"}}, "reset; its status was 200"},
		"too large":     {large, []durable.Event{head, durable.FetchChunk{Data: []byte("four")}}, "the response is larger than 3 bytes; its status was 200"},
		"told too large": {
			large,
			[]durable.Event{durable.FetchResponded{Status: 200, Header: map[string]string{"content-length": "4"}}},
			"the response is larger than 3 bytes; its status was 200",
		},
		"no URL":       {flow.Request{URL: "http://[x"}, nil, "GET a URL that cannot be read: its URL cannot be read; nothing has happened"},
		"other scheme": {flow.Request{URL: "file:///etc/passwd"}, nil, "its URL is not one of HTTP; nothing has happened"},
		"bad method":   {flow.Request{Method: "GE T", URL: "https://x.test"}, nil, `"GE T" is no method; nothing has happened`},
		"GET body":     {flow.Request{URL: "https://x.test", Body: []byte("x")}, nil, "GET has no body; nothing has happened"},
		"large body": {
			flow.Request{Method: "PUT", URL: "https://x.test", Body: make([]byte, flow.MaxBody+1)},
			nil,
			"its body has 1048577 bytes, at most 1048576; nothing has happened",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(asks(t, c.request))
			w.fetched(c.events...)
			_, err, done := w.routine.Done()
			if !done {
				t.Fatal("it is not done")
			}
			wantWords(t, err, c.want)
		})
	}
}

// TestFetchAfterTheInstanceDied repeats a request if it may be repeated, and otherwise reports that
// its effect is unknown.
func TestFetchAfterTheInstanceDied(t *testing.T) {
	for name, c := range map[string]struct {
		request flow.Request
		again   bool
	}{
		"idempotent": {flow.Request{Method: "PUT", URL: "https://x.test"}, true},
		"repeatable": {flow.Request{Method: "POST", URL: "https://x.test", Repeatable: true}, true},
		"neither":    {flow.Request{Method: "POST", URL: "https://x.test"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(asks(t, c.request))
			w.routine.Fetched(w.tx, fetchName, durable.FetchResponded{Status: 500})
			w.routine.Fetched(w.tx, fetchName, durable.FetchChunk{Data: []byte("half")})
			w.evict()
			if c.again {
				w.fetched(durable.FetchResponded{Status: 200}, durable.FetchEnded{})
				w.wants(`"200 map[] "`)
				return
			}
			_, err, _ := w.routine.Done()
			wantWords(t, err, "POST https://x.test: its instance was lost; it may or may not have happened")
			if n := strings.Count(w.commands(), "POST"); n != 1 {
				t.Errorf("it was made %d times", n)
			}
		})
	}
}

// TestFetchIsCancelled cancels a fetch with its code, and by a time limit. A fetch after the limit
// is never made.
func TestFetchIsCancelled(t *testing.T) {
	get := flow.Request{URL: "https://x.test/"}
	w := open(t)
	w.start(asks(t, get))
	w.routine.Stop(w.tx)
	if got, want := w.commands(), fetchName+" GET https://x.test/[] ; cancel "+fetchName; got != want {
		t.Errorf("got %s, want %s", got, want)
	}

	w = open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		return flow.Within(c, hour, func() (json.RawMessage, error) {
			for _, unsent := range []bool{false, true} {
				_, err := flow.Fetch(c, get)
				var failed *flow.FetchError
				if !errors.Is(err, flow.ErrTimeout) || !errors.As(err, &failed) || failed.Unsent != unsent {
					t.Errorf("got %v, want unsent %v", err, unsent)
				}
			}
			return json.RawMessage(`1`), nil
		})
	})
	w.pass(hour)
	w.wants("1")
	if got, want := w.commands(), "await/r#1 GET https://x.test/[] ; cancel await/r#1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// lineReader reads the first line of a body.
type lineReader struct {
	head flow.Response
	line []byte
	told *[]string
}

func (r *lineReader) Feed(_ *durable.Tx, data []byte) (bool, error) {
	*r.told = append(*r.told, string(data))
	if strings.Contains(string(data), "!") {
		return false, errors.New("no line")
	}
	r.line = append(r.line, data...)
	return strings.Contains(string(data), "\n"), nil
}

func (r *lineReader) End() (flow.Response, error) {
	if len(r.line) == 0 {
		return flow.Response{}, errors.New("nothing came")
	}
	return flow.Response{Status: r.head.Status, Body: r.line}, nil
}

// TestFetchRead reads a body as it comes, to the end, to what is wanted of it, and to an error. In a
// later life it is read from the beginning.
func TestFetchRead(t *testing.T) {
	for name, c := range map[string]struct {
		events          []durable.Event
		result, failure string
		cancelled       bool
	}{
		"to the end":  {[]durable.Event{durable.FetchChunk{Data: []byte("a")}, durable.FetchEnded{}}, `"200 map[] a"`, "", false},
		"enough":      {[]durable.Event{durable.FetchChunk{Data: []byte("a")}, durable.FetchChunk{Data: []byte("b\n")}}, `"200 map[] ab\n"`, "", true},
		"not at all":  {[]durable.Event{durable.FetchChunk{Data: []byte("a")}, durable.FetchChunk{Data: []byte("!")}}, "", "no line; its status was 200", true},
		"without end": {[]durable.Event{durable.FetchEnded{}}, "", "nothing came; its status was 200", false},
	} {
		for _, lost := range []bool{false, true} {
			t.Run(fmt.Sprint(name, lost), func(t *testing.T) {
				var told []string
				w := open(t)
				w.start(asks(t, flow.Request{Method: "POST", URL: "https://x.test/a", Repeatable: true, Read: func(head flow.Response) flow.BodyReader {
					return &lineReader{head: head, told: &told}
				}}))
				head := durable.FetchResponded{Status: 200, Header: map[string]string{"content-length": "9999999", "set-cookie": "x"}}
				if lost {
					w.routine.Fetched(w.tx, fetchName, head)
					w.routine.Fetched(w.tx, fetchName, durable.FetchChunk{Data: []byte("lost")})
					w.evict()
				}
				w.fetched(append([]durable.Event{head}, c.events...)...)
				if c.failure == "" {
					w.wants(c.result)
				} else {
					_, err, _ := w.routine.Done()
					wantWords(t, err, c.failure)
				}
				if got := strings.Contains(w.commands(), "cancel "+fetchName); got != c.cancelled {
					t.Errorf("cancelled: %v, want %v", got, c.cancelled)
				}
			})
		}
	}
}
