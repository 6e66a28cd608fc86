package inspection

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about the section owed: what was said to another object, or to code of an author, and is not
// acknowledged. The table in the README of the rooms has all places.

// debts collects the rows of the section.
type debts struct {
	tx *durable.Tx
	Table
}

// owed is what waits to be acknowledged: what it is, to whom it is said, how often it was said up to now, and when it
// is said again. A call that is under way, and has no time at which it is made again, has none.
func owed(tx *durable.Tx) Table {
	d := &debts{tx, Table{Name: "owed", Columns: []string{"what", "to", "id", "tried", "again_at"}}}
	if tx.Made("run") {
		d.ofRuns()
		d.ofSlots()
	}
	d.ofRequests()
	d.ofReplies()
	d.ofCode()
	return d.Table
}

// due returns when an entry of the schedule is due, or 0.
func (d *debts) due(kind, id string) int64 {
	return d.tx.Number(`SELECT COALESCE(MIN(due), 0) FROM schedule WHERE kind = ? AND id = ?`, kind, id)
}

// repeated returns how often something was repeated, and when it is repeated next, or 0.
func (d *debts) repeated(kind, id string) (tries, next int64) {
	for _, row := range d.tx.SQL(`SELECT tries, next FROM owed WHERE kind = ? AND id = ?`, kind, id) {
		return row.Int(0), row.Int(1)
	}
	return 0, 0
}

// add adds what was said some times, and is repeated as a kind and id of the table owed say. by is the kind of the
// entry of the schedule that repeats it, if that is not the one for all runs.
func (d *debts) add(what, to, id, kind, key string, said int64, by string) {
	tries, next := d.repeated(kind, key)
	switch {
	case by != "":
		next = d.due(by, key)
	case next == 0:
		next = d.due("runs", "")
	}
	d.Add(what, to, id, said+tries, When(next))
}

// helperOf names the helper of a run.
func helperOf(class string, slot int64) string {
	return class + " in " + facet.SlotName(int(slot))
}

// ofRuns adds what the helpers of runs have to acknowledge.
func (d *debts) ofRuns() {
	for _, row := range d.tx.SQL(`SELECT id, class, slot, status, cancel_due, ended_at, attempt,
			CASE WHEN JSON_VALID(pause) THEN COALESCE(JSON_EXTRACT(pause, '$.due'), 0) ELSE 0 END
		FROM run WHERE slot > 0 AND (cancel_due = 1 OR ended_at = 0) ORDER BY seq`) {
		id, to := row.Text(0), helperOf(row.Text(1), row.Int(2))
		final := row.Int(5) > 0
		if tries, _ := d.repeated("read", id); tries > 0 && !final {
			d.add("what it has said since", to, id, "read", id, 1, "")
		}
		if run.Status(row.Text(3)) == run.Starting && !final {
			d.add("run", to, id, "start", id, max(row.Int(6), 1), "")
		}
		if row.Bool(4) {
			d.add("cancellation", to, id, "cancel", id, 1, "")
		}
		if row.Bool(7) && !final {
			d.add("pause, or its end", to, id, "pause", id, 1, "")
		}
		if d.tx.Made("signal") && !final {
			d.ofSignals(id, to)
		}
		for _, w := range d.tx.SQL(`SELECT failures FROM unwoken WHERE run = ?`, id) {
			d.add("wake", to, id, "wake", id, w.Int(0), "waken")
		}
	}
	for _, row := range d.tx.SQL(`SELECT answer.seq, answer.call, class, slot FROM answer JOIN run ON run.id = answer.run ORDER BY answer.seq`) {
		d.add("answer", helperOf(row.Text(2), row.Int(3)), row.Text(1), "answer", fmt.Sprint(row.Int(0)), 1, "")
	}
	for _, row := range d.tx.SQL(`SELECT id FROM schedule WHERE kind = 'tell' ORDER BY due, id`) {
		r, _ := run.FindBrief(d.tx, row.Text(0))
		d.add("news of a run", "the helper of "+originWords(r.Origin), r.ID, "news", r.ID, 1, "tell")
	}
}

// ofSignals adds the signals to a run.
func (d *debts) ofSignals(id, to string) {
	n := d.tx.Number(`SELECT COUNT(*) FROM signal WHERE run = ?`, id)
	if n == 0 {
		return
	}
	by := ""
	if d.due("signal", id) > 0 {
		by = "signal"
	}
	failed := d.tx.Number(`SELECT COALESCE(MAX(attempts), 0) FROM signal_count WHERE run = ?`, id)
	d.add(fmt.Sprintf("signals: %d", n), to, id, "signals", id, 1+failed, by)
}

// ofSlots adds the slots that are not known to be wiped.
func (d *debts) ofSlots() {
	for _, n := range run.Unwiped(d.tx) {
		d.Add("wipe", facet.SlotName(n), "", 1, "")
	}
}

// ofRequests adds what this helper asks its root, which has not answered.
func (d *debts) ofRequests() {
	var list [][2]string
	if d.tx.Made("run") {
		for _, r := range run.PendingHosted(d.tx, inspectedRows) {
			list = append(list, [2]string{"request for a run: " + hostedWords(r.Hosted), r.ID})
		}
	}
	for _, from := range []struct{ table, what string }{{"action_up", "request for a key"}, {"mcp_up", "request for a server"}} {
		if !d.tx.Made(from.table) {
			continue
		}
		for _, row := range d.tx.SQL(`SELECT n FROM `+from.table+` WHERE heard = 0 ORDER BY n LIMIT ?`, inspectedRows) {
			list = append(list, [2]string{from.what, fmt.Sprint(row.Int(0))})
		}
	}
	for _, one := range list {
		d.add(one[0], "the root", one[1], "request", "", 1, "ask")
	}
}

// ofReplies adds what this root tells calls of its helpers, which have not heard it.
func (d *debts) ofReplies() {
	if d.tx.Made("action_waiter") {
		d.replies("reply about a key", `SELECT n, told, again FROM action_waiter WHERE action = 0 AND path <> '' ORDER BY n LIMIT ?`)
	}
	if d.tx.Made("mcp_below") {
		d.replies("reply of a server", `SELECT id, told, again FROM mcp_below WHERE reply <> '' AND again < 1 << 53 ORDER BY id LIMIT ?`)
	}
}

func (d *debts) replies(what, statement string) {
	for _, row := range d.tx.SQL(statement, inspectedRows) {
		d.Add(what, "a helper", fmt.Sprint(row.Int(0)), row.Int(1), When(row.Int(2)))
	}
}

// ofCode adds what handlers and callbacks of the author have not taken, and the Workflows that are not known to be
// terminated.
func (d *debts) ofCode() {
	if d.tx.Made("letter") {
		for _, row := range d.tx.SQL(`SELECT run, handler, attempts FROM letter WHERE state <> 'dead' ORDER BY run LIMIT ?`, inspectedRows) {
			if at := d.due("letter", row.Text(0)); at > 0 {
				d.Add("end of a run", "the handler "+row.Text(1), row.Text(0), row.Int(2), at)
			}
		}
	}
	if d.tx.Made("callback") {
		for _, row := range d.tx.SQL(`SELECT id, name, attempts, due FROM callback WHERE state <> 'failed' AND attempts > 0 ORDER BY due, seq LIMIT ?`, inspectedRows) {
			d.Add("schedule", "the callback "+row.Text(1), row.Text(0), row.Int(2), row.Int(3))
		}
	}
	for _, row := range d.tx.SQL(`SELECT id, due FROM schedule WHERE kind = 'terminate' ORDER BY due LIMIT ?`, inspectedRows) {
		// The number of the attempt, the binding and the id of the instance.
		if entry := strings.Fields(row.Text(0)); len(entry) == 3 {
			if n, err := strconv.ParseInt(entry[0], 10, 64); err == nil {
				d.Add("termination", "the Workflow "+entry[1], entry[2], 1+n, row.Int(1))
			}
		}
	}
}
