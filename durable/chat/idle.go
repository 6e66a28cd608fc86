package chat

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about a helper in which nothing happens for long, because its tools
// sleep. It says so to its parent, which lets go of its stream and wakes it in time: an
// hour's sleep holds neither a stream nor a timer, here or there.

// longIdle is how long nothing has to happen for that, in milliseconds.
const longIdle = 60_000

// idleUntil returns when something happens next in a run's turn. It is 0 where the turn
// is at work, and where it does not depend on the schedule alone.
func (h *Host) idleUntil(tx *durable.Tx, k task) int64 {
	if h.live == nil || h.live.turn.Seq != k.turn {
		return 0
	}
	return h.sleepsUntil(tx)
}

// sleepsUntil is the same for the turn that is live.
func (h *Host) sleepsUntil(tx *durable.Tx) int64 {
	l := h.live
	if l.answer != nil || len(l.running) == 0 || l.fetching() || len(run.ToCancel(tx)) > 0 {
		return 0
	}
	if slices.ContainsFunc(run.Active(tx), func(r run.Run) bool { return !h.restful(tx, r) }) {
		return 0
	}
	due := durable.NextDue(tx)
	if due-tx.Now < longIdle {
		return 0
	}
	return due
}

// pauseOf says why nothing comes of a run for long, where that is so: it waits for a
// person, here or below, or nothing happens before a time.
func (h *Host) pauseOf(tx *durable.Tx, k task) (pause, bool) {
	if calls := waitsFor(tx, k); len(calls) > 0 {
		return pause{WaitsFor: calls, Waken: h.wants(tx)}, true
	}
	if calls := h.waitsBelow(tx); len(calls) > 0 && h.live.turn.Seq == k.turn {
		return pause{WaitsFor: calls, Waken: h.wants(tx)}, true
	}
	until := h.idleUntil(tx, k)
	return pause{IdleUntil: until}, until > 0
}

// waitsBelow returns the calls in helpers below that the live turn waits for, where it
// waits for nothing else.
func (h *Host) waitsBelow(tx *durable.Tx) []string {
	l := h.live
	if l == nil || l.answer != nil || len(l.running) == 0 || durable.NextDueOf(tx, forWork) > 0 || len(run.ToCancel(tx)) > 0 {
		return nil
	}
	var calls []string
	for _, r := range run.Active(tx) {
		if r.Status != run.Waiting || h.followed[r.ID] != nil || h.telling[r.ID] > 0 || run.Answering(tx, r.ID) {
			return nil
		}
		calls = append(calls, r.WaitsFor...)
	}
	return calls
}

// restful says whether nothing has to be looked after in a run: it waits for a person,
// or is idle until the schedule has it followed again.
func (h *Host) restful(tx *durable.Tx, r run.Run) bool {
	return h.followed[r.ID] == nil && (r.Status == run.Waiting || r.Status == run.Running && tx.Scheduled(dueFollow, r.ID))
}

// rest notes at the parent that nothing happens in a run before a time.
func (h *Host) rest(tx *durable.Tx, r run.Run, until int64) {
	delete(h.followed, r.ID)
	tx.Schedule(dueFollow, r.ID, until)
	h.watchRuns(tx)
	h.pumpAll(tx) // it may be all that this object's own parent waits for
}

// wakenAt notes at the helper when its parent wakes it, 0 for not at all: then its own
// timer does.
func (h *Host) wakenAt(tx *durable.Tx, at int64) {
	if h.wokenAt == at {
		return
	}
	h.wokenAt = at
	set(tx, settingWoken, strconv.FormatInt(at, 10))
	tx.Rearm()
}

func wokenAt(tx *durable.Tx) int64 {
	var at int64
	readSetting(tx, settingWoken, &at)
	return at
}
