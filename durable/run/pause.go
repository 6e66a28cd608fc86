package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Pause is what a parent knows of the pauses of a run. Its zero value is a run that was never
// paused.
type Pause struct {
	// Change counts the pauses and their ends. It orders what the helper is told.
	Change int64 `json:"change"`
	// Due says that the helper has not acknowledged the last change.
	Due bool `json:"due,omitempty"`
	// Why says in words why the run is paused.
	Why string `json:"why,omitempty"`
	// Early says that the run was paused before its helper had taken it.
	Early bool `json:"early,omitempty"`
	// Inherited says that the run is paused because the run of its parent is. Own says that it was
	// paused for itself before, and stays paused when that of its parent goes on.
	Inherited bool `json:"inherited,omitempty"`
	Own       bool `json:"own,omitempty"`
}

// SetPaused changes the status of a run to [Paused]. The run's timeout stands still. If it has a
// slot, its helper has to be told: [Pause.Due].
func SetPaused(tx *durable.Tx, r *Run, why string, inherited bool) {
	early, asks := r.Status == Starting, r.Status == Waiting
	if !Move(tx, r, Paused, r.Result) {
		return
	}
	if !asks && len(r.WaitsFor) > 0 { // what it has asked before is answered
		change(tx, `UPDATE run SET pending = '' WHERE seq = ?`, r.Seq)
	}
	stopClock(tx, r)
	keepPause(tx, r, Pause{Change: r.Pause.Change + 1, Due: r.Slot > 0, Why: why, Early: early, Inherited: inherited})
}

// EndPause has a paused run go on, from the beginning if its helper had not taken it. Its timeout
// goes on.
func EndPause(tx *durable.Tx, r *Run) {
	to := Running
	if r.Pause.Early {
		to = Starting
	}
	if !Move(tx, r, to, r.Result) {
		return
	}
	startClock(tx, r)
	if r.Pause.Early && r.Attempt > 0 { // a pause is no failure of the helper
		r.Attempt = 0
		change(tx, `UPDATE run SET attempt = 0 WHERE seq = ?`, r.Seq)
	}
	keepPause(tx, r, Pause{Change: r.Pause.Change + 1, Due: r.Slot > 0})
}

// InheritPause notes that a paused run is now also paused because the run of its parent is, or no
// longer.
func InheritPause(tx *durable.Tx, r *Run, inherited bool) {
	p := r.Pause
	p.Inherited, p.Own = inherited, inherited
	keepPause(tx, r, p)
}

// PauseAcknowledged notes that the helper of a run has stored a change, unless there was another one
// since. It says whether that was the last change.
func PauseAcknowledged(tx *durable.Tx, r *Run, change int64) bool {
	if r.Pause.Change != change || !r.Pause.Due {
		return false
	}
	p := r.Pause
	p.Due = false
	keepPause(tx, r, p)
	return true
}

func keepPause(tx *durable.Tx, r *Run, p Pause) {
	r.Pause = p
	change(tx, `UPDATE run SET pause = ? WHERE seq = ?`, string(limit.MustMarshal(p)), r.Seq)
}

// readPause reads a stored pause. A damaged one is a pause that its helper has to be told again.
func readPause(stored json.RawMessage) (p Pause) {
	if stored != nil && json.Unmarshal(stored, &p) != nil {
		return Pause{Change: 1, Due: true}
	}
	return p
}
