package task

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
)

// setNextWake notes at the helper when its parent wakes it. With 0 the parent does not wake it, and
// the helper uses its own timer.
func (t *Tails) setNextWake(tx *durable.Tx, at int64) {
	if t.nextWake == at {
		return
	}
	t.nextWake = at
	setting.Write(tx, settingNextWake, at)
	tx.Rearm()
}

// Load reads when the parent wakes this helper, and whether its run is paused.
func (t *Tails) Load(tx *durable.Tx) {
	setting.Read(tx, settingNextWake, &t.nextWake)
	setting.Read(tx, settingPause, &t.pause)
}

// WokenBy says whether the parent wakes the helper at a time, or before.
func (t *Tails) WokenBy(at int64) bool { return t.nextWake > 0 && t.nextWake <= at }

// AnnounceWake returns [Work.NextWake] for an answer to the parent, and stores it as
// announced.
func (t *Tails) AnnounceWake(tx *durable.Tx) int64 {
	at := t.work.NextWake(tx)
	t.setNextWake(tx, at)
	return at
}
