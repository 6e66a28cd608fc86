package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tributary-agents/tributary/client"
)

// server speaks the server's side of the wire. The test plays each connection itself, frame by
// frame, so that nothing depends on time.
type server struct {
	*httptest.Server
	conns chan *conn

	mu sync.Mutex
	// messages is the answer of get-messages, and refuse the HTTP status of an upgrade, or 0.
	messages string
	refuse   int
	requests []*http.Request
}

// conn is a connection, as the server sees it.
type conn struct {
	t      *testing.T
	socket *websocket.Conn
	frames chan []byte // closed with the connection
}

// read reads the client's frames until the connection is closed.
func (c *conn) read() {
	defer close(c.frames)
	for {
		_, text, err := c.socket.Read(context.Background())
		if err != nil {
			return
		}
		c.frames <- text
	}
}

// next waits for the next frame.
func (c *conn) next() request {
	c.t.Helper()
	select {
	case text, ok := <-c.frames:
		r := request{text: string(text)}
		if err := json.Unmarshal(text, &r); !ok || err != nil {
			c.t.Fatalf("got the frame %q, %v", text, err)
		}
		return r
	case <-time.After(patience):
		c.t.Fatal("no frame")
		return request{}
	}
}

// patience bounds every wait of a test that fails. Nothing is measured with it.
const patience = time.Minute

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{conns: make(chan *conn, 16), messages: "[]"}
	ended := make(chan struct{})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		messages, refuse := s.messages, s.refuse
		s.mu.Unlock()
		switch {
		case !isConversation(r.URL.EscapedPath()):
			http.NotFound(w, r)
			return
		case strings.HasSuffix(r.URL.Path, "/get-messages"):
			fmt.Fprint(w, messages)
			return
		case refuse != 0:
			http.Error(w, "Invalid request", refuse)
			return
		}
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Errorf("accept: %v", err)
			return
		}
		socket.SetReadLimit(1 << 20)
		c := &conn{t, socket, make(chan []byte, 64)}
		s.conns <- c
		c.read()
		<-ended
	}))
	t.Cleanup(func() { // the clients are closed by now
		close(ended)
		s.Close()
	})
	return s
}

// isConversation says whether a path is /agents/{agent}/{name} or below it.
func isConversation(path string) bool {
	parts := strings.Split(path, "/")
	return len(parts) >= 4 && parts[0] == "" && parts[1] == "agents" && parts[2] != "" && parts[3] != ""
}

// dial opens a conversation on the server, and returns it with the server's side of its connection.
func (s *server) dial(t *testing.T, opts client.Options) (*client.Conversation, *conn) {
	t.Helper()
	conv, c, err := s.tryDial(t, opts, func(c *conn) { c.greet() })
	if err != nil {
		t.Fatal(err)
	}
	return conv, c
}

func (s *server) tryDial(t *testing.T, opts client.Options, greet func(*conn)) (*client.Conversation, *conn, error) {
	t.Helper()
	if opts.Agent == "" {
		opts.Agent = "Assistant"
	}
	if opts.Backoff.Min == 0 {
		opts.Backoff.Min, opts.Backoff.Max = time.Millisecond, time.Millisecond
	}
	type result struct {
		conv *client.Conversation
		err  error
	}
	dialed := make(chan result, 1)
	go func() {
		conv, err := client.Dial(t.Context(), s.URL, opts)
		dialed <- result{conv, err}
	}()
	select {
	case c := <-s.conns:
		greet(c)
		r := <-dialed
		if r.conv != nil {
			t.Cleanup(func() { _ = r.conv.Close() })
		}
		return r.conv, c, r.err
	case r := <-dialed:
		return r.conv, nil, r.err
	}
}

// next waits for the next connection of a client.
func (s *server) next(t *testing.T) *conn {
	t.Helper()
	select {
	case c := <-s.conns:
		return c
	case <-time.After(patience):
		t.Fatal("no connection")
		return nil
	}
}

func (c *conn) greet() {
	c.send(`{"type":"cf_agent_chat_messages","messages":[],"connect":true}`,
		`{"type":"cf_agent_identity","name":"default","agent":"assistant"}`, `{"type":"cf_agent_mcp_servers","mcp":{}}`)
}

func (c *conn) send(frames ...string) {
	c.t.Helper()
	for _, frame := range frames {
		if err := c.socket.Write(c.t.Context(), websocket.MessageText, []byte(frame)); err != nil {
			c.t.Errorf("send %.80s: %v", frame, err)
		}
	}
}

// request is what the tests read of a client's frame.
type request struct {
	Type, ID, ProbeID, Method, ToolCallID string
	Approved                              bool
	Args                                  []any
	Init                                  struct{ Body string }
	text                                  string
}

// expect reads the next frame, of a type.
func (c *conn) expect(kind string) request {
	c.t.Helper()
	r := c.next()
	if r.Type != kind {
		c.t.Fatalf("got the frame %s, want %s", r.text, kind)
	}
	return r
}

// closeWith closes the connection with a code, or breaks it if the code is 0.
func (c *conn) closeWith(code int) {
	if code == 0 {
		_ = c.socket.CloseNow()
		return
	}
	_ = c.socket.Close(websocket.StatusCode(code), "the reason")
}

// chunk is a frame of a stream.
func chunk(id string, seq int, body string) string {
	return fmt.Sprintf(`{"type":"cf_agent_use_chat_response","id":%q,"body":%q,"done":false,"seq":%d}`, id, body, seq)
}

// replayed is the same frame in a replay.
func replayed(id string, seq int, body string) string {
	return strings.TrimSuffix(chunk(id, seq, body), "}") + `,"replay":true}`
}

func complete(id string) string {
	return fmt.Sprintf(`{"type":"cf_agent_use_chat_response","id":%q,"body":"","done":false,"replay":true,"replayComplete":true}`, id)
}

func done(id, outcome string) string {
	return fmt.Sprintf(`{"type":"cf_agent_use_chat_response","id":%q,"body":"","done":true,"outcome":%q}`, id, outcome)
}

func offer(kind, id, probe string) string {
	return fmt.Sprintf(`{"type":"cf_agent_stream_%s","id":%q,"probeId":%q}`, kind, id, probe)
}

// event is a frame about a run.
func event(call, run string, sequence int, rest string) string {
	return fmt.Sprintf(`{"type":"agent-tool-event","parentToolCallId":%q,"sequence":%d,"event":{"runId":%q,%s}}`, call, sequence, run, rest)
}

// answer are the bodies of an answer with a tool call between two texts.
var answer = []string{
	`{"type":"start","messageId":"a1"}`, `{"type":"start-step"}`,
	`{"type":"text-start","id":"t1"}`, `{"type":"text-delta","id":"t1","delta":"Let me "}`, `{"type":"text-delta","id":"t1","delta":"look. "}`, `{"type":"text-end","id":"t1"}`,
	`{"type":"tool-input-start","toolCallId":"c1","toolName":"research"}`, `{"type":"tool-input-available","toolCallId":"c1","toolName":"research","input":{"query":"tea"}}`,
	`{"type":"tool-output-available","toolCallId":"c1","output":{"ok":true}}`,
	`{"type":"file","url":"data:image/png;base64,AAAA","mediaType":"image/png"}`, `{"type":"finish-step"}`,
	`{"type":"text-start","id":"t2"}`, `{"type":"text-delta","id":"t2","delta":"Tea "}`, `{"type":"text-delta","id":"t2","delta":"is hot."}`, `{"type":"text-end","id":"t2"}`,
	`{"type":"finish","finishReason":"stop"}`,
}

// answerChunks is what a reader gets of it.
const answerChunks = `text 0 "Let me "
text 0 "look. "
tool-call c1 research {"query":"tea"}
tool-output c1 research {"ok":true}
file image/png data:image/png;base64,AAAA
text 1 "Tea "
text 1 "is hot."
`

// stored is the answer's stored message, behind a question.
func stored(question string) string {
	return fmt.Sprintf(`[{"id":%q,"role":"user","parts":[{"type":"text","text":"hi"}]},{"id":"a1","role":"assistant","parts":[
		{"type":"text","text":"Let me look. "},
		{"type":"tool-research","toolCallId":"c1","state":"output-available","input":{"query":"tea"},"output":{"ok":true}},
		{"type":"file","mediaType":"image/png","url":"data:image/png;base64,AAAA"},
		{"type":"text","text":"Tea is hot."}]}]`, question)
}

// show writes a chunk as one line.
func show(c client.Chunk) string {
	switch c.Kind {
	case client.Text:
		return fmt.Sprintf("text %d %q\n", c.Part, c.Text)
	case client.Reasoning:
		return fmt.Sprintf("reasoning %q\n", c.Text)
	case client.Helper:
		return "helper " + c.CallID + " " + showEvent(*c.Event)
	case client.File:
		return fmt.Sprintf("file %s %s\n", c.MediaType, c.URL)
	case client.Data:
		return fmt.Sprintf("data %s %s\n", c.Name, c.Data)
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %s %s%s%s", c.Kind, c.CallID, c.Tool, c.Input, c.Output, c.Err)) + "\n"
}

func showEvent(e client.RunEvent) string {
	switch e.Kind {
	case client.RunStarted:
		return fmt.Sprintf("%s started %s %s %s\n", e.RunID, e.Agent, e.Title, e.Input)
	case client.RunChunk:
		return e.RunID + " " + show(e.Chunk)
	case client.RunProgress:
		return fmt.Sprintf("%s progress %v %s\n", e.RunID, e.Progress.Fraction, e.Progress.Message)
	case client.RunMilestone:
		return fmt.Sprintf("%s milestone %d %s\n", e.RunID, e.Milestone.Sequence, e.Milestone.Name)
	}
	return fmt.Sprintf("%s %s %s%s\n", e.RunID, e.Kind, e.Summary, e.Reason)
}

// read reads an answer to its end.
func read(t *testing.T, a *client.Answer) (string, error) {
	t.Helper()
	var b strings.Builder
	for c, err := range a.Chunks() {
		if err != nil {
			return b.String(), err
		}
		b.WriteString(show(c))
	}
	return b.String(), nil
}

// say asks a question, and returns its answer with the request as the server gets it.
func say(t *testing.T, conv *client.Conversation, c *conn) (*client.Answer, request) {
	t.Helper()
	a, err := conv.Say(t.Context(), "hi")
	if err != nil {
		t.Fatal(err)
	}
	return a, c.expect("cf_agent_use_chat_request")
}
