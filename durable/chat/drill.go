package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/drill"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is drill-in at the helper. Its parent holds the sockets. The conversation treats them
// as ordinary connections, and what it sends to them leaves through their streams.

func (c helperCall) openSocket(r facet.SocketRequest) error {
	o, conn := c.object, durable.ConnID(r.Conn)
	if task.IsStale(c.tx, r.Generation) {
		return facet.ErrStale
	}
	o.drill.TakeSocket(c.tx, conn, c.stream)
	o.name = r.Name // a run is addressed by its id, not by its slot
	o.connect(c.tx, durable.SocketOpened{Conn: conn, URL: drill.HelperPath(r.Path)}, r.Again)
	return nil
}

func (c helperCall) frame(r facet.FrameRequest) (facet.WakeResult, error) {
	e := durable.SocketMessage{Conn: durable.ConnID(r.Conn), Text: r.Text, Claims: r.Claims}
	if c.object.admits(c.tx, e) && !c.object.relay(c.tx, e) {
		c.object.receive(c.tx, e)
		c.object.drill.Acknowledge(c.tx, e.Conn)
	}
	c.object.drainAgenda(c.tx)
	if c.object.tails.HasReader() { // the end of the followed run reports it, or has done so
		return facet.WakeResult{At: facet.WakeUnstated}, nil
	}
	return facet.WakeResult{At: c.object.tails.AnnounceWake(c.tx)}, nil
}

// relay sends a frame to the helper that its socket is connected to, if it is connected to one.
func (o *Object) relay(tx *durable.Tx, e durable.SocketMessage) bool {
	return o.drill.Relay(tx, e, func() string { return o.granted(e.Claims, agent.TurnInfo{Conn: e.Conn}) })
}

func (c helperCall) messages(v facet.MessagesRequest) (facet.TranscriptResult, error) {
	if task.IsStale(c.tx, v.Generation) {
		return facet.TranscriptResult{}, facet.ErrStale
	}
	return facet.TranscriptResult{Body: protocol.MessageList(message.Transcript(c.tx)), Idle: c.object.idle(c.tx)}, nil
}

// The rest of this file is about how a person's answer reaches the helper that asked. The answer is stored as a
// row first, and is sent until the helper has acknowledged it, like a cancellation. The page does
// not send it again, because it disables its buttons once they are pressed.

// storedAnswer returns the answer to a call that this helper has received from its parent, if any.
func storedAnswer(tx *durable.Tx, call string) (approved, ok bool) {
	for _, row := range tx.SQL(`SELECT approved FROM heard WHERE call = ?`, call) {
		return row.Bool(0), true
	}
	return false, false
}

// answer takes a person's answer to a call of a run. A duplicate changes nothing. An answer to a
// question that is not open is refused.
func (c helperCall) answer(r facet.AnswerRequest) (facet.AcceptResult, error) {
	if q, ok := question.Find(c.tx, r.Call); ok {
		return c.answerQuestion(q, r), nil
	}
	if approved, ok := storedAnswer(c.tx, r.Call); ok {
		return facet.AcceptResult{Gone: approved != r.Approved}, nil
	}
	out := c.object.decide(c.tx, author.Verdict{Call: r.Call, Approved: r.Approved, Reason: r.Reason, Claims: r.Claims, Continues: true})
	switch {
	case len(out.Missing) > 0:
		_, err := author.Bind.Answered(out)
		return facet.AcceptResult{Refused: err.Error()}, nil
	case out.Refused != nil:
		return facet.AcceptResult{Refused: out.Refused.Error()}, nil
	case out.Over, out.Unknown:
		return facet.AcceptResult{Gone: true}, nil
	}
	c.tx.SQL(`DELETE FROM heard WHERE call NOT IN (SELECT call FROM answered)`) // these are as old as what is not remembered any more
	c.tx.SQL(`INSERT INTO heard (call, approved) VALUES (?, ?)`, r.Call, r.Approved)
	return facet.AcceptResult{}, nil
}

// callReturned passes the answer to a call between objects, or its failure, to its handler.
func (o *Object) callReturned(tx *durable.Tx, call string, data []byte, failure string) {
	kind, id, _ := strings.Cut(call, "/")
	switch kind + "/" {
	case facet.CallFrame:
		o.drill.FrameReturned(tx, durable.ConnID(id), data, failure)
		return
	case facet.CallMessages:
		r, _ := run.Find(tx, o.listings[id].run)
		o.audience.ResumeRequest(id, o.listings[id].by)
		delete(o.listings, id)
		if list, err := facet.ListMessages.Result(data); err == nil && failure == "" {
			respondList(tx, id, list.Body)
			o.runs.NoteIdle(tx, r, list.Idle)
			return
		}
		respondText(tx, id, 503, "the helper did not answer")
		return
	}
	o.runs.CallReturned(tx, kind+"/", id, data, failure)
}
