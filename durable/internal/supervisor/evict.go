package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// NoteIdle reports a helper that needs no memory: its run is over, and the helper has said that it
// is idle. If a wake of the helper is required, it is not known what the helper has received since.
// If a wake is under way, or the helper is being told of a hosted run, the answer says the same.
func (s *Supervisor) NoteIdle(tx *durable.Tx, r run.Run, idle bool) {
	if idle && r.Slot > 0 && r.Status.Final() && !r.CancelDue && !s.waking[r.ID] && !s.isNotified(r) && !wakeRequired(tx, r.ID) {
		s.report(tx, Idle{r})
	}
}

// Evict discards the memory of a helper. Its storage stays, and its wakes stay scheduled.
func (s *Supervisor) Evict(tx *durable.Tx, r run.Run) {
	tx.Do(durable.CancelStream{Stream: facet.TailPrefix + r.ID}, durable.EvictFacet{Slot: facet.SlotName(r.Slot)})
}

// Unused asks a helper whose run is over, and that nobody looks at any more, whether it is idle. It
// is not asked if it is woken soon: its answer to a wake says the same.
func (s *Supervisor) Unused(tx *durable.Tx, r run.Run) {
	if r.Slot > 0 && r.Status.Final() && !tx.ScheduledBefore(DueWake, r.ID, tx.Now+checkDelay+1) {
		s.callWake(tx, r)
	}
}
