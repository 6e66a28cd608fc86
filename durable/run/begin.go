package run

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// ErrOtherInput refuses a run whose id belongs to a run with another class or input.
var ErrOtherInput = errors.New("run: the id belongs to a run with another input")

// ErrOtherHandler refuses a detached run whose id belongs to a run that is not detached, or that
// has another handler.
var ErrOtherHandler = errors.New("run: the id belongs to a run that ends elsewhere")

// Limits are how many runs a parent may have at a time. In an agent's Runs, a field that is 0
// stands for its default.
type Limits struct {
	// Concurrent is the number of runs that may work at a time. Further runs wait.
	Concurrent int
	// Queued is the number of runs that may wait. Further runs are refused. With 0 or less, no run
	// can wait.
	Queued int
}

// Join finds the existing run that has the id of r. So a call that is made again joins its run, and
// never starts a second one. From then on the run belongs to the turn of r, unless it is detached.
// A run that no helper has taken was never begun: its id is free, and [Begin] replaces its row.
func Join(tx *durable.Tx, r Run) (have Run, joined bool, err error) {
	have, ok := Find(tx, r.ID)
	switch {
	case !ok || have.neverBegan():
		return Run{}, false, nil
	case have.Class != r.Class || string(have.Input) != string(r.Input):
		return Run{}, false, fmt.Errorf("%w: %s", ErrOtherInput, r.ID)
	case r.Handler != "" && (r.Handler != have.Handler || !r.Origin.Same(have.Origin)):
		return Run{}, false, fmt.Errorf("%w: %s", ErrOtherHandler, r.ID)
	case have.Detached():
		return have, true, nil
	}
	have.Turn = r.Turn
	change(tx, `UPDATE run SET turn = ? WHERE seq = ?`, have.Turn, have.Seq)
	return have, true, nil
}

// Begin writes a run's row, and gives it a slot if one of the concurrent places is free. Otherwise
// the run waits for [NextQueued]. Begin returns false, and writes nothing, if the queue is full.
func Begin(tx *durable.Tx, r Run, limits Limits) (Run, bool) {
	room := atWork(tx) < limits.Concurrent
	if !room && queued(tx) >= limits.Queued {
		return Run{}, false
	}
	r.Status = Starting
	makeTables(tx, r)
	if room {
		takeSlot(tx, &r)
	}
	r = insert(tx, r)
	startClock(tx, &r)
	return r, true
}

// Refuse writes the row of a run that will not begin. The row is final and has no slot.
func Refuse(tx *durable.Tx, r Run, result Result) Run {
	r.Status = Starting
	r = insert(tx, r)
	Move(tx, &r, Failed, result)
	return r
}

// neverBegan says whether a run failed before any helper took it.
func (r Run) neverBegan() bool { return r.Status == Failed && r.Slot == 0 && r.Hosted == nil }

// makeTables makes the tables that the row of a run comes with, in one call.
func makeTables(tx *durable.Tx, r Run) {
	tables := []string{"spent", "run"}
	if !r.Detached() { // code awaits the run
		tables = append(tables, "waiter")
	}
	tx.Make(tables...)
}

// insert writes a new row. It replaces the row of a run that was never begun.
func insert(tx *durable.Tx, r Run) Run {
	if len(change(tx, `DELETE FROM run WHERE id = ? AND status = ? AND slot = 0 AND hosted = '' RETURNING seq`, r.ID, string(Failed))) > 0 {
		forgetSignals(tx, r.ID)
	}
	makeTables(tx, r)
	tx.SQL(`INSERT INTO spent (turn) VALUES (0), (?) ON CONFLICT DO NOTHING`, r.Turn)
	rows := change(tx, `INSERT INTO run (id, class, turn, tool_call, place, handler, silence, stops_with, tells, input, prompt, schema, preview, display, delivery, timeout, time_left, status, slot, generation, version, begun_at, labels, restart, claims, origin, hosted)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		r.ID, r.Class, r.Turn, r.ToolCall, r.Order, r.Handler, r.IdleTimeout, r.StopsWith, r.Announce.stored(), string(r.Input), r.Prompt, string(r.Schema), string(r.Preview), string(r.Display),
		string(r.Visibility), r.Timeout, r.Timeout, string(r.Status), r.Slot, r.Generation, r.Version, tx.Now,
		storedLabels(r.Labels), r.Restart.stored(), r.Claims, toStore(r.Origin), toStore(r.Hosted))
	r.Seq, r.BegunAt, r.TimeLeft = rows[0].Int(0), tx.Now, r.Timeout
	return r
}

// NextQueued gives a slot to the run that has waited longest, if one of the concurrent places is
// free.
func NextQueued(tx *durable.Tx, limits Limits) (Run, bool) {
	if atWork(tx) >= limits.Concurrent {
		return Run{}, false
	}
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE slot = 0 AND status = ? AND ended_at = 0 AND hosted = '' ORDER BY seq LIMIT 1`, string(Starting)) {
		r := scan(row)
		takeSlot(tx, &r)
		change(tx, `UPDATE run SET slot = ?, generation = ? WHERE seq = ?`, r.Slot, r.Generation, r.Seq)
		return r, true
	}
	return Run{}, false
}

// atWork counts the runs that hold a concurrent place. A run whose status is damaged counts as
// well, because its helper may be at work.
func atWork(tx *durable.Tx) int {
	return int(tx.Number(`SELECT COUNT(*) FROM run WHERE slot > 0 AND ended_at = 0`))
}

// queued counts the runs that wait for a slot, also those that are paused.
func queued(tx *durable.Tx) int {
	return int(tx.Number(`SELECT COUNT(*) FROM run WHERE slot = 0 AND status IN (?, ?) AND ended_at = 0 AND hosted = ''`, string(Starting), string(Paused)))
}
