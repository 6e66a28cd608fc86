// Package stored reads the tables of simulated objects.
package stored

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Tables are the tables that are read here and by the checks. An object makes each of them when it
// first writes a row to it.
var Tables = []string{
	"action", "action_finished", "action_up", "action_waiter", "answer", "ask", "await", "callback", "caller", "chunk", "drill", "letter", "message",
	"question", "run", "schedule", "setting", "slot", "step", "task", "turn",
}

// Reader reads the storage of the objects of one engine. Turns, runs and slots are read again only
// after a write to their tables, because every statement takes time and counts for a fault that is
// injected at a statement.
type Reader struct {
	engine durabletest.Inspector
	made   map[string]bool
	turns  cache[Turn]
	runs   cache[Run]
	slots  cache[durable.Row]
}

// NewReader returns a reader.
func NewReader(engine durabletest.Inspector) *Reader {
	return &Reader{engine: engine, made: map[string]bool{}, turns: cache[Turn]{}, runs: cache[Run]{}, slots: cache[durable.Row]{}}
}

// Storage returns the storage of an object.
func (r *Reader) Storage(object string) *durabletest.SQLite {
	storage, err := r.engine.Storage(object)
	if err != nil {
		panic(fmt.Errorf("stored: storage of %s: %w", object, err))
	}
	return storage
}

// Rows returns the rows that a statement selects. There are none if one of the [Tables] that it names
// is not made yet.
func (r *Reader) Rows(object, statement string, args ...any) []durable.Row {
	rows, err := r.Storage(object).SQL(statement, args)
	if err != nil && notMade(err) {
		return nil
	}
	if err != nil {
		panic(fmt.Errorf("stored: %w", err))
	}
	return rows
}

// missing finds the name of the table in SQLite's error.
var missing = regexp.MustCompile(`no such table: ([a-z_]+)`)

// notMade says that a statement has failed because one of the [Tables] is not made yet.
func notMade(err error) bool {
	name := missing.FindStringSubmatch(err.Error())
	return name != nil && slices.Contains(Tables, name[1])
}

// Number returns the only value of the only row that a statement selects, or 0 if there is no row, as
// [durable.Tx.Number] does.
func (r *Reader) Number(object, statement string, args ...any) int64 {
	for _, row := range r.Rows(object, statement, args...) {
		return row.Int(0)
	}
	return 0
}

// Made says whether an object was ever opened, which makes its first tables.
func (r *Reader) Made(object string) bool {
	if !r.made[object] {
		r.made[object] = len(r.Rows(object, `SELECT 1 FROM sqlite_schema WHERE name = 'room_version'`)) > 0
	}
	return r.made[object]
}

// Dump returns all rows of all tables of an object but for some, as text to compare.
func (r *Reader) Dump(object string, without ...string) string {
	var b strings.Builder
	for _, t := range r.Rows(object, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`) {
		if slices.Contains(without, t.Text(0)) {
			continue
		}
		fmt.Fprintln(&b, t.Text(0))
		for _, row := range r.Rows(object, `SELECT * FROM "`+t.Text(0)+`"`) {
			if t.Text(0) == "setting" && row.Text(0) == "begun" {
				continue // its event was announced, in a transaction of its own
			}
			fmt.Fprintln(&b, row...)
		}
	}
	return b.String()
}

// Cost returns the tokens of an object's own model calls: those of the turns that have ended, and
// those of the steps of the turn under way.
func (r *Reader) Cost(object string) (t Tokens) {
	for _, statement := range []string{ // not one statement, because one table may be made without the other
		`SELECT value ->> 'inputTokens', value ->> 'outputTokens' FROM setting WHERE key = 'used'`,
		`SELECT input_tokens, output_tokens FROM step`,
	} {
		for _, row := range r.Rows(object, statement) {
			t.Input += row.Int(0)
			t.Output += row.Int(1)
		}
	}
	return t
}

// OpenCalls returns the calls of an object that wait for a person: for an approval, for a result, or for
// the answer to a question of their code.
func (r *Reader) OpenCalls(object string) []string {
	var open []string
	if !r.Made(object) {
		return nil
	}
	for _, row := range r.Rows(object, `SELECT call FROM ask WHERE state IN ('open', 'asking') ORDER BY seq`) {
		open = append(open, row.Text(0))
	}
	return open
}

// Due returns when the first entry of an object's schedule is due, or 0.
func (r *Reader) Due(object string) int64 {
	if !r.Made(object) {
		return 0
	}
	return r.Number(object, `SELECT MIN(due) FROM schedule`)
}

// Records returns the state of a root whose methods people call.
func (r *Reader) Records(object string) contract.Records {
	var records contract.Records
	for _, row := range r.Rows(object, `SELECT value FROM setting WHERE key = 'state'`) {
		if err := json.Unmarshal([]byte(row.Text(0)), &records); err != nil {
			panic(fmt.Errorf("stored: parse the state: %w", err))
		}
	}
	return records
}
