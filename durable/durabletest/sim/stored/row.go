package stored

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Turn is a row of the table turn.
type Turn struct {
	Seq, Attempt            int64
	Request, Status, Reason string
	// Submission, Key and Asked are "" unless the turn was submitted.
	Submission, Key, Asked string
	Begun, Plain           bool
}

// Run is a row of the table run.
type Run struct {
	ID, Class, Status, Failure, Reason, Handler string
	Slot, Turn, ModelCalls                      int64
	Cost                                        Tokens
	Clock                                       Clock
	Pause                                       Pause
	Restart                                     Restart
	// Origin is the helper that has begun the run, which the root hosts, as JSON, or "". Hosted says
	// that the row is such a helper's.
	Origin string
	Hosted bool
}

// Pause is what is known of the pauses of a run.
type Pause struct {
	// Due says that the helper has not acknowledged the last change. Inherited says that the run is
	// paused because that of its parent is.
	Due, Inherited bool
}

// Restart is the run that a run repeats, and from which step, if it repeats one.
type Restart struct{ Of, From string }

// Kebab returns the name of a class as the address of a page has it.
func Kebab(class string) string { return protocol.Kebab(class) }

// Tokens is what model calls have cost.
type Tokens struct{ Input, Output int64 }

// Clock is the time that a run still has: until its deadline or, while the run waits for a person,
// the time that is left when it goes on.
type Clock struct{ Deadline, Left int64 }

// Remaining returns the time that is left, in milliseconds.
func (c Clock) Remaining(now int64) int64 {
	if c.Deadline > 0 {
		return max(c.Deadline-now, 1)
	}
	return c.Left
}

// Final says whether a turn or a run with this status has ended.
func Final(status string) bool {
	switch status {
	case "completed", "error", "aborted", "skipped":
		return true
	}
	return false
}

// Turns returns the turns of an object. The slice belongs to the reader.
func (r *Reader) Turns(object string) []Turn { return r.turns.read(r, object, r.readTurns, "turn") }

// Runs returns the runs of an object. The slice belongs to the reader.
func (r *Reader) Runs(object string) []Run { return r.runs.read(r, object, r.readRuns, "run") }

// TakenSlots returns the slots of an object that are taken, as rows of a number and a run. The
// slice belongs to the reader.
func (r *Reader) TakenSlots(object string) []durable.Row {
	return r.slots.read(r, object, r.readTakenSlots, "slot")
}

// cache is the rows of one kind that were read last, by object.
type cache[T any] map[string]struct {
	// written is how much had been written to the tables then.
	written int
	rows    []T
}

// read returns the rows of an object, and reads them only after a write to one of the tables.
func (c cache[T]) read(r *Reader, object string, read func(object string) []T, tables ...string) []T {
	written := 1 // 0 means that nothing was read yet
	for _, table := range tables {
		written += r.Storage(object).Written(table)
	}
	have := c[object]
	if have.written == written {
		return have.rows
	}
	have.written, have.rows = written, read(object)
	c[object] = have
	return have.rows
}

func (r *Reader) readTurns(object string) []Turn {
	var turns []Turn
	for _, row := range r.Rows(object, `SELECT seq, request, status, reason, submission, key, asked, started_at, plain, attempt FROM turn ORDER BY seq`) {
		turns = append(turns, Turn{
			Seq: row.Int(0), Request: row.Text(1), Status: row.Text(2), Reason: row.Text(3),
			Submission: row.Text(4), Key: row.Text(5), Asked: row.Text(6), Begun: row.Int(7) > 0, Plain: row.Bool(8), Attempt: row.Int(9),
		})
	}
	return turns
}

func (r *Reader) readRuns(object string) []Run {
	var runs []Run
	for _, row := range r.Rows(object, `SELECT id, class, status, failure, reason, slot, turn, handler,
		input_tokens, output_tokens, model_calls, deadline, time_left, pause, restart, origin, hosted FROM run ORDER BY seq`) {
		run := Run{
			ID: row.Text(0), Class: row.Text(1), Status: row.Text(2), Failure: row.Text(3), Reason: row.Text(4), Slot: row.Int(5), Turn: row.Int(6), Handler: row.Text(7),
			Cost: Tokens{row.Int(8), row.Int(9)}, ModelCalls: row.Int(10), Clock: Clock{row.Int(11), row.Int(12)},
		}
		readJSON(row.Text(13), &run.Pause)
		readJSON(row.Text(14), &run.Restart)
		run.Origin, run.Hosted = row.Text(15), row.Text(16) != ""
		runs = append(runs, run)
	}
	return runs
}

// readJSON reads a column that is JSON, or "".
func readJSON(text string, v any) {
	if text == "" {
		return
	}
	if err := json.Unmarshal([]byte(text), v); err != nil {
		panic(fmt.Errorf("stored: %w", err))
	}
}

func (r *Reader) readTakenSlots(object string) []durable.Row {
	return r.Rows(object, `SELECT n, run FROM slot WHERE run IS NOT NULL`)
}
