package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is how a helper's schedules are kept, though a helper has no alarm. Whatever it
// answers its parent says when it wants to be woken; the parent's own schedule sees to it,
// and so on up to the root and its alarm. In between nothing is held, here or there.

// wakenHelper has a helper do what has fallen due.
var wakenHelper = wire.NewMethod[empty, wakenResult]("helper.waken")

// wakenResult says when a helper wants to be woken next, in milliseconds since 1970; 0 is
// not at all.
type wakenResult struct{ At int64 }

// toldElsewhere is the time of an answer that says nothing about it.
const toldElsewhere = -1

// callWaken is the name of such a call.
const callWaken = "waken/"

// wants is when this helper wants to be woken by its parent: for its schedules and those of
// its own helpers, and while nobody can tell whether there will be some.
func (h *Host) wants(tx *durable.Tx) int64 {
	at := durable.NextDueOf(tx, ofSchedules)
	if look := h.unheard(tx); look > 0 && (at == 0 || look < at) {
		return look
	}
	return at
}

// ofSchedules says whether an entry is there for schedules, and not for work under way.
func ofSchedules(kind string) bool { return kind == dueCallback || kind == dueWaken }

func forWork(kind string) bool { return !ofSchedules(kind) }

// unheard is when the parent shall look because something is under way of which it hears
// nothing: a person's own turn, also one that waits, or a frame on its way to a helper below.
// Nobody else would take that up again where the instance is lost, or tell of the schedules
// that it makes. It is 0 where there is nothing of the kind, and where all that is waited for
// is a person.
func (h *Host) unheard(tx *durable.Tx) int64 {
	soon := tx.Now + watchEvery
	if len(h.telling) > 0 || len(run.ToAnswer(tx)) > 0 {
		return soon
	}
	if !h.busy(tx) {
		return 0
	}
	if h.live == nil {
		return soon
	}
	if _, followed := taskOf(tx, h.live.turn.Seq); followed || len(h.waitsBelow(tx)) > 0 {
		return 0
	}
	return max(soon, h.sleepsUntil(tx))
}

// want is [Host.wants], told to the parent with what this event answers it.
func (h *Host) want(tx *durable.Tx) int64 {
	at := h.wants(tx)
	h.wakenAt(tx, at)
	return at
}

// waken is the helper's side of being woken.
func (s serving) waken(empty) (wakenResult, error) {
	s.host.wake(s.tx)
	s.host.unwind(s.tx) // what callbacks have asked for belongs to the answer
	return wakenResult{s.host.want(s.tx)}, nil
}

// forgetSchedules ends what a cancelled run may have left: nobody shall be at work for
// nobody.
func (h *Host) forgetSchedules(tx *durable.Tx) {
	schedule.CancelAll(tx)
	h.followSchedules(tx)
}

// wakenLater notes when a helper wants to be woken.
func (h *Host) wakenLater(tx *durable.Tx, run string, at int64) {
	switch {
	case at == toldElsewhere:
	case at > 0:
		tx.Schedule(dueWaken, run, at)
	case tx.Scheduled(dueWaken, run):
		tx.Unschedule(dueWaken, run)
	}
}

// wakenSoon has a helper woken of which nobody knows what it has taken. What it wants already is
// no later than that.
func (h *Host) wakenSoon(tx *durable.Tx, r run.Run) {
	if at := tx.Now + watchEvery; !tx.ScheduledBefore(dueWaken, r.ID, at) {
		h.wakenLater(tx, r.ID, at)
	}
}

// waken wakes a helper. Until it has answered, it is due to be woken again.
func (h *Host) waken(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	if !ok || r.Slot == 0 {
		return
	}
	tx.Schedule(dueWaken, id, tx.Now+watchEvery)
	tx.Do(durable.Call{Call: callWaken + id, To: facetOf(r), Data: wakenHelper.Request(empty{})})
}

// woken takes a helper's answer.
func (h *Host) woken(tx *durable.Tx, r run.Run, data []byte, failure string) {
	w, err := wakenHelper.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	if failure != "" {
		h.notWoken(tx, r, failure)
		return
	}
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, r.ID)
	h.wakenLater(tx, r.ID, w.At)
}

// wakenAgain is how long to wait after each failure to wake a helper, in milliseconds. After
// the last of them it is given up until somebody speaks to it.
var wakenAgain = []int64{5_000, 15_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000}

func (h *Host) notWoken(tx *durable.Tx, r run.Run, why string) {
	failures := tx.SQL(`INSERT INTO unwoken (run, failures) VALUES (?, 1)
		ON CONFLICT (run) DO UPDATE SET failures = failures + 1 RETURNING failures`, r.ID)[0].Int(0)
	if int(failures) > len(wakenAgain) {
		tx.Log(durable.Error, "a helper's schedules are given up: it cannot be woken", "run", r.ID, "error", why)
		h.sleepOn(tx, r.ID)
		return
	}
	tx.Log(durable.Warn, "a helper could not be woken", "run", r.ID, "error", why)
	h.wakenLater(tx, r.ID, tx.Now+wakenAgain[failures-1])
}

// sleepOn forgets that a helper wants to be woken.
func (h *Host) sleepOn(tx *durable.Tx, run string) {
	h.wakenLater(tx, run, 0)
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, run)
}
