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

// waitFor notes that a run waits for somebody's answers to calls in its helper.
func (h *Host) waitFor(tx *durable.Tx, r run.Run, calls []string) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	run.Wait(tx, &r, calls)
	h.keepTime(tx, r)
	h.watchRuns(tx)
}

// lookAfter asks again where a helper has said nothing for a while: a call may hang,
// and a stream may be silent because nobody is left who writes it. A helper that is
// asked is woken, and answers at least with a heartbeat.
func (h *Host) lookAfter(tx *durable.Tx) {
	for _, r := range run.Active(tx) {
		f := h.followed[r.ID]
		switch {
		case r.Status == run.Starting && !tx.Scheduled(dueFollow, r.ID):
			h.dispatch(tx, r)
		case r.Status == run.Starting, r.Status == run.Waiting:
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
			tx.Do(durable.Call{Call: callAnswer + r.ID, To: facetOf(r), Data: answerCall.Request(answerRequest{Call: f.CallID, Approved: f.Approved})})
		}
	}
}

// followWaiting follows a waiting run again, which goes on if it was answered.
func (h *Host) followWaiting(tx *durable.Tx, r run.Run) {
	if r.Status == run.Waiting && h.followed[r.ID] == nil {
		h.follow(tx, r)
	}
}
