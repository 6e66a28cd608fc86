package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// settle ends the live turn and lets the next one speak. The order matters to
// clients: nobody is left out any more, the message is stored and its stream
// freed, everyone gets the transcript, and only then the end. A transcript that
// came behind the end would wipe what the person has typed in between.
func (h *Host) settle(tx *durable.Tx, status turn.Status, reason string) {
	l := h.live
	h.recovered(tx)
	if status == turn.Failed {
		reason = h.onError(tx, reason)
	}
	if status != turn.Completed {
		h.dropTools(tx, dropped[status])
	}
	h.stopRuns(tx, "nobody waits for it any more")
	h.live = nil
	turn.Move(tx, &l.turn, status, reason)
	tx.Unschedule(dueWatch, l.key())
	tx.Unschedule(dueRetry, l.key())
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
	everyone := h.roster.all()
	h.show(tx, everyone...)
	h.announce(tx, l.turn, everyone...)
	h.correct(tx, l)
	h.advance(tx)
}

// correct replaces a turn's message where a client may hold its own copy of it against
// every transcript, and that copy may be wrong: where it has stopped listening, and where
// it was sent a replay on top of what it had.
func (h *Host) correct(tx *durable.Tx, l *live) {
	to := h.roster.all()
	if l.turn.Status == turn.Completed {
		to = h.roster.where(func(conn durable.ConnID) bool { return slices.Contains(l.replayed, conn) })
	}
	if l.spoke && len(to) > 0 {
		send(tx, protocol.MessageUpdated(l.stored), to...)
	}
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
