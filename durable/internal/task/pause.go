package task

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/setting"
)

// pause is what a helper has stored of the pauses of its run.
type pause struct {
	Run    string `json:"run"`
	Paused bool   `json:"paused,omitempty"`
	Change int64  `json:"change"`
}

// Paused says whether the run of this helper is paused.
func (t *Tails) Paused() bool { return t.pause.Paused }

// LastChange is the number of the last pause of the run, or of its end, that the parent has told.
func (t *Tails) LastChange() int64 { return t.pause.Change }

// SetPaused stores a pause, or its end, and says whether that is new. A change that comes late
// changes nothing.
func (t *Tails) SetPaused(tx *durable.Tx, r facet.PauseRequest) bool {
	if r.Run == t.pause.Run && r.Change <= t.pause.Change {
		return false
	}
	before := t.pause.Paused
	t.keepPause(tx, pause{Run: r.Run, Paused: r.Paused, Change: r.Change})
	return r.Paused != before
}

// EndPause notes that the pause of a run is over because the run is, and says whether the run was
// paused.
func (t *Tails) EndPause(tx *durable.Tx, run string) bool {
	if !t.pause.Paused || t.pause.Run != run {
		return false
	}
	t.keepPause(tx, pause{Run: run, Change: t.pause.Change})
	return true
}

func (t *Tails) keepPause(tx *durable.Tx, p pause) {
	t.pause = p
	setting.Write(tx, settingPause, p)
	tx.Rearm()
}
