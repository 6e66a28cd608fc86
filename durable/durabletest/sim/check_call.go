package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file is about calls of methods: each has one answer, if its caller stays connected.

// pendingCall is a call that has arrived.
type pendingCall struct {
	rpc
	conn     durable.ConnID
	answered bool
	// said is the text of the chunks that were streamed to it.
	said string
}

// reply is what a call is answered.
type reply struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Success bool            `json:"success"`
	Done    bool            `json:"done"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
}

// submitted is what a caller is told of a submission.
type submitted struct {
	ID     string `json:"submissionId"`
	Key    string `json:"key"`
	Status string `json:"status"`
	Text   string `json:"text"`
	Answer string `json:"answer"`
}

// callsAreAnsweredOnce follows calls: one that does not wait is answered at once.
func callsAreAnsweredOnce(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	call := s.called(h.Event)
	for _, c := range h.Commands {
		send, ok := c.(durable.Send)
		if !ok || !strings.HasPrefix(send.Text, `{"type":"rpc"`) {
			continue
		}
		var r reply
		if err := json.Unmarshal([]byte(send.Text), &r); err != nil {
			s.fail("call", "an answer is no JSON: %v", err)
			return
		}
		for _, conn := range send.To {
			s.replied(h, conn, r)
		}
	}
	if call != nil && !call.answered && !call.waits() {
		s.fail("call", "%s of %s is not answered", call.Method, call.conn)
	}
}

// called notes a call that arrives.
func (s *Sim) called(e durable.Event) *pendingCall {
	m, ok := e.(durable.SocketMessage)
	if !ok || !strings.HasPrefix(m.Text, `{"type":"rpc"`) || !slices.Contains(s.checks.conns, m.Conn) {
		return nil
	}
	c := &pendingCall{conn: m.Conn}
	if err := json.Unmarshal([]byte(m.Text), &c.rpc); err != nil {
		panic("sim: " + err.Error())
	}
	s.checks.called[string(m.Conn)+" "+c.ID] = c
	return c
}

// waits says whether a call may be answered later.
func (c *pendingCall) waits() bool {
	o, ok := c.Args[0].(map[string]any)
	return ok && c.Method == "runTurn" && o["mode"] != "submit"
}

func (s *Sim) replied(h durabletest.HandledEvent, conn durable.ConnID, r reply) {
	c := s.checks.called[string(conn)+" "+r.ID]
	switch {
	case c == nil:
		s.fail("call", "%s is answered what it has not asked: %s", conn, r.ID)
	case c.answered:
		s.fail("call", "%s of %s is answered twice", c.Method, conn)
	case r.Success && !r.Done:
		var chunk struct{ Type, Delta string }
		if json.Unmarshal(r.Result, &chunk) == nil && chunk.Type == "text-delta" {
			c.said += chunk.Delta
		}
	default:
		c.answered = true
		s.answered(h, c, r)
	}
}

// answered looks at the end of a call.
func (s *Sim) answered(h durabletest.HandledEvent, c *pendingCall, r reply) {
	if c.Method == "cancelSubmission" && r.Success {
		s.isCancelled(c.Args[0])
	}
	if c.Method != "runTurn" || !r.Success {
		return
	}
	var got submitted
	if err := json.Unmarshal(r.Result, &got); err != nil {
		s.fail("call", "a submission is told as %s", r.Result)
		return
	}
	s.sameKey(got)
	if !c.waits() {
		return
	}
	if !final(got.Status) {
		s.fail("call", "who waits for %s is told that it is %s", got.ID, got.Status)
	}
	_, now := h.Event.(durable.SocketMessage) // what was final already, or was cancelled, may have been told without its chunks
	mode := c.Args[0].(map[string]any)["mode"]
	if mode == "stream" && got.Status == "completed" && !now && plainText(c.said) != plainText(got.Answer) {
		s.fail("call", "who streams %s has heard %q, and the answer is %q", got.ID, c.said, got.Answer)
	}
}

// isCancelled is that a submission is over when whoever has cancelled it is told so.
func (s *Sim) isCancelled(id any) {
	for _, t := range s.checks.turns {
		if t.submission == id && !final(t.status) {
			s.fail("submission", "%s is cancelled, and is %s", id, t.status)
		}
	}
}

// plainText leaves out what stands between the parts of an answer.
func plainText(s string) string { return strings.ReplaceAll(s, "\n", "") }

// sameKey is that a key means one submission for ever.
func (s *Sim) sameKey(got submitted) {
	if got.Key == "" {
		return
	}
	if was := s.checks.keys[got.Key]; was != "" && was != got.ID {
		s.fail("submission", "the key %s is that of %s, and was that of %s", got.Key, got.ID, was)
	}
	s.checks.keys[got.Key] = got.ID
}

// callersAreAnswered is I6 for callers, when a world rests: nobody who is there is owed
// anything, and nobody is kept as if he were.
func callersAreAnswered(s *Sim) {
	if root := s.world.Object(""); s.made(root) {
		for _, row := range s.rows(root, `SELECT conn, call FROM caller`) {
			s.fail("I6", "the call %s of %s is kept", row.Text(1), row.Text(0))
		}
	}
	for _, key := range sortedKeys(s.checks.called) {
		if c := s.checks.called[key]; !c.answered && slices.Contains(s.world.Connected(), c.conn) {
			s.fail("I6", "%s of %s has no answer", c.Method, c.conn)
		}
	}
}
