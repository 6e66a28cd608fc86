package dev

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// reader reads the events of a stream.
type reader struct{ lines *bufio.Scanner }

// open connects to a stream, until the test ends.
func open(t *testing.T, address string) *reader {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Origin", "http://localhost:8787")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	if got := response.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("the stream's type is %q", got)
	}
	if got := response.Header.Get("Access-Control-Allow-Origin"); got != "http://localhost:8787" {
		t.Fatalf("the stream may be read by %q", got)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 2*errorLimit)
	return &reader{lines}
}

// next returns the status of the next event.
func (r *reader) next(t *testing.T) status {
	t.Helper()
	var event [3]string
	for i := range event {
		if !r.lines.Scan() {
			t.Fatalf("the stream has ended: %v", r.lines.Err())
		}
		event[i] = r.lines.Text()
	}
	data, ok := strings.CutPrefix(event[1], "data: ")
	if event[0] != "event: build" || !ok || event[2] != "" {
		t.Fatalf("this is no event of a build: %q", event)
	}
	var got status
	if err := json.Unmarshal([]byte(data), &got); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return got
}

func (r *reader) wants(t *testing.T, want status) {
	t.Helper()
	if got := r.next(t); got != want {
		t.Errorf("the page is told %v, want %v", got, want)
	}
}

// stand serves a stream.
func stand(t *testing.T, hosts ...string) (*stream, string) {
	t.Helper()
	s := newStream(append([]string{"localhost", "127.0.0.1"}, hosts...)...)
	address, stop, err := s.serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop() })
	return s, address
}

// TestStream reads the events of two builds, from the beginning, in their middle and at their end.
func TestStream(t *testing.T) {
	s, address := stand(t)
	b := begin(t, s.tell)
	<-b.began
	early := open(t, address)
	early.wants(t, status{State: building})
	const broken = "# app\n./main.go:7:2: undefined: \"x\"\r\n\nevent: build"
	b.outcomes <- errors.New(broken)
	early.wants(t, status{State: failed, Error: broken})
	middle := open(t, address)
	middle.wants(t, status{State: failed, Error: broken})
	b.changes <- []string{"main.go"}
	<-b.began
	early.wants(t, status{State: building})
	middle.wants(t, status{State: building})
	b.outcomes <- nil
	early.wants(t, status{State: built})
	middle.wants(t, status{State: built})
	open(t, address).wants(t, status{State: built})
}

func TestStreamSaysAllOfTheState(t *testing.T) {
	s, address := stand(t)
	s.tell(status{State: built})
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	const want = "event: build\ndata: {\"state\":\"ok\",\"error\":\"\"}\n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(response.Body, got); err != nil || string(got) != want {
		t.Errorf("got %q and %v, want %q", got, err, want)
	}
}

func TestStreamOfOthers(t *testing.T) {
	_, address := stand(t, "192.168.0.7", "::1")
	for name, test := range map[string]struct {
		method, origin, host string
		want                 int
	}{
		"the page":                    {"GET", "http://localhost:8787", "", 200},
		"the page by its number":      {"GET", "http://127.0.0.1:5173", "", 200},
		"the page by its long number": {"GET", "http://[::1]:8787", "", 200},
		"the page in the network":     {"GET", "http://192.168.0.7:8787", "", 200},
		"a program":                   {"GET", "", "", 200},
		"another page":                {"GET", "https://evil.example", "", 403},
		"a page that looks like ours": {"GET", "http://localhost.evil.example", "", 403},
		"a file":                      {"GET", "null", "", 403},
		"another name of the address": {"GET", "", "evil.example", 403},
		"a post":                      {"POST", "http://localhost:8787", "", 405},
	} {
		t.Run(name, func(t *testing.T) {
			request, err := http.NewRequestWithContext(t.Context(), test.method, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			if test.origin != "" {
				request.Header.Set("Origin", test.origin)
			}
			request.Host = test.host
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			allowed := response.Header.Get("Access-Control-Allow-Origin")
			if response.StatusCode != test.want {
				t.Errorf("got %s, want %d", response.Status, test.want)
			}
			if test.want == 200 && allowed != test.origin || test.want == 403 && allowed != "" {
				t.Errorf("%q may read the stream", allowed)
			}
		})
	}
}
