package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// cancel stops the turn of a request. What it has said is kept.
func (h *Host) cancel(tx *durable.Tx, conn durable.ConnID, request string) {
	t, ok := turn.Find(tx, request)
	switch {
	case !ok:
		if conn != "" {
			send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Aborted}.Encode(), conn)
		}
	case !t.Status.Final():
		h.abort(tx, t)
	case conn != "":
		h.show(tx, conn) // it has stopped listening before the end came, perhaps before the first word
	}
}

// abort stops a turn, whether it waits or speaks. Behind one that has waited, others go on
// when the event is over.
func (h *Host) abort(tx *durable.Tx, t turn.Turn) {
	switch t.Status {
	case turn.Queued:
		h.leave(tx, &t, turn.Aborted)
		gone := h.closeGap(tx, t)
		if takeBack(tx, t) || h.live == nil || len(gone) > 0 { // its message may not have been shown yet
			h.show(tx, h.roster.all()...)
		}
		h.finishTask(tx, newLive(tx, t))
		h.announce(tx, t, h.roster.all()...)
		h.skip(tx, gone)
		h.moved = true
	case turn.Running:
		h.silence(tx)
		for _, r := range run.StoppedWith(tx, t.Seq) {
			h.stopRun(tx, r, run.Cancelled, dropped[turn.Aborted])
		}
		h.settle(tx, turn.Aborted, "")
	}
}

// silence tears down the model call of the live turn, if one is under way.
func (h *Host) silence(tx *durable.Tx) {
	if h.live.answer != nil {
		h.live.answer.Cancel(tx)
		h.live.answer = nil
	}
}

const clearedText = "the conversation was cleared"

// stopRuns stops the runs of the live turn: none of them outlives it.
func (h *Host) stopRuns(tx *durable.Tx, words string) {
	for _, r := range run.OfTurn(tx, h.live.turn.Seq) {
		h.stopRun(tx, r, run.Cancelled, words)
	}
}

// clearRuns stops every run and wipes every helper.
func (h *Host) clearRuns(tx *durable.Tx) {
	for _, r := range run.Unfinished(tx) {
		h.stopRun(tx, r, run.Cancelled, clearedText)
	}
	for _, r := range run.Every(tx) {
		if !r.Status.Final() { // its row is damaged
			h.stopRun(tx, r, run.Cancelled, clearedText)
			r, _ = run.Find(tx, r.ID)
		}
		if l, owed := run.Owed(tx, r.ID); owed && l.State != run.Dead {
			run.ForgetAfter(tx, r.ID) // its end has to be handed over first
			continue
		}
		if r.Status.Final() {
			h.wipe(tx, r)
		}
	}
	h.watchRuns(tx)
}

// announce sends the end of a turn, and an answer to those who wait for it.
func (h *Host) announce(tx *durable.Tx, t turn.Turn, to ...durable.ConnID) {
	end := ending(t)
	end.Replay = false
	send(tx, end.Encode(), to...)
	h.answerCallers(tx, t)
}

// forgetLogs deletes every stream but the logs of runs that this object was handed: their parent
// may not have read them to the end. They are deleted when the parent wipes the helper.
func forgetLogs(tx *durable.Tx) {
	tx.SQL(`DELETE FROM chunk WHERE stream NOT IN (SELECT log FROM task)`)
	tx.SQL(`DELETE FROM milestone WHERE stream NOT IN (SELECT log FROM task)`)
}

// clear empties the conversation for everyone. The turn that speaks is stopped
// and leaves nothing behind; those that wait are skipped.
func (h *Host) clear(tx *durable.Tx, conn durable.ConnID) {
	everyone := h.roster.all()
	underWay := h.busy(tx) || h.crosses(tx)
	if h.live == nil {
		h.releaseParked(tx)
	}
	h.clearing = true
	defer func() { h.clearing = false }()
	h.abortTasks(tx, clearedText)
	if h.live != nil {
		h.recovered(tx)
		h.silence(tx)
		h.dropTools(tx, dropped[turn.Aborted])
		t := h.live.turn
		tx.Unschedule(dueWatch, h.live.key())
		tx.Unschedule(dueRetry, h.live.key())
		tx.Unschedule(dueGoOn, h.live.key())
		h.live = nil
		turn.Move(tx, &t, turn.Aborted, "")
		run.ForgetSpent(tx, t.Seq)
		h.announce(tx, t, everyone...)
	}
	for t, ok := turn.Next(tx); ok; t, ok = turn.Next(tx) {
		h.leave(tx, &t, turn.Skipped)
		h.announce(tx, t, everyone...)
	}
	h.clearRuns(tx)
	h.roster.release(tx)
	tx.SQL(`DELETE FROM message`)
	tx.SQL(`DELETE FROM ask`)
	tx.SQL(`DELETE FROM heard`)
	forgetCallIDs(tx)
	forgetLogs(tx)
	tx.SQL(`DELETE FROM narration`)
	tx.SQL(`DELETE FROM untold`)
	unset(tx, settingTerminal)
	unset(tx, settingWindow)
	send(tx, protocol.Cleared, h.roster.all(conn)...)
	if underWay { // the client has cleared its list before, and may have heard what belongs to it after that
		send(tx, protocol.Transcript(nil, false), conn)
	}
	h.shownNow(tx)
}
