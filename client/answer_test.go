package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/client"
)

// questionOf returns the id of the message that a request holds, whose text is "hi".
func questionOf(t *testing.T, r request) string {
	t.Helper()
	var body struct {
		Trigger  string
		Messages []client.Message
	}
	if err := json.Unmarshal([]byte(r.Init.Body), &body); err != nil {
		t.Fatal(err)
	}
	if body.Trigger != "submit-message" || len(body.Messages) != 1 || body.Messages[0].Text() != "hi" {
		t.Fatalf("got the body %s", r.Init.Body)
	}
	return body.Messages[0].ID
}

func want(t *testing.T, got string, err error, want string) {
	t.Helper()
	if err != nil || got != want {
		t.Errorf("got %s(%v), want %s", got, err, want)
	}
}

// TestAnswer streams an answer with a tool call and a helper, whose frames stand between those of
// another person's answer.
func TestAnswer(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, r := say(t, conv, c)
	questionOf(t, r)
	for i, body := range answer {
		c.send(chunk("other", i, answer[4]), chunk(r.ID, i, body))
		if i == 7 {
			c.send(
				event("c1", "r1", 0, `"kind":"started","agentType":"Researcher","inputPreview":{"q":1},"order":0,"display":{"name":"Research"}`),
				event("c9", "r9", 0, `"kind":"started","agentType":"Researcher"`),
				event("c1", "r1", 1, `"kind":"chunk","body":"{\"type\":\"text-delta\",\"delta\":\"found\"}"`),
				event("c1", "r1", 2, `"kind":"chunk","body":"{\"type\":\"data-agent-progress\",\"id\":\"p1\",\"data\":{\"fraction\":0.5,\"message\":\"half\"}}"`),
				event("c1", "r1", 2, `"kind":"chunk","body":"{\"type\":\"data-agent-milestone\",\"data\":{\"name\":\"searched\",\"sequence\":0}}"`),
				event("c1", "r1", 2, `"kind":"finished","summary":"done"`),
			)
		}
	}
	c.send(done("other", "completed"), done(r.ID, "completed"))
	got, err := read(t, a)
	want(t, got, err, `text 0 "Let me "
text 0 "look. "
tool-call c1 research {"query":"tea"}
helper c1 r1 started Researcher Research {"q":1}
helper c1 r1 text 0 "found"
helper c1 r1 progress 0.5 half
helper c1 r1 milestone 0 searched
helper c1 r1 finished done
tool-output c1 research {"ok":true}
file image/png data:image/png;base64,AAAA
text 1 "Tea "
text 1 "is hot."
`)
	text, err := a.Text(t.Context())
	want(t, text, err, "Let me look. \n\nTea is hot.")
}

// TestBreak breaks the connection behind every chunk of an answer. The next connection replays the
// answer, and nothing is delivered twice or left out.
func TestBreak(t *testing.T) {
	for at := range answer {
		s := newServer(t)
		conv, c := s.dial(t, client.Options{})
		a, r := say(t, conv, c)
		for i, body := range answer[:at+1] {
			c.send(chunk(r.ID, i, body))
		}
		started := event("c1", "r1", 0, `"kind":"started","agentType":"Researcher"`)
		if at >= 7 {
			c.send(started)
		}
		// The answer is known to be accepted when a chunk has been read. Before, the request may be repeated.
		var first string
		if at >= 3 {
			for chunk, err := range a.Chunks() {
				if err != nil {
					t.Fatal(err)
				}
				first = show(chunk)
				break
			}
		}
		c.closeWith(1012)
		c = s.next(t)
		c.send(offer("resuming", r.ID, ""), started)
		c.greet()
		if at >= 3 {
			c.expect("cf_agent_stream_resume_ack") // for the answer that it knows to be accepted
		} else if again := c.next(); again.Type == "cf_agent_use_chat_request" && again.text != r.text {
			t.Errorf("got the request %s, want %s again", again.text, r.text)
		}
		c.expect("cf_agent_stream_resume_ack") // for the offer
		for i, body := range answer[:min(at+3, len(answer))] {
			c.send(replayed(r.ID, i, body))
		}
		c.send(complete(r.ID))
		for i := at + 3; i < len(answer); i++ {
			c.send(chunk(r.ID, i, answer[i]))
		}
		c.send(done(r.ID, "completed"))
		got, err := read(t, a)
		want(t, removeStarted(t, first+got), err, answerChunks)
	}
}

// TestRequestIsRepeated breaks the connection before anything shows that the request has arrived.
func TestRequestIsRepeated(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, r := say(t, conv, c)
	for range 3 {
		c.closeWith(0)
		c = s.next(t)
		c.greet()
		if again := c.expect("cf_agent_use_chat_request"); again.text != r.text {
			t.Errorf("got %s, want %s", again.text, r.text)
		}
	}
	c.send(`{"type":"cf_agent_chat_messages","messages":[{"id":"` + questionOf(t, r) + `"}]}`)
	call(t, conv, c) // everything before it was received
	c.closeWith(0)
	c = s.next(t)
	c.greet()
	c.expect("cf_agent_stream_resume_ack") // the server has the question: it is not sent again
	for i, body := range answer {
		c.send(chunk(r.ID, i, body))
	}
	c.send(done(r.ID, "completed"))
	got, err := read(t, a)
	want(t, got, err, answerChunks)
}

// TestEndWhileAway lets the answer end while there is no connection, behind each of its chunks. The
// rest comes from the stored message.
func TestEndWhileAway(t *testing.T) {
	for at := range answer {
		s := newServer(t)
		conv, c := s.dial(t, client.Options{})
		a, r := say(t, conv, c)
		s.mu.Lock()
		s.messages = stored(questionOf(t, r))
		s.mu.Unlock()
		for i, body := range answer[:at] {
			c.send(chunk(r.ID, i, body))
		}
		call(t, conv, c)
		c.closeWith(0)
		c = s.next(t)
		c.greet()
		if kind := c.next().Type; kind != map[bool]string{true: "cf_agent_use_chat_request", false: "cf_agent_stream_resume_ack"}[at == 0] {
			t.Errorf("behind %d chunks: got a frame %s", at, kind)
		}
		c.send(done(r.ID, "completed"))
		text, err := a.Text(t.Context())
		want(t, text, err, "Let me look. \n\nTea is hot.")
	}
}

// TestEndWhileAwayInChunks reads the chunks of such an answer: texts come in other pieces.
func TestEndWhileAwayInChunks(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, r := say(t, conv, c)
	s.mu.Lock()
	s.messages = stored(questionOf(t, r))
	s.mu.Unlock()
	for i, body := range answer[:4] {
		c.send(chunk(r.ID, i, body))
	}
	call(t, conv, c)
	c.closeWith(0)
	c = s.next(t)
	c.greet()
	c.expect("cf_agent_stream_resume_ack")
	c.send(done(r.ID, "completed"))
	got, err := read(t, a)
	want(t, got, err, `text 0 "Let me "
text 0 "look. "
tool-call c1 research {"query":"tea"}
tool-output c1 research {"ok":true}
file image/png data:image/png;base64,AAAA
text 1 "Tea is hot."
`)
}

// TestSlowReader sends more than the buffer takes before anything is read.
func TestSlowReader(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{Buffer: 2})
	a, r := say(t, conv, c)
	for i, body := range answer[:12] {
		c.send(chunk(r.ID, i, body))
	}
	call(t, conv, c)
	read := make(chan string, 1)
	go func() {
		text, err := a.Text(context.Background())
		if err != nil {
			text = err.Error()
		}
		read <- text
	}()
	c.expect("cf_agent_stream_resume_ack") // the reader has come to the end of the buffer
	s.mu.Lock()
	s.messages = stored(questionOf(t, r)) // if the replay fills the buffer before it is read, the rest is read from here
	s.mu.Unlock()
	c.send(chunk(r.ID, 12, answer[12])) // sent before the server has got the acknowledgement
	for i, body := range answer {       // whole: a reader that is fast now reads nothing else
		c.send(replayed(r.ID, i, body))
	}
	c.send(complete(r.ID), done(r.ID, "completed"))
	want(t, <-read, nil, "Let me look. \n\nTea is hot.")
}

// TestSlowReaderOfLargeChunks sends outputs, data and events that are more bytes than the buffer takes.
func TestSlowReaderOfLargeChunks(t *testing.T) {
	large := strings.Repeat("x", 1000)
	for what, body := range map[string]string{
		"an input":  `{"type":"tool-input-available","toolCallId":"c1","toolName":"research","input":"` + large + `"}`,
		"an output": `{"type":"tool-output-available","toolCallId":"c1","output":"` + large + `"}`,
		"data":      `{"type":"data-chart","data":"` + large + `"}`,
		"an event":  "",
	} {
		s := newServer(t)
		conv, c := s.dial(t, client.Options{BufferBytes: 1000})
		a, r := say(t, conv, c)
		frames := []string{chunk(r.ID, 0, `{"type":"tool-input-start","toolCallId":"c1","toolName":"research"}`), chunk(r.ID, 1, body)}
		if body == "" {
			c.send(chunk(r.ID, 0, `{"type":"tool-input-available","toolCallId":"c1"}`))
			frames = []string{event("c1", "r1", 0, `"kind":"started","inputPreview":"`+large+`"`)}
		}
		c.send(frames...)
		c.send(chunk(r.ID, 2, answer[3])) // is left out
		call(t, conv, c)
		read := make(chan string, 1)
		go func() {
			text, err := a.Text(context.Background())
			if err != nil {
				text = err.Error()
			}
			read <- text
		}()
		if ack := c.next(); ack.Type != "cf_agent_stream_resume_ack" {
			t.Fatalf("%s: got %s", what, ack.text)
		}
		c.send(replayed(r.ID, 0, answer[1]), replayed(r.ID, 1, answer[1]), replayed(r.ID, 2, answer[3]), complete(r.ID), done(r.ID, "completed"))
		want(t, <-read, nil, "Let me ")
	}
}

// TestEventsBeforeTheirCall sends more bytes of events than are kept for a call that was not seen yet.
func TestEventsBeforeTheirCall(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{BufferBytes: 1 << 30})
	a, r := say(t, conv, c)
	title := strings.Repeat("x", 1<<20)
	for i := range 12 {
		c.send(event("c1", fmt.Sprint("r", i), 0, `"kind":"started","display":{"name":"`+title+`"}`))
	}
	c.send(chunk(r.ID, 0, answer[7]), done(r.ID, "completed"))
	var runs []string
	for chunk, err := range a.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if chunk.Kind == client.Helper {
			runs = append(runs, chunk.Event.RunID)
		}
	}
	if got := strings.Join(runs, " "); got != "r5 r6 r7 r8 r9 r10 r11" {
		t.Errorf("kept %s", got)
	}
}

// TestOutcomes checks with which errors an answer ends.
func TestOutcomes(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	for _, test := range []struct {
		end  string
		want error
	}{
		{`"done":true,"body":"","outcome":"completed"`, nil},
		{`"done":true,"body":""`, nil},
		{`"done":true,"body":"","outcome":"aborted"`, client.ErrStopped},
		{`"done":true,"body":"","outcome":"skipped"`, client.ErrSkipped},
		{`"done":true,"body":"no model","error":true`, &client.TurnError{Message: "no model"}},
		{`"done":false,"body":"no model","error":true`, &client.TurnError{Message: "no model"}},
	} {
		a, r := say(t, conv, c)
		c.send(chunk(r.ID, 0, `{"type":"text-delta","delta":"half"}`), `{"type":"cf_agent_use_chat_response","id":"`+r.ID+`",`+test.end+`}`)
		text, err := a.Text(t.Context())
		var failed *client.TurnError
		same := errors.Is(err, test.want) || errors.As(err, &failed) && test.want != nil && failed.Error() == test.want.Error()
		if text != "half" || !same {
			t.Errorf("%s: got %q and %v, want %v", test.end, text, err, test.want)
		}
	}
}

// TestStop stops two answers, of which one is somebody else's.
func TestStop(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	a, r := say(t, conv, c)
	c.send(chunk("other", 0, answer[0]))
	call(t, conv, c)
	if err := conv.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for range 2 {
		ids[c.expect("cf_agent_chat_request_cancel").ID] = true
	}
	if !ids[r.ID] || !ids["other"] {
		t.Errorf("stopped %v", ids)
	}
	c.closeWith(0)
	c = s.next(t)
	c.greet()
	c.expect("cf_agent_use_chat_request")
	c.expect("cf_agent_chat_request_cancel") // it may not have arrived
	c.send(done(r.ID, "aborted"))
	if _, err := read(t, a); !errors.Is(err, client.ErrStopped) {
		t.Errorf("got %v", err)
	}
}

// TestContextOfAnswer ends an answer with the context that it was asked with.
func TestContextOfAnswer(t *testing.T) {
	s := newServer(t)
	conv, c := s.dial(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	a, err := conv.Say(ctx, "hi")
	if err != nil {
		t.Fatal(err)
	}
	r := c.expect("cf_agent_use_chat_request")
	cancel()
	if _, err := read(t, a); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := conv.Stop(t.Context()); err != nil {
		t.Error(err)
	}
	if stopped := c.expect("cf_agent_chat_request_cancel"); stopped.ID != r.ID {
		t.Errorf("stopped %s, want %s", stopped.ID, r.ID)
	}
	if _, err := conv.Say(t.Context(), string(make([]byte, 2_000_000))); !errors.Is(err, client.ErrTooLarge) {
		t.Errorf("a message that is too large: got %v", err)
	}
}
