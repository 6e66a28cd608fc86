package chat

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the slots of helpers: how a slot is wiped, and how a helper is recognised
// that should have been wiped and is still there.

func slotName(n int) string { return "helper-" + strconv.Itoa(n) }

func facetOf(r run.Run) durable.Facet {
	return durable.Facet{Slot: slotName(r.Slot), Class: r.Class}
}

// wipeSlot wipes what lives in a slot that is free in the rows.
func (h *Host) wipeSlot(tx *durable.Tx, n int) {
	h.wiping = true
	tx.Do(durable.DeleteFacet{Slot: slotName(n)})
}

// wipeAgain wipes the free slots that an earlier life may not have wiped: its command may have
// been lost.
func (h *Host) wipeAgain(tx *durable.Tx) {
	for _, n := range run.Unwiped(tx) {
		h.wipeSlot(tx, n)
	}
}

// wiped notes that slots were wiped: the commands of an event are performed before the next
// event of the same life comes.
func (h *Host) wiped(tx *durable.Tx) {
	if h.wiping {
		h.wiping = false
		run.Wiped(tx)
	}
}

// outlived says whether this helper belongs to another use of its slot than the one that its
// parent speaks of, and should have been wiped. A new helper takes the generation of the first
// request that it gets. A helper that was at work before there were generations has generation 0.
func (h *Host) outlived(tx *durable.Tx, generation int64) bool {
	var own int64
	if !readSetting(tx, settingGeneration, &own) && len(tx.SQL(`SELECT 1 FROM task LIMIT 1`)) == 0 {
		own = generation
		set(tx, settingGeneration, strconv.FormatInt(own, 10))
	}
	return own != generation
}
