// Package task is the helper's side of a run: a row for each run that the parent has handed over,
// and the streams by which the parent reads it.
package task

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Task is a run that this object was handed.
type Task struct {
	Run string
	// Turn is the turn that works on the run now. Log is the number of the first turn that did. All
	// turns of the run write to that turn's log.
	Turn, Log int64
	Request   facet.StartRequest
	Ended     bool
	Outcome   facet.Outcome
	// reported is the last progress that the run's code has reported.
	reported reported
}

const (
	taskColumns = `run, turn, log, ended, asked, outcome, reported`
	// briefTask are the columns without the parent's request, which can be large.
	briefTask = `run, turn, log, ended, '', outcome, reported`
)

// Find returns a run that this object was handed.
func Find(tx *durable.Tx, run string) (Task, bool) {
	return oneTask(tx.SQL(`SELECT `+taskColumns+` FROM task WHERE run = ?`, run))
}

// findBriefTask is [Find] without the parent's request. It is for work that is done with every
// chunk, and reads a row that has not changed only once.
func findBriefTask(tx *durable.Tx, run string) (Task, bool) {
	c := durable.Kept[openTasks](tx)
	if k, ok := c.tasks[run]; ok {
		return k.Task, true
	}
	rows := tx.SQL(`SELECT `+briefTask+` FROM task WHERE run = ?`, run)
	k, ok := oneTask(rows)
	if ok && !k.Ended {
		if c.tasks == nil {
			c.tasks = map[string]openTask{}
		}
		c.tasks[run] = openTask{Task: k, bytes: 256 + len(rows[0].Text(5)) + len(rows[0].Text(6))}
	}
	return k, ok
}

// openTasks are runs that have not ended, as [findBriefTask] has read them.
type openTasks struct{ tasks map[string]openTask }

// openTask is one of them. bytes is its size with its outcome and its report, which may be large.
type openTask struct {
	Task
	bytes int
}

// Bytes implements [durable.Copy].
func (c *openTasks) Bytes() (n int) {
	for _, k := range c.tasks {
		n += k.bytes
	}
	return n
}

// forget forgets a run whose row changes.
func (c *openTasks) forget(run string) { delete(c.tasks, run) }

// OfTurn returns the run that a turn works on.
func OfTurn(tx *durable.Tx, turn int64) (Task, bool) {
	return oneTask(tx.SQL(`SELECT `+taskColumns+` FROM task WHERE turn = ?`, turn))
}

func oneTask(rows []durable.Row) (Task, bool) {
	if len(rows) == 0 {
		return Task{}, false
	}
	row := rows[0]
	k := Task{Run: row.Text(0), Turn: row.Int(1), Log: row.Int(2), Ended: row.Bool(3)}
	if !decode(row.Text(4), &k.Request) || !decode(row.Text(5), &k.Outcome) {
		k.Outcome = facet.Outcome{Status: string(turn.Failed), Failure: "what came of the run was damaged"}
	}
	if !decode(row.Text(6), &k.reported) {
		k.reported = reported{}
	}
	return k, true
}

// decode reads one of the core's own values from JSON, and says whether it is undamaged. An empty
// string leaves the value as it is.
func decode(stored string, v any) bool {
	return stored == "" || json.Unmarshal([]byte(stored), v) == nil
}

// Keep stores the outcome of a run. ended makes it final.
func Keep(tx *durable.Tx, k Task, ended bool) {
	durable.Kept[openTasks](tx).forget(k.Run)
	tx.SQL(`UPDATE task SET ended = ?, outcome = ? WHERE run = ? AND ended = 0`, ended, string(limit.MustMarshal(k.Outcome)), k.Run)
}

// Accept adds a run that the parent has handed over, with the turn that works on it.
func Accept(tx *durable.Tx, r facet.StartRequest, turn int64) {
	tx.SQL(`INSERT INTO task (run, turn, log, asked) VALUES (?, ?, ?, ?)`, r.Run, turn, turn, string(limit.MustMarshal(r)))
}

// CancelEarly marks a run that is not here yet as cancelled, with a reason in words.
func CancelEarly(tx *durable.Tx, run, reason string) {
	tx.SQL(`INSERT INTO task (run, turn, log) VALUES (?, 0, 0)`, run)
	Keep(tx, Task{Run: run, Outcome: facet.Outcome{Status: string(turn.Aborted), Failure: reason}}, true)
}

// ContinueOn notes that another turn works on a run.
func ContinueOn(tx *durable.Tx, run string, turn int64) {
	durable.Kept[openTasks](tx).forget(run)
	tx.SQL(`UPDATE task SET turn = ? WHERE run = ?`, turn, run)
}

// Open returns the runs that have not ended, oldest first.
func Open(tx *durable.Tx) (runs []string) {
	for _, row := range tx.SQL(`SELECT run FROM task WHERE ended = 0 ORDER BY log`) {
		runs = append(runs, row.Text(0))
	}
	return runs
}

// Logs returns the logs of all runs.
func Logs(tx *durable.Tx) (ids []stream.ID) {
	for _, row := range tx.SQL(`SELECT log FROM task`) {
		ids = append(ids, stream.ID(row.Int(0)))
	}
	return ids
}

// Depth is how far below the root a helper lives, or 0 if it was not handed a run yet.
func Depth(tx *durable.Tx) int {
	k, _ := oneTask(tx.SQL(`SELECT ` + taskColumns + ` FROM task WHERE asked != '' LIMIT 1`))
	return k.Request.Depth
}
