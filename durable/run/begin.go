package run

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// ErrOtherInput refuses a run whose id belongs to a run with another class or input.
var ErrOtherInput = errors.New("run: the id belongs to a run with another input")

// ErrOtherHandler refuses a detached run whose id belongs to a run that is not detached, or that
// has another handler.
var ErrOtherHandler = errors.New("run: the id belongs to a run that ends elsewhere")

// Limits are how many runs a parent may have at a time. In an agent's Runs, a field that is 0
// stands for its default. One person has a share of each ([share.RunsAtWork], [share.RunsWaiting]).
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

// Begin writes a run's row, and gives it a slot if one of the concurrent places is free for the person
// that the run works for. Otherwise the run waits for [NextQueued]. Begin returns false, and writes
// nothing, if the queue is full: [Refusal] says why.
func Begin(tx *durable.Tx, r Run, limits Limits) (Run, bool) {
	room := share.RunsAtWork(limits.Concurrent).Refusal(r.Claims, atWork(tx)) == nil
	if !room && share.RunsWaiting(limits.Queued).Refusal(r.Claims, queued(tx)) != nil {
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

// Refusal says in words why a run can neither begin nor wait.
func Refusal(tx *durable.Tx, r Run, limits Limits) string {
	why := fmt.Sprintf("all of %d helpers are at work", limits.Concurrent)
	if held := atWork(tx); held.All() < limits.Concurrent {
		if err := share.RunsAtWork(limits.Concurrent).Refusal(r.Claims, held); err != nil {
			why = err.Error()
		}
	}
	held := queued(tx)
	switch err := share.RunsWaiting(limits.Queued).Refusal(r.Claims, held); {
	case limits.Queued <= 0:
		return why
	case held.All() >= limits.Queued || err == nil:
		return fmt.Sprintf("%s, and %d runs wait already", why, limits.Queued)
	default:
		return why + ", and " + err.Error()
	}
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
// free for the person that it works for. Runs of a person who has no more places are passed over.
func NextQueued(tx *durable.Tx, limits Limits) (Run, bool) {
	held, places := atWork(tx), share.RunsAtWork(limits.Concurrent)
	if held.All() >= limits.Concurrent {
		return Run{}, false
	}
	where, args := ``, []any{string(Starting)}
	if held.AnyHas(places.Each) {
		var may []string
		for _, row := range tx.SQL(`SELECT DISTINCT claims FROM run WHERE slot = 0 AND status = ? AND ended_at = 0 AND hosted = ''`, string(Starting)) {
			if places.Refusal(row.Text(0), held) == nil {
				may = append(may, row.Text(0))
			}
		}
		where, args = ` AND claims IN (SELECT value FROM json_each(?))`, append(args, string(limit.MustMarshal(append([]string{}, may...))))
	}
	for _, row := range tx.SQL(`SELECT `+columns+` FROM run WHERE slot = 0 AND status = ? AND ended_at = 0 AND hosted = ''`+where+` ORDER BY seq LIMIT 1`, args...) {
		r := scan(row)
		takeSlot(tx, &r)
		change(tx, `UPDATE run SET slot = ?, generation = ? WHERE seq = ?`, r.Slot, r.Generation, r.Seq)
		return r, true
	}
	return Run{}, false
}

// atWork counts the runs that hold a concurrent place. A run whose status is damaged counts as
// well, because its helper may be at work.
func atWork(tx *durable.Tx) share.Held {
	return share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM run WHERE slot > 0 AND ended_at = 0 GROUP BY claims`))
}

// queued counts the runs that wait for a slot, also those that are paused.
func queued(tx *durable.Tx) share.Held {
	return share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM run WHERE slot = 0 AND status IN (?, ?) AND ended_at = 0 AND hosted = '' GROUP BY claims`,
		string(Starting), string(Paused)))
}
