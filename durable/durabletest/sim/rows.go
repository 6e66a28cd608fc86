package sim

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file reads what objects have stored. Checks know these tables and columns: turn
// (seq, request, status, reason, submission, key,
// asked, started_at, plain, attempt) and run (id, class, turn, slot, status, failure, reason, handler,
// input_tokens, output_tokens, model_calls, deadline, time_left).

func (s *Sim) storage(object string) *durabletest.SQLite {
	storage, err := s.engine.Storage(object)
	if err != nil {
		panic(fmt.Errorf("sim: storage of %s: %w", object, err))
	}
	return storage
}

func (s *Sim) rows(object, statement string, args ...any) []durable.Row {
	rows, err := s.storage(object).SQL(statement, args)
	if err != nil {
		panic(fmt.Errorf("sim: %w", err))
	}
	return rows
}

// turnRow and runRow are what checks know of a turn and of a run.
type turnRow struct {
	seq, attempt            int64
	request, status, reason string
	// submission, key and asked are "" unless it was submitted.
	submission, key, asked string
	begun, plain           bool
}

type runRow struct {
	id, class, status, failure, reason, handler string
	slot, turn, modelCalls                      int64
	cost                                        tokens
	clock                                       clock
}

// cachedRows is what was read of an object, and how much had been written to its tables then.
type cachedRows[T any] struct {
	written int
	rows    []T
}

// reread returns what is read of an object's tables, and reads it only if something was written
// to them since. The rows are everybody's.
func reread[T any](s *Sim, have map[string]cachedRows[T], object string, read func(object string) []T, tables ...string) []T {
	written := 1 // 0 is that nothing was read yet
	for _, table := range tables {
		written += s.storage(object).Written(table)
	}
	if k := have[object]; k.written == written {
		return k.rows
	}
	have[object] = cachedRows[T]{written, read(object)}
	return have[object].rows
}

func (s *Sim) turns(object string) []turnRow {
	return reread(s, s.checks.storedTurns, object, s.readTurns, "turn")
}

func (s *Sim) runs(object string) []runRow {
	return reread(s, s.checks.storedRuns, object, s.readRuns, "run")
}

func (s *Sim) readTurns(object string) []turnRow {
	var turns []turnRow
	for _, r := range s.rows(object, `SELECT seq, request, status, reason, submission, key, asked, started_at, plain, attempt FROM turn ORDER BY seq`) {
		turns = append(turns, turnRow{
			seq: r.Int(0), request: r.Text(1), status: r.Text(2), reason: r.Text(3),
			submission: r.Text(4), key: r.Text(5), asked: r.Text(6), begun: r.Int(7) > 0, plain: r.Bool(8), attempt: r.Int(9),
		})
	}
	return turns
}

func (s *Sim) readRuns(object string) []runRow {
	var runs []runRow
	for _, r := range s.rows(object, `SELECT id, class, status, failure, reason, slot, turn, handler,
		input_tokens, output_tokens, model_calls, deadline, time_left FROM run ORDER BY seq`) {
		runs = append(runs, runRow{
			id: r.Text(0), class: r.Text(1), status: r.Text(2), failure: r.Text(3), reason: r.Text(4), slot: r.Int(5), turn: r.Int(6), handler: r.Text(7),
			cost: tokens{r.Int(8), r.Int(9)}, modelCalls: r.Int(10), clock: clock{r.Int(11), r.Int(12)},
		})
	}
	return runs
}

func final(status string) bool {
	switch status {
	case "completed", "error", "aborted", "skipped":
		return true
	}
	return false
}

// dump is all that an object has stored.
func (s *Sim) dump(object string) string {
	var b strings.Builder
	for _, t := range s.rows(object, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`) {
		fmt.Fprintln(&b, t.Text(0))
		for _, row := range s.rows(object, `SELECT * FROM "`+t.Text(0)+`"`) {
			fmt.Fprintln(&b, row...)
		}
	}
	return b.String()
}

// made says whether an object has ever been opened: its tables are there.
func (s *Sim) made(object string) bool {
	if !s.checks.made[object] {
		s.checks.made[object] = len(s.rows(object, `SELECT 1 FROM sqlite_schema WHERE name = 'turn'`)) > 0
	}
	return s.checks.made[object]
}
