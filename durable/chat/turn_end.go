package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// endTurn ends the active turn and starts the next one. The order matters to clients. First the
// message is stored and its stream freed, then the connections that need a transcript get it, and
// only then is the end sent. A transcript after the end would remove what the person has typed in
// between. After the end, everybody is sent the stored message.
func (o *Object) endTurn(tx *durable.Tx, status turn.Status, reason string) {
	a := o.active
	o.showRecovered(tx)
	if status == turn.Failed {
		reason = protocol.CutOff(o.onError(tx, reason), limit.Words)
	}
	if status != turn.Completed {
		o.dropTools(tx, dropReasons[status])
	}
	o.runs.StopOfTurn(tx, a.turn.Seq, "nobody waits for it any more")
	o.active = nil
	turn.Move(tx, &a.turn, status, reason)
	a.unschedule(tx)
	lost := o.needTranscript(a)
	o.audience.Release(tx)
	if a.draft.Visible {
		a.stored = message.Put(tx, a.turn.Place, a.draft.Fold.Message())
	}
	if !o.finishTask(tx, a) {
		stream.Delete(tx, a.stream())
	}
	run.ForgetSpent(tx, a.turn.Seq)
	if status == turn.Failed {
		setting.Set(tx, settingTerminal, a.turn.Request)
	}
	o.audience.SendTranscript(tx, lost...)
	everyone := o.audience.All()
	o.sendEnd(tx, a.turn, everyone...)
	if a.draft.Visible && len(everyone) > 0 {
		audience.Send(tx, protocol.MessageUpdated(a.stored), everyone...)
	}
	if a.turn.Spent.Retries > 0 { // the next turn may have crashed the instance, which undid this end
		o.quarantined = true
	}
	o.startNext(tx)
}

// unschedule removes what the schedule holds for a turn that ends.
func (a *activeTurn) unschedule(tx *durable.Tx) {
	for _, kind := range []string{dueWatchdog, dueRetry, dueQuarantined} {
		tx.Unschedule(kind, a.key())
	}
}

// needTranscript returns the connections that may show something else than the stored messages when
// a turn has ended, apart from the turn's own message. A client that has seen a turn of its own
// from the beginning to a good end shows the question and the answer. It needs no transcript,
// unless the conversation has outgrown what a client may post.
func (o *Object) needTranscript(a *activeTurn) []durable.ConnID {
	whole := a.clientListBytes > 0 && a.clientListBytes+a.draft.Fold.Bytes() <= message.TranscriptBudget
	if !whole || !a.draft.Visible || a.turn.Status != turn.Completed || a.turn.Continues {
		return o.audience.All()
	}
	return o.audience.Where(func(conn durable.ConnID) bool {
		return o.audience.IsOffered(conn) || slices.Contains(a.replayed, conn)
	})
}

// sendStored sends one connection the stored message of a turn that has ended.
func (o *Object) sendStored(tx *durable.Tx, conn durable.ConnID, t turn.Turn) {
	if m, ok := message.Load(tx, t.Reply); ok {
		audience.Send(tx, protocol.MessageUpdated(m), conn)
	}
}

// dropReasons are the errors that the model is sent for open tool calls when their turn ends.
var dropReasons = map[turn.Status]string{
	turn.Aborted: "the turn was stopped",
	turn.Failed:  "the turn failed",
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
