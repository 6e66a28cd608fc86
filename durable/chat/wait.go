package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is the parent's side of a helper that waits for a person. Nothing is held
// while it does: no stream, no alarm. Whatever may have been an answer has the run
// followed again.

// paused notes that nothing comes of a run for long.
func (h *Host) paused(tx *durable.Tx, r run.Run, p pause) {
	if p.IdleUntil > 0 {
		h.rest(tx, r, p.IdleUntil)
		return
	}
	h.wakenLater(tx, r.ID, p.Waken)
	h.waitFor(tx, r, p.WaitsFor)
}

// waitFor notes that a run waits for somebody's answers to calls in its helper.
func (h *Host) waitFor(tx *durable.Tx, r run.Run, calls []string) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	run.Wait(tx, &r, calls)
	h.keepTime(tx, r)
	h.watchRuns(tx)
	h.pumpAll(tx) // it may be all that this object's own parent waits for
}

// tell hands a helper what may be an answer that its run waits for. Until that has been
// taken, nobody above shall think that the run still waits.
func (h *Host) tell(tx *durable.Tx, r run.Run, call string, data []byte) {
	if h.telling == nil {
		h.telling = map[string]int{}
	}
	h.telling[r.ID]++
	tx.Do(durable.Call{Call: call, To: facetOf(r), Data: data})
}

// told follows a run again whose helper has taken what it was told.
func (h *Host) told(tx *durable.Tx, r run.Run) {
	if h.telling[r.ID]--; h.telling[r.ID] <= 0 {
		delete(h.telling, r.ID)
	}
	h.followPaused(tx, r)
}

// lookAfter asks again where a helper has said nothing for a while: a call may hang,
// and a stream may be silent because nobody is left who writes it. A helper that is
// asked is woken, and answers at least with a heartbeat.
func (h *Host) lookAfter(tx *durable.Tx) {
	h.looks++
	for _, r := range run.Active(tx) {
		f := h.followed[r.ID]
		switch {
		case r.Status == run.Starting && !tx.Scheduled(dueFollow, r.ID):
			h.callStartAgain(tx, r.ID)
		case r.Status == run.Starting, h.restful(tx, r):
		case f == nil || !f.heard && !tx.Scheduled(dueFollow, r.ID):
			h.follow(tx, r)
		default:
			f.heard = false
		}
	}
	for _, r := range run.ToCancel(tx) {
		h.tellCancelled(tx, r)
	}
	h.watchRuns(tx)
}

// answerRun hands a person's answer to the helper whose run waits for it. Answers that
// nobody waits for are passed over.
func (h *Host) answerRun(tx *durable.Tx, f protocol.ToolApproval) {
	for _, r := range run.Active(tx) {
		if r.Status == run.Waiting && slices.Contains(r.WaitsFor, f.CallID) {
			h.tell(tx, r, callAnswer+r.ID, answerCall.Request(answerRequest{Call: f.CallID, Approved: f.Approved}))
		}
	}
}

// followPaused follows a run again of which nothing was to come for long, and which may
// go on because somebody has said something to its helper.
func (h *Host) followPaused(tx *durable.Tx, r run.Run) {
	if h.restful(tx, r) && h.followed[r.ID] == nil {
		tx.Unschedule(dueFollow, r.ID)
		h.follow(tx, r)
		h.watchRuns(tx)
	}
}
