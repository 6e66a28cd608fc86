package chat

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the slots of helpers: how a slot is wiped, and how a helper is recognised that
// should have been wiped and still exists.

func slotName(n int) string { return "helper-" + strconv.Itoa(n) }

func facetOf(r run.Run) durable.Facet {
	return durable.Facet{Slot: slotName(r.Slot), Class: r.Class}
}

// wipeSlot wipes the helper in a slot that is free by the rows.
func (o *Object) wipeSlot(tx *durable.Tx, n int) {
	o.wiping = true
	tx.Do(durable.DeleteFacet{Slot: slotName(n)})
}

// releaseSlot wipes the helper of a run that stays in the registry, and frees its slot. The helper's
// sockets are closed, because nothing can be reached through them any more.
func (o *Object) releaseSlot(tx *durable.Tx, r *run.Run) {
	o.closeDrillIns(tx, *r)
	o.wipeSlot(tx, r.Slot)
	run.Release(tx, r)
}

// rewipeSlots wipes the free slots again that may not have been wiped before the memory was lost.
// The command itself may have been lost.
func (o *Object) rewipeSlots(tx *durable.Tx) {
	for _, n := range run.Unwiped(tx) {
		o.wipeSlot(tx, n)
	}
}

// noteWiped notes that slots were wiped. The commands of an event are performed before the instance
// gets its next event.
func (o *Object) noteWiped(tx *durable.Tx) {
	if o.wiping {
		o.wiping = false
		run.Wiped(tx)
	}
}

// isStale says whether this helper belongs to another use of its slot than the request of its
// parent. Such a helper should have been wiped. A new helper takes the generation of the first
// request that it gets. A helper that began before generations existed has generation 0.
func (o *Object) isStale(tx *durable.Tx, generation int64) bool {
	var own int64
	if !readSetting(tx, settingGeneration, &own) && len(tx.SQL(`SELECT 1 FROM task LIMIT 1`)) == 0 {
		own = generation
		set(tx, settingGeneration, strconv.FormatInt(own, 10))
	}
	return own != generation
}
