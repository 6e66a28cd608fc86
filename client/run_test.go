package client_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tributary-agents/tributary/client"
)

// runFrames are the frames of a run, with those of another one between them.
var runFrames = []string{
	event("c1", "r2", 0, `"kind":"started","agentType":"Planner"`),
	event("c1", "r1", 0, `"kind":"started","agentType":"Researcher"`),
	event("c1", "r1", 1, `"kind":"chunk","body":"{\"type\":\"text-start\",\"id\":\"t\"}"`),
	event("c1", "r1", 2, `"kind":"chunk","body":"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"one\"}"`),
	event("c1", "r1", 3, `"kind":"chunk","body":"{\"type\":\"data-agent-progress\",\"id\":\"p1\",\"data\":{\"fraction\":0.5}}"`),
	event("c1", "r1", 3, `"kind":"chunk","body":"{\"type\":\"data-agent-milestone\",\"data\":{\"name\":\"m\",\"sequence\":0}}"`),
	event("c1", "r1", 3, `"kind":"chunk","body":"{\"type\":\"text-delta\",\"id\":\"t\",\"delta\":\"two\"}"`),
	event("c1", "r2", 1, `"kind":"error","error":"lost"`),
	event("c1", "r1", 4, `"kind":"finished","summary":"one two"`),
}

const runEvents = `r1 started Researcher  
r1 text 0 "one"
r1 progress 0.5 
r1 milestone 0 m
r1 text 0 "two"
r1 finished one two
`

// TestRun follows a run whose connection breaks behind each of its events.
func TestRun(t *testing.T) {
	for at := range runFrames {
		s := newServer(t)
		conv, _ := s.dial(t, client.Options{})
		type result struct {
			text string
			err  error
		}
		followed := make(chan result, 1)
		go func() {
			var r result
			var b strings.Builder
			for e, err := range conv.Run(t.Context(), "r1") {
				if r.err = err; err == nil {
					b.WriteString(showEvent(e))
				}
			}
			r.text = b.String()
			followed <- r
		}()
		c := s.next(t)
		c.greet()
		c.send(runFrames[:at]...)
		c.closeWith(1012)
		c = s.next(t)
		c.greet()
		c.send(runFrames...)
		r := <-followed
		want(t, r.text, r.err, runEvents)
	}
}

// TestSlowLoopOverARun holds the loop at its first event. The connection answers pings meanwhile. When
// as many events wait as the buffer takes, it is closed, and made again when the loop has read them.
func TestSlowLoopOverARun(t *testing.T) {
	for what, opts := range map[string]client.Options{"events": {Buffer: 2}, "bytes": {BufferBytes: 250}} {
		s := newServer(t)
		conv, _ := s.dial(t, opts)
		begun, goOn, followed := make(chan bool), make(chan bool), make(chan string, 1)
		go func() {
			var b strings.Builder
			for e, err := range conv.Run(t.Context(), "r1") {
				if err != nil {
					b.WriteString(err.Error())
					break
				}
				if b.Len() == 0 {
					begun <- true
					<-goOn
				}
				b.WriteString(showEvent(e))
			}
			followed <- b.String()
		}()
		c := s.next(t)
		c.greet()
		c.send(runFrames[1])
		<-begun
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		if err := c.socket.Ping(ctx); err != nil {
			t.Errorf("%s: ping: %v", what, err)
		}
		cancel()
		c.send(runFrames[3], runFrames[6])
		select {
		case _, open := <-c.frames:
			if open {
				t.Errorf("%s: got a frame", what)
			}
		case <-time.After(patience):
			t.Fatalf("%s: the connection is open", what)
		}
		close(goOn)
		for done := false; !done; { // the loop may fall behind again
			select {
			case c := <-s.conns:
				c.greet()
				for _, frame := range runFrames {
					_ = c.socket.Write(t.Context(), websocket.MessageText, []byte(frame))
				}
			case got := <-followed:
				want(t, got, nil, strings.Replace(runEvents, "r1 progress 0.5 \nr1 milestone 0 m\nr1 text 0 \"two\"", "r1 text 0 \"two\"\nr1 progress 0.5 \nr1 milestone 0 m", 1))
				done = true
			}
		}
	}
}

// TestRunEnds checks the events that end a run.
func TestRunEnds(t *testing.T) {
	s := newServer(t)
	conv, _ := s.dial(t, client.Options{})
	for frame, want := range map[string]string{
		`"kind":"error","error":"no model"`:                                             "r1 error no model\n",
		`"kind":"aborted","reason":"stopped"`:                                           "r1 aborted stopped\n",
		`"kind":"interrupted","error":"the parent has gone","reason":"not-tailable"`:    "r1 interrupted the parent has gone\n",
		`"kind":"finished","summary":""`:                                                "r1 finished \n",
		`"kind":"unknown"},"x":{"a":1}}` + "\n" + `"kind":"finished","summary":"after"`: "r1 finished after\n",
	} {
		ended := make(chan string, 1)
		go func() {
			for e, err := range conv.Run(t.Context(), "r1") {
				if err != nil {
					ended <- err.Error()
					return
				}
				if e.End() {
					ended <- showEvent(e)
				}
			}
		}()
		c := s.next(t)
		c.greet()
		for body := range strings.SplitSeq(frame, `},"x":{"a":1}}`+"\n") {
			c.send(event("", "r1", 1, body))
		}
		if got := <-ended; got != want {
			t.Errorf("%s: got %s, want %s", frame, got, want)
		}
	}
}

// TestRunStops leaves a run before its end, and ends one with its context.
func TestRunStops(t *testing.T) {
	s := newServer(t)
	conv, _ := s.dial(t, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() {
		for range conv.Run(ctx, "r1") {
			break
		}
		ended <- nil
		for _, err := range conv.Run(ctx, "r1") {
			ended <- err
		}
	}()
	c := s.next(t)
	c.greet()
	c.send(event("", "r1", 0, `"kind":"started"`))
	<-ended
	s.next(t).greet()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
