package client_test

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/client"
)

// removeStarted removes the event of a run from what was read, which has to be there once.
func removeStarted(t *testing.T, got string) string {
	t.Helper()
	const line = "helper c1 r1 started Researcher  \n"
	if n := strings.Count(got, line); n != 1 {
		t.Errorf("the run has begun %d times in %s", n, got)
	}
	return strings.Replace(got, line, "", 1)
}

// call makes a call and answers it. The client has then handled every frame that was sent before.
func call(t *testing.T, conv *client.Conversation, c *conn) {
	t.Helper()
	result := make(chan error, 1)
	go func() {
		_, err := client.Call[int](t.Context(), conv, "ping")
		result <- err
	}()
	c.send(`{"type":"rpc","id":"` + c.expect("rpc").ID + `","success":true,"done":true,"result":1}`)
	if err := <-result; err != nil {
		t.Fatal(err)
	}
}

// TestRefusals checks how a refusal ends a conversation: when it opens, and when it is open.
func TestRefusals(t *testing.T) {
	for code, reason := range map[int]error{
		4400: client.ErrBadRequest, 4401: client.ErrUnauthorized, 4403: client.ErrForbidden, 4404: client.ErrNotFound, 4414: nil, 1008: nil,
	} {
		is := func(err error) bool {
			var closed *client.CloseError
			return errors.As(err, &closed) && closed.Code == code && closed.Reason == "the reason" && (reason == nil || errors.Is(err, reason))
		}
		s := newServer(t)
		if _, _, err := s.tryDial(t, client.Options{}, func(c *conn) { c.closeWith(code) }); !is(err) {
			t.Errorf("%d when it opens: got %v", code, err)
		}
		conv, c := s.dial(t, client.Options{})
		a, _ := say(t, conv, c)
		c.closeWith(code)
		if _, err := read(t, a); !is(err) {
			t.Errorf("%d in an answer: got %v", code, err)
		}
		if _, err := conv.Say(t.Context(), "hi"); !is(err) {
			t.Errorf("%d and another question: got %v", code, err)
		}
		if _, err := client.Call[int](t.Context(), conv, "ping"); !is(err) {
			t.Errorf("%d and a call: got %v", code, err)
		}
	}
	for status, reason := range map[int]error{400: client.ErrBadRequest, 401: client.ErrUnauthorized, 503: client.ErrUnavailable} {
		s := newServer(t)
		s.refuse = status
		_, _, err := s.tryDial(t, client.Options{}, nil)
		var got *client.StatusError
		if !errors.As(err, &got) || got.Status != status || got.Text != "Invalid request" || !errors.Is(err, reason) {
			t.Errorf("%d: got %v", status, err)
		}
	}
}

// TestReconnect lets the connection end with codes that are not final.
func TestReconnect(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	for _, code := range []int{0, 1000, 1001, 1011, 1012, 1013} {
		c.closeWith(code)
		c = s.next(t)
		c.greet()
		call(t, conv, c)
	}
}

// TestLost gives up after as many attempts as are allowed since the last greeting.
func TestLost(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{Backoff: client.Backoff{Min: time.Millisecond, Max: time.Millisecond, Attempts: 3}})
	for range 2 {
		for range 2 {
			c.closeWith(1011)
			c = s.next(t)
		}
		c.greet()
		call(t, conv, c)
	}
	a, _ := say(t, conv, c)
	for range 3 {
		c.closeWith(1011)
		c = s.next(t)
	}
	c.closeWith(1011)
	_, err := read(t, a)
	var closed *client.CloseError
	if !errors.Is(err, client.ErrLost) || !errors.As(err, &closed) || closed.Code != 1011 {
		t.Errorf("got %v", err)
	}
}

// TestToken checks that the token goes with every request and that names are escaped as in a browser.
func TestToken(t *testing.T) {
	s := newServer(t)
	conv, _ := s.dial(t, client.Options{Agent: "MyAgent", Name: "a b/ü%20", Token: "secret"})
	if _, err := conv.Messages(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	const path = "/agents/my-agent/a%20b%2F%C3%BC%20"
	for i, suffix := range []string{"", "/get-messages"} {
		r := s.requests[i]
		if r.Header.Get("Authorization") != "Bearer secret" || r.RequestURI != path+suffix {
			t.Errorf("got %s with %v", r.RequestURI, r.Header)
		}
	}
}

// TestDefaultName opens a conversation without a name.
func TestDefaultName(t *testing.T) {
	s := newServer(t)
	s.dial(t, client.Options{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if got := s.requests[0].RequestURI; got != "/agents/assistant/default" {
		t.Errorf("got %s", got)
	}
}

// TestAddresses lists addresses, agents and names that are none.
func TestAddresses(t *testing.T) {
	for _, test := range []struct{ server, agent, name string }{
		{"localhost:8787", "a", "n"},
		{"ftp://localhost", "a", "n"},
		{"http://", "a", "n"},
		{"http://localhost:x", "a", "n"},
		{"http://localhost", "", "n"},
		{"http://localhost", "a/b", "n"},
		{"http://localhost", "a", ".."},
		{"http://localhost", "a", strings.Repeat("n", 257)},
		{"http://localhost", "a", "100%"},
	} {
		if _, err := client.Dial(t.Context(), test.server, client.Options{Agent: test.agent, Name: test.name}); err == nil || !strings.HasPrefix(err.Error(), "client: ") {
			t.Errorf("%v: got the error %v", test, err)
		}
	}
}

// TestFrameLimit ends a conversation whose frames are too large, since the next connection would
// have them again.
func TestFrameLimit(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{MaxFrame: 1000})
	a, r := say(t, conv, c)
	c.send(chunk(r.ID, 0, strings.Repeat(" ", 1000)))
	if _, err := read(t, a); !errors.Is(err, client.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
	s.messages = "[" + strings.Repeat(" ", 1000) + "]"
	if _, err := conv.Messages(t.Context()); !errors.Is(err, client.ErrTooLarge) {
		t.Errorf("messages: got %v", err)
	}
}

// TestAnswerLimit ends an answer of which more is kept than the limit allows: in texts, in the ids of
// calls and runs, in reports of progress.
func TestAnswerLimit(t *testing.T) {
	text := strings.Repeat("x", 100)
	for what, frame := range map[string]func(id string, i int) string{
		"texts": func(id string, i int) string { return chunk(id, i, `{"type":"text-delta","delta":"`+text+`"}`) },
		"starts of texts": func(id string, i int) string {
			return chunk(id, i, `{"type":"text-start"}`)
		},
		"calls": func(id string, i int) string {
			return chunk(id, i, fmt.Sprintf(`{"type":"tool-output-available","toolCallId":"%d"}`, i))
		},
		"names of a tool": func(id string, i int) string {
			return chunk(id, i, fmt.Sprintf(`{"type":"tool-input-available","toolCallId":"%d","toolName":"%s"}`, i%3, strings.Repeat("x", 50*i)))
		},
		"runs": func(id string, i int) string {
			if i == 0 {
				return chunk(id, 0, `{"type":"tool-input-available","toolCallId":"c"}`)
			}
			return event("c", fmt.Sprint(i), 0, `"kind":"started"`)
		},
		"progress": func(id string, i int) string {
			if i == 0 {
				return chunk(id, 0, `{"type":"tool-input-available","toolCallId":"c"}`)
			}
			return event("c", fmt.Sprint(i%3), i, fmt.Sprintf(`"kind":"chunk","body":"{\"type\":\"data-agent-progress\",\"id\":\"%s\",\"data\":{}}"`, strings.Repeat("x", 50*i)))
		},
	} {
		s := newServer(t)
		conv, c := s.dial(t, client.Options{MaxFrame: 1500})
		a, r := say(t, conv, c)
		for i := range 20 {
			c.send(frame(r.ID, i))
		}
		c.send(done(r.ID, "completed"))
		if _, err := read(t, a); !errors.Is(err, client.ErrTooLarge) || !strings.HasSuffix(err.Error(), "the answer") {
			t.Errorf("%s: got %v", what, err)
		}
	}
}

// TestClose ends what is under way, and leaves no goroutine.
func TestClose(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, _ := say(t, conv, c)
	called, attached, followed := make(chan error, 1), make(chan error, 1), make(chan error, 1)
	go func() { _, err := client.Call[int](t.Context(), conv, "ping"); called <- err }()
	c.expect("rpc")
	go func() { _, err := conv.Attach(t.Context()); attached <- err }()
	c.expect("cf_agent_stream_resume_request")
	go func() {
		for _, err := range conv.Run(t.Context(), "r1") {
			followed <- err
		}
	}()
	s.next(t).greet()
	if err := conv.Close(); err != nil {
		t.Error(err)
	}
	_, err := read(t, a)
	for what, err := range map[string]error{"answer": err, "call": <-called, "attach": <-attached, "run": <-followed} {
		if !errors.Is(err, client.ErrClosed) {
			t.Errorf("%s: got %v", what, err)
		}
	}
	_ = conv.Close()
	// A goroutine that has said that it ends may still run its last instructions. It waits for nothing
	// any more. One that waits is not going to end.
	for {
		waiting, running := left()
		if waiting == "" && running == 0 {
			return
		}
		if waiting != "" {
			t.Fatal(waiting)
		}
		runtime.Gosched()
	}
}

// left returns the stack of a goroutine of the package that waits, or "", and counts those that run.
func left() (waiting string, running int) {
	var stacks strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&stacks, 2) // a Builder fails never
	for stack := range strings.SplitSeq(stacks.String(), "\n\n") {
		_, state, _ := strings.Cut(stack, "[")
		switch state, _, _ = strings.Cut(state, "]"); {
		case !strings.Contains(stack, "created by github.com/tributary-agents/tributary/client."):
		case waits.MatchString(state):
			waiting = stack
		default:
			running++
		}
	}
	return waiting, running
}

// waits matches the states of a goroutine that waits for another one, or for the network.
var waits = regexp.MustCompile(`^(IO wait|select|chan |sync\.|semacquire|sleep)`)

// TestGoroutinesAreSeen checks that [left] sees the goroutines of an open conversation.
func TestGoroutinesAreSeen(t *testing.T) {
	newServer(t).dial(t, client.Options{})
	for {
		waiting, running := left()
		if waiting != "" {
			return
		}
		if running == 0 {
			t.Fatal("an open conversation has none")
		}
		runtime.Gosched()
	}
}
