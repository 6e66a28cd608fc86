package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// frame is what the tests read of a frame of the program.
type frame struct {
	Type, ID, ProbeID, ToolCallID string
	Approved                      bool
}

// serve starts a server that greets a connection and answers each of its frames with those that reply
// returns. Its stored messages are those that stored returns.
func serve(t *testing.T, reply func(frame) []string, stored func() string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/get-messages") {
			fmt.Fprint(w, stored())
			return
		}
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Errorf("accept: %v", err)
			return
		}
		out := []string{`{"type":"cf_agent_identity"}`}
		for {
			for _, text := range out {
				_ = socket.Write(context.Background(), websocket.MessageText, []byte(text)) // Read has the error
			}
			_, text, err := socket.Read(context.Background())
			if err != nil {
				return
			}
			var f frame
			if err := json.Unmarshal(text, &f); err != nil {
				t.Errorf("got the frame %s", text)
			}
			out = reply(f)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// answer returns the frames of an answer, without its end.
func answer(id string, bodies ...string) (frames []string) {
	for i, body := range bodies {
		frames = append(frames, fmt.Sprintf(`{"type":"cf_agent_use_chat_response","id":%q,"body":%q,"done":false,"seq":%d}`, id, body, i))
	}
	return frames
}

func end(id string) string {
	return fmt.Sprintf(`{"type":"cf_agent_use_chat_response","id":%q,"body":"","done":true}`, id)
}

// person types lines, and interrupts an answer when its text begins with "Stop".
type person struct {
	t         *testing.T
	lines     []string
	read      bytes.Buffer
	interrupt context.CancelFunc // nil when an interrupt would end the program
}

// Read types a line, at a prompt.
func (p *person) Read(buffer []byte) (int, error) {
	if p.interrupt != nil {
		p.t.Errorf("an interrupt does not end the program before the line %q", p.lines)
	}
	if len(p.lines) == 0 {
		return 0, io.EOF
	}
	line := p.lines[0]
	p.lines = p.lines[1:]
	return copy(buffer, line+"\n"), nil
}

// Write reads what the program prints.
func (p *person) Write(text []byte) (int, error) {
	if bytes.HasPrefix(text, []byte("Stop")) {
		p.interrupt()
	}
	return p.read.Write(text)
}

func (p *person) interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, p.interrupt = context.WithCancel(ctx)
	return ctx, func() {
		p.interrupt()
		p.interrupt = nil
	}
}

// ask runs the program for a person, and returns what it has printed.
func (p *person) ask(url string) string {
	p.t.Helper()
	program := terminal{in: bufio.NewReader(p), out: p, notes: io.Discard, interruptible: p.interruptible}
	if err := program.run(p.t.Context(), []string{"-url", url}); err != nil {
		p.t.Error(err)
	}
	return p.read.String()
}

// TestInterrupt interrupts the first of two answers. The server is told, and the next question is
// answered.
func TestInterrupt(t *testing.T) {
	var ids, stopped []string
	url := serve(t, func(f frame) []string {
		switch f.Type {
		case "cf_agent_chat_request_cancel":
			stopped = append(stopped, f.ID)
		case "cf_agent_use_chat_request":
			if ids = append(ids, f.ID); len(ids) == 1 {
				return answer(f.ID, `{"type":"text-delta","delta":"Stop me."}`)
			}
			return append(answer(f.ID, `{"type":"text-delta","delta":"Fine."}`), end(f.ID))
		}
		return nil
	}, func() string { return "[]" })
	p := &person{t: t, lines: []string{"one", "two"}}
	if got := p.ask(url); got != "Stop me.Fine.\n" {
		t.Errorf("printed %q", got)
	}
	if len(ids) != 2 || !slices.Equal(stopped, ids[:1]) {
		t.Errorf("asked %v, stopped %v", ids, stopped)
	}
}

// TestStoredAnswer approves calls of which the agent has done the rest before the program can attach
// to it. The stored message is printed, and its calls are asked about.
func TestStoredAnswer(t *testing.T) {
	var decided []string
	url := serve(t, func(f frame) []string {
		switch f.Type {
		case "cf_agent_use_chat_request":
			return append(answer(f.ID,
				`{"type":"tool-input-available","toolCallId":"c1","toolName":"remove","input":{}}`,
				`{"type":"tool-approval-request","toolCallId":"c1"}`), end(f.ID))
		case "cf_agent_tool_approval":
			decided = append(decided, fmt.Sprint(f.ToolCallID, " ", f.Approved))
		case "cf_agent_stream_resume_request":
			return []string{fmt.Sprintf(`{"type":"cf_agent_stream_resume_none","probeId":%q}`, f.ProbeID)}
		}
		return nil
	}, func() string {
		if len(decided) == 1 {
			return `[{"id":"a","role":"assistant","parts":[{"type":"text","text":"One is removed."},
				{"type":"tool-remove","toolCallId":"c2","state":"approval-requested"}]}]`
		}
		return `[{"id":"a","role":"assistant","parts":[{"type":"text","text":"One is removed, and one is kept."}]}]`
	})
	p := &person{t: t, lines: []string{"Remove them", "y", "n"}}
	if got := p.ask(url); got != "\nOne is removed.\nOne is removed, and one is kept.\n" {
		t.Errorf("printed %q", got)
	}
	if !slices.Equal(decided, []string{"c1 true", "c2 false"}) {
		t.Errorf("decided %v", decided)
	}
}
