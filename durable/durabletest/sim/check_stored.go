package sim

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds against each other what objects have stored. Checks know these tables and
// columns: slot (n, run), await (routine, branch, place), task (run, log) and chunk (stream,
// first, body).

// trapsHaveCauses is that nothing breaks by itself: an event traps where the seed has it trap, or
// where nothing can be written.
func trapsHaveCauses(s *Sim, h durabletest.HandledEvent) {
	switch {
	case h.Trap == nil:
	case strings.Contains(h.Trap.Error(), OnPurpose):
		s.checks.broken[h.Object] = true
	case h.Slot != s.armed && !s.checks.full[h.Object]:
		s.fail("trap", "%T of %q trapped: %v", h.Event, h.Slot, h.Trap)
	}
}

// turnsSpeakInOrder is that nobody jumps the queue.
func turnsSpeakInOrder(s *Sim, h durabletest.HandledEvent) {
	waiting := turnRow{}
	for _, t := range s.checks.turns {
		if t.status == "queued" && waiting.seq == 0 {
			waiting = t
		}
		if t.status == "running" && waiting.seq > 0 {
			s.fail("order", "%s speaks in %q, and %s waits for longer", t.request, h.Slot, waiting.request)
		}
	}
}

// slotsAreHeld is that a slot which is taken is taken by a run that is there.
func slotsAreHeld(s *Sim, h durabletest.HandledEvent) {
	if h.Trap != nil || !s.made(h.Object) {
		return
	}
	for _, row := range reread(s, s.checks.takenSlots, h.Object, s.readTakenSlots, "slot") {
		n, by := row.Int(0), row.Text(1)
		if !slices.ContainsFunc(s.checks.runs, func(r runRow) bool { return r.id == by && r.slot == n }) {
			s.fail("I6", "the slot %d of %q is held by %s, which is gone", n, h.Slot, by)
		}
	}
}

func (s *Sim) readTakenSlots(object string) []durable.Row {
	return s.rows(object, `SELECT n, run FROM slot WHERE run IS NOT NULL`)
}

// awaitsHappenOnce is I8 for tools: code that is run again finds what it has asked before.
func awaitsHappenOnce(s *Sim, h durabletest.HandledEvent) {
	if !h.Opened || h.Trap != nil || !s.made(h.Object) {
		return
	}
	for _, row := range s.rows(h.Object, `SELECT routine, branch, place FROM await GROUP BY routine, branch, place HAVING COUNT(*) > 1`) {
		s.fail("I8", "%s asks twice what it asks at %d of branch %d", row.Text(0), row.Int(2), row.Int(1))
	}
}

// logsAgree is I5 between objects: a parent keeps of a run what its helper has said, unless
// the run was cleared and is there for the sake of its letter alone.
func logsAgree(s *Sim) {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if !s.made(object) {
			continue
		}
		for _, row := range s.rows(object, `SELECT id, seq, slot FROM run WHERE status = 'completed' AND slot > 0
			AND id NOT IN (SELECT run FROM letter WHERE last = 1)`) {
			helper := s.world.Object(path.Join(slot, fmt.Sprintf("helper-%d", row.Int(2))))
			if helper == "" || !s.made(helper) {
				continue
			}
			for _, task := range s.rows(helper, `SELECT log FROM task WHERE run = ?`, row.Text(0)) {
				if got, want := s.logged(object, -row.Int(1)), s.logged(helper, task.Int(0)); got != want {
					s.fail("I5", "of the run %s is kept %s", row.Text(0), difference(got, want))
				}
				progressAgrees(s, object, helper, row.Text(0))
			}
		}
	}
}

// logged is all that a stream holds.
func (s *Sim) logged(object string, stream int64) string {
	text := ""
	for _, row := range s.rows(object, `SELECT body FROM chunk WHERE stream = ? ORDER BY first`, stream) {
		text += row.Text(0) + "\n"
	}
	return text
}
