package client

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// call is a call of a method that has arrived.
type call struct {
	ID, Method string
	Args       []any
	conn       durable.ConnID
	answered   bool
	// streamed is the text of the chunks that its caller was sent.
	streamed string
}

// reply is the answer to a call, or a part of it.
type reply struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Success bool            `json:"success"`
	Done    bool            `json:"done"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
}

// submission is the result of the method runTurn.
type submission struct {
	ID     string `json:"submissionId"`
	Key    string `json:"key"`
	Status string `json:"status"`
	Text   string `json:"text"`
	Answer string `json:"answer"`
}

// CallsAreAnsweredOnce checks that each call of a method has one answer, if its caller stays
// connected. A call that does not wait is answered in the same event.
func (r *Rules) CallsAreAnsweredOnce(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	arrived := r.keepCall(e)
	for _, c := range e.Commands {
		send, ok := c.(durable.Send)
		if !ok || !strings.HasPrefix(send.Text, `{"type":"rpc"`) {
			continue
		}
		var answer reply
		if err := json.Unmarshal([]byte(send.Text), &answer); err != nil {
			r.Fail("call", "an answer is no JSON: %v", err)
			return
		}
		for _, conn := range send.To {
			r.replied(e, conn, answer)
		}
	}
	if arrived != nil && !arrived.answered && !arrived.waits() {
		r.Fail("call", "%s of %s is not answered", arrived.Method, arrived.conn)
	}
}

// keepCall notes a call that arrives.
func (r *Rules) keepCall(e check.Event) *call {
	m, ok := e.Event.(durable.SocketMessage)
	if !ok || !strings.HasPrefix(m.Text, `{"type":"rpc"`) || !slices.Contains(e.Conns, m.Conn) {
		return nil
	}
	c := &call{conn: m.Conn}
	if err := json.Unmarshal([]byte(m.Text), c); err != nil {
		panic("client: " + err.Error())
	}
	r.calls[string(m.Conn)+" "+c.ID] = c
	return c
}

// waits says whether a call may be answered in a later event.
func (c *call) waits() bool {
	arg, ok := c.Args[0].(map[string]any)
	return ok && c.Method == "runTurn" && arg["mode"] != "submit"
}

func (r *Rules) replied(e check.Event, conn durable.ConnID, answer reply) {
	c := r.calls[string(conn)+" "+answer.ID]
	switch {
	case c == nil:
		r.Fail("call", "%s is sent the answer to a call that it has not made: %s", conn, answer.ID)
	case c.answered:
		r.Fail("call", "%s of %s is answered twice", c.Method, conn)
	case answer.Success && !answer.Done:
		var chunk struct{ Type, Delta string }
		if json.Unmarshal(answer.Result, &chunk) == nil && chunk.Type == "text-delta" {
			c.streamed += chunk.Delta
		}
	default:
		c.answered = true
		r.answered(e, c, answer)
	}
}

// answered checks the answer to a call.
func (r *Rules) answered(e check.Event, c *call, answer reply) {
	if c.Method == "cancelSubmission" && answer.Success {
		r.isCancelled(e, c.Args[0])
	}
	if c.Method != "runTurn" || !answer.Success {
		return
	}
	var got submission
	if err := json.Unmarshal(answer.Result, &got); err != nil {
		r.Fail("call", "the result of runTurn is no submission: %s", answer.Result)
		return
	}
	r.keyKeepsItsMeaning(e, got)
	if !c.waits() {
		return
	}
	if !stored.Final(got.Status) {
		r.Fail("call", "the caller that waits for %s is told that it is %s", got.ID, got.Status)
	}
	// A submission that has ended before, or that is cancelled, may be answered without its chunks.
	_, now := e.Event.(durable.SocketMessage)
	mode := c.Args[0].(map[string]any)["mode"]
	if mode == "stream" && got.Status == "completed" && !now && withoutBreaks(c.streamed) != withoutBreaks(got.Answer) {
		r.Fail("call", "the caller that streams %s was sent %q, and the answer is %q", got.ID, c.streamed, got.Answer)
	}
}

// isCancelled checks that a submission has ended when its caller is told that it is cancelled.
func (r *Rules) isCancelled(e check.Event, id any) {
	for _, t := range e.Turns {
		if t.Submission == id && !stored.Final(t.Status) {
			r.Fail("submission", "%s is cancelled, and is %s", id, t.Status)
		}
	}
}

// withoutBreaks returns a text without the line breaks between the parts of an answer.
func withoutBreaks(s string) string { return strings.ReplaceAll(s, "\n", "") }

// keyAge is for how long a key is kept after its submission has ended, in milliseconds.
const keyAge = 7 * 24 * 60 * 60_000

// keyed is the submission of a key, and when a caller was last told of it.
type keyed struct {
	submission string
	toldAt     int64
}

// keyKeepsItsMeaning checks that a key means one submission for as long as it is kept.
func (r *Rules) keyKeepsItsMeaning(e check.Event, got submission) {
	if got.Key == "" {
		return
	}
	before, now := r.keys[got.Key], r.World.Now()
	isStored := slices.ContainsFunc(e.Turns, func(t stored.Turn) bool { return t.Submission == before.submission })
	if before.submission != "" && before.submission != got.ID && (isStored || now-before.toldAt <= keyAge) {
		r.Fail("submission", "the key %s is that of %s, and was that of %s", got.Key, got.ID, before.submission)
	}
	r.keys[got.Key] = keyed{got.ID, now}
}

// CallersAreAnswered checks I6 for calls in a world at rest: no call of a connected caller is open,
// and none is stored.
func (r *Rules) CallersAreAnswered() {
	if root := r.World.Object(""); r.Made(root) {
		for _, row := range r.Rows(root, `SELECT conn, call FROM caller`) {
			r.Fail("I6", "the call %s of %s is still stored", row.Text(1), row.Text(0))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(r.calls)) {
		if c := r.calls[key]; !c.answered && slices.Contains(r.World.Connected(), c.conn) {
			r.Fail("I6", "%s of %s has no answer", c.Method, c.conn)
		}
	}
}
