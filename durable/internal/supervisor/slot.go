package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// wipeSlot wipes the helper in a slot that is free by the rows.
func (s *Supervisor) wipeSlot(tx *durable.Tx, n int) {
	s.wiping = true
	tx.Do(durable.DeleteFacet{Slot: facet.SlotName(n)})
}

// wipeStale wipes a helper of an earlier use of a run's slot. What was copied to it is copied to its
// successor.
func (s *Supervisor) wipeStale(tx *durable.Tx, r *run.Run) {
	s.wipeSlot(tx, r.Slot)
	if r.Restart.From != "" {
		run.NoteCopied(tx, r, 0, false)
	}
}

// releaseSlot wipes the helper of a run that stays in the registry, and frees its slot. The
// helper's sockets are closed, because nothing can be reached through them any more.
func (s *Supervisor) releaseSlot(tx *durable.Tx, r *run.Run) {
	s.report(tx, Unreachable{*r})
	s.wipeSlot(tx, r.Slot)
	run.Release(tx, r)
}

// RewipeSlots wipes the free slots again that may not have been wiped before the memory was lost.
// The command itself may have been lost.
func (s *Supervisor) RewipeSlots(tx *durable.Tx) {
	for _, n := range run.Unwiped(tx) {
		s.wipeSlot(tx, n)
	}
}

// NoteWiped notes that slots were wiped. The commands of an event are performed before the instance
// gets its next event.
func (s *Supervisor) NoteWiped(tx *durable.Tx) {
	if s.wiping {
		s.wiping = false
		run.Wiped(tx)
	}
}
