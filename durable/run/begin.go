package run

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// ErrOtherInput refuses a run whose id is taken by one with another class or input.
var ErrOtherInput = errors.New("run: the id belongs to a run with another input")

// ErrFull refuses a run where the queue is at its limit. It can be begun again
// later.
var ErrFull = errors.New("run: too many runs are waiting")

// Limits of a parent's runs.
type Limits struct {
	// Concurrent is the number of runs that are at work at a time; more wait.
	Concurrent int
	// Queued is the number of runs that can wait.
	Queued int
}

// Begin writes a run's row, and gives it a slot if one of the concurrent places is
// free; otherwise it waits for [NextQueued]. A run that is there already is
// returned with joined set, and nothing is changed: a call that is made again
// joins its run and never starts a second one.
func Begin(tx *durable.Tx, r Run, limits Limits) (begun Run, joined bool, err error) {
	if have, ok := Find(tx, r.ID); ok {
		if have.Class != r.Class || string(have.Input) != string(r.Input) {
			return Run{}, false, fmt.Errorf("%w: %s", ErrOtherInput, r.ID)
		}
		return have, true, nil
	}
	room := atWork(tx) < limits.Concurrent
	if !room && queued(tx) >= limits.Queued {
		return Run{}, false, ErrFull
	}
	r.Status = Starting
	rows := tx.SQL(`INSERT INTO run (id, class, tool_call, place, input, prompt, preview, display, waiter, waiter_position, status, begun_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		r.ID, r.Class, r.ToolCall, r.Order, string(r.Input), r.Prompt, string(r.Preview), string(r.Display), r.Waiter, r.WaiterPosition,
		string(r.Status), tx.Now)
	r.Seq = rows[0].Int(0)
	if room {
		takeSlot(tx, &r)
	}
	return r, false, nil
}

// NextQueued gives a slot to the run that waits longest, if one of the concurrent
// places is free.
func NextQueued(tx *durable.Tx, limits Limits) (Run, bool) {
	if atWork(tx) >= limits.Concurrent {
		return Run{}, false
	}
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE slot = 0 AND status = ? ORDER BY seq LIMIT 1`, string(Starting)) {
		r := scan(row)
		takeSlot(tx, &r)
		return r, true
	}
	return Run{}, false
}

// atWork counts the runs that hold a concurrent place. One that was interrupted
// still does: its helper may be at work.
func atWork(tx *durable.Tx) int { return len(Active(tx)) }

func queued(tx *durable.Tx) int {
	return int(tx.SQL(`SELECT COUNT(*) FROM run WHERE slot = 0 AND status = ?`, string(Starting))[0].Int(0))
}

// takeSlot gives a run the lowest slot that is free, or a new one.
func takeSlot(tx *durable.Tx, r *Run) {
	for _, row := range tx.SQL(`SELECT n FROM slot WHERE run IS NULL ORDER BY n LIMIT 1`) {
		r.Slot = int(row.Int(0))
		tx.SQL(`UPDATE slot SET run = ? WHERE n = ?`, r.ID, r.Slot)
	}
	if r.Slot == 0 {
		r.Slot = int(tx.SQL(`INSERT INTO slot (run) VALUES (?) RETURNING n`, r.ID)[0].Int(0))
	}
	tx.SQL(`UPDATE run SET slot = ? WHERE seq = ?`, r.Slot, r.Seq)
}
