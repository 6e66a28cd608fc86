package chat

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// viewers are those who are shown the turn under way.
type viewers struct {
	// clientListBytes is the size of the list that the client has sent with its question, in bytes, or
	// 0 if the turn does not begin with a client's request.
	clientListBytes int
	// replayed are the connections that were sent a replay.
	replayed []durable.ConnID
	// streamedCalls are the calls that stream the turn.
	streamedCalls []waitingCall
}

// viewersOf returns the viewers of a turn that begins, or is resumed.
func viewersOf(tx *durable.Tx, t turn.Turn) viewers {
	return viewers{streamedCalls: streamedCallsOf(tx, t)}
}

// turnFact handles what has happened to the turn under way: browsers are shown it, and the object's
// own parent is told.
func (o *Object) turnFact(tx *durable.Tx, f loop.Fact) {
	switch f := f.(type) {
	case loop.Said:
		o.tails.FlushAll(tx)
		o.showChunks(tx, f)
		o.streamToCalls(tx, f.Bodies)
	case loop.Interrupted:
		if !f.Over {
			setting.Set(tx, settingRecovered, f.Turn.Request)
		}
		o.audience.SendAll(tx, func() string { return protocol.Recovering(f.Turn.Request, !f.Over) })
	case loop.Amended:
		if author.Linked.EndCalls != nil && f.Chunk.Type == protocol.ChunkToolOutputError {
			author.Linked.EndCalls(host{o}, tx, f.Call.ID, f.Chunk.ErrorText)
		}
		o.amendPendingCall(tx, f.Call, f.Chunk, f.Files)
	case loop.Awaited:
		o.agenda.resume = true
	case loop.Changed:
		o.tails.FlushAll(tx)
	case loop.Ended:
		o.turnEnded(tx, f)
	}
}

// showChunks sends chunks of the turn under way to the connections that receive the stream.
func (o *Object) showChunks(tx *durable.Tx, f loop.Said) {
	if len(o.audience.Listening()) == 0 {
		return
	}
	frames, size := make([]string, len(f.Bodies)), 0
	for i, body := range f.Bodies {
		frames[i] = protocol.Response{
			ID: f.Turn.Request, Body: body, Seq: f.First + int64(i) - f.Turn.First, Continuation: f.Turn.Continues,
		}.Encode()
		size += len(frames[i])
	}
	to := o.audience.Live(tx, f.Turn.Request, f.Turn.Conn, size)
	for _, frame := range frames {
		audience.Send(tx, frame, to...)
	}
}

// turnEnded handles the end of a turn, and starts the next one. The order matters to clients. First
// the message is stored and its stream freed, then the connections that need a transcript get it,
// and only then is the end sent. A transcript after the end would remove what the person has typed
// in between. After the end, everybody is sent the stored message.
func (o *Object) turnEnded(tx *durable.Tx, e loop.Ended) {
	o.storeChange(tx)
	lost := o.needTranscript(e)
	o.audience.Release(tx)
	var stored protocol.Message
	if e.Draft.Visible {
		m := e.Draft.Fold.Message()
		m.Metadata = message.WithFailure(m.Metadata, failureOf(e.Turn))
		stored = message.Put(tx, e.Turn.Place, m, e.Turn.Claims)
	}
	if !o.finishTask(tx, e) {
		stream.Delete(tx, loop.StreamOf(e.Turn))
	}
	run.ForgetSpent(tx, e.Turn.Seq)
	if strings.HasPrefix(e.Turn.Request, jobPrefix) {
		admission.TakeNarration(tx, e.Turn.Seq)
	}
	if e.Turn.Status == turn.Failed {
		setting.Set(tx, settingTerminal, e.Turn.Request)
	}
	o.audience.SendTranscript(tx, lost...)
	everyone := o.audience.All()
	o.sendEnd(tx, e.Turn, everyone...)
	if e.Draft.Visible && len(everyone) > 0 {
		o.audience.ShowMessage(tx, stored.ID, func() string { return protocol.MessageUpdated(stored) }, everyone...)
	}
	o.audience.EndOwn(tx, e.Turn.Request)
	if e.Turn.Spent.Retries > 0 { // the next turn may have crashed the instance, which undid this end
		o.quarantined = true
	}
	o.startNext(tx)
}

// failureOf returns why a turn has failed, or "".
func failureOf(t turn.Turn) string {
	if t.Status != turn.Failed {
		return ""
	}
	return t.Reason
}

// maxClientList is how large a client's list may become, in bytes, before it is cut to the size of a
// transcript. It leaves room for the turns of a while, so that not every turn sends a transcript.
const maxClientList = message.TranscriptBudget * 3 / 2

// needTranscript returns the connections that may show something else than the stored messages when
// a turn has ended, apart from the turn's own message. A client that has seen a turn of its own
// from the beginning to a good end shows the question and the answer. It needs no transcript,
// unless the conversation has outgrown what a client may post.
func (o *Object) needTranscript(e loop.Ended) []durable.ConnID {
	whole := o.viewers.clientListBytes > 0 && o.viewers.clientListBytes+e.Draft.Fold.Bytes() <= maxClientList
	if !whole || !e.Draft.Visible || e.Turn.Status != turn.Completed || e.Turn.Continues {
		return o.audience.All()
	}
	return o.audience.Late(append(o.viewers.replayed, o.audience.TakeMoved()...))
}

// sendStored sends one connection the stored message of a turn that has ended.
func (o *Object) sendStored(tx *durable.Tx, conn durable.ConnID, t turn.Turn) {
	if m, ok := message.Load(tx, t.Reply); ok {
		audience.Send(tx, protocol.MessageUpdated(m), conn)
	}
}

// endFrame returns the last frame of a turn, in the form of a replay.
func endFrame(t turn.Turn) protocol.Response {
	end := protocol.Response{
		ID: t.Request, Done: true, MessageIDs: t.Origin, Continuation: t.Continues, Outcome: outcomes[t.Status],
	}
	if t.Status == turn.Failed {
		end.Body, end.Error = []byte(t.Reason), true
		return end
	}
	end.Replay = true
	return end
}

var outcomes = map[turn.Status]protocol.Outcome{
	turn.Completed: protocol.Completed,
	turn.Aborted:   protocol.Aborted,
	turn.Skipped:   protocol.Skipped,
	turn.Failed:    protocol.Failed,
}
