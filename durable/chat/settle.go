package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// settle ends the live turn and lets the next one speak. The order matters to
// clients: nobody is left out any more, the message is stored and its stream
// freed, who needs it gets the transcript, and only then the end. A transcript that
// came behind the end would wipe what the person has typed in between. What is behind
// it for everyone is the one message, as it is stored.
func (h *Host) settle(tx *durable.Tx, status turn.Status, reason string) {
	l := h.live
	h.recovered(tx)
	if status == turn.Failed {
		reason = cutOff(h.onError(tx, reason), limit.Words)
	}
	if status != turn.Completed {
		h.dropTools(tx, dropped[status])
	}
	h.stopRuns(tx, "nobody waits for it any more")
	h.live = nil
	turn.Move(tx, &l.turn, status, reason)
	tx.Unschedule(dueWatch, l.key())
	tx.Unschedule(dueRetry, l.key())
	tx.Unschedule(dueGoOn, l.key())
	lost := h.lostSight(l)
	h.roster.release(tx)
	if l.spoke {
		l.stored = put(tx, l.turn.Place, l.fold.Message())
	}
	if !h.finishTask(tx, l) {
		stream.Delete(tx, l.stream())
	}
	run.ForgetSpent(tx, l.turn.Seq)
	if status == turn.Failed {
		set(tx, settingTerminal, l.turn.Request)
	}
	h.show(tx, lost...)
	everyone := h.roster.all()
	h.announce(tx, l.turn, everyone...)
	if l.spoke && len(everyone) > 0 {
		send(tx, protocol.MessageUpdated(l.stored), everyone...)
	}
	if l.turn.Spent.Stuck > 0 { // it may have been what comes next that has trapped, and undone this end
		h.apart = true
	}
	h.advance(tx)
}

// lostSight returns who may show something else than what is stored when a turn has
// ended, but for the turn's own message. Whoever has seen a turn of its own from the
// beginning to a good end shows the question and the answer, and a transcript would only
// grow with the conversation; unless it has outgrown what a client may post.
func (h *Host) lostSight(l *live) []durable.ConnID {
	whole := l.posted > 0 && l.posted+l.fold.Bytes() <= transcriptBudget
	if !whole || !l.spoke || l.turn.Status != turn.Completed || l.turn.Continues {
		return h.roster.all()
	}
	return h.roster.where(func(conn durable.ConnID) bool {
		return h.roster.offered[conn] != "" || slices.Contains(l.replayed, conn)
	})
}

// correctFor replaces the message of a turn that is over for one connection.
func (h *Host) correctFor(tx *durable.Tx, conn durable.ConnID, t turn.Turn) {
	if m, ok := load(tx, t.Reply); ok {
		send(tx, protocol.MessageUpdated(m), conn)
	}
}

// dropped is what open tool calls are told of a turn's end.
var dropped = map[turn.Status]string{
	turn.Aborted: "the turn was stopped",
	turn.Failed:  "the turn failed",
}

// ending is the last frame of a turn, as a replay.
func ending(t turn.Turn) protocol.Response {
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
