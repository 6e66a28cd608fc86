package schedule

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Schema is the table of schedules.
var Schema = durable.Schema{Component: "callback", Steps: []string{
	`CREATE TABLE callback (
		seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, payload TEXT NOT NULL, timing TEXT NOT NULL,
		tries INTEGER NOT NULL, state TEXT NOT NULL, planned INTEGER NOT NULL, due INTEGER NOT NULL,
		attempts INTEGER NOT NULL DEFAULT 0, failure TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL)`,
	`CREATE INDEX callback_due ON callback (state, due)`,
	`ALTER TABLE callback ADD COLUMN claims TEXT NOT NULL DEFAULT ''`,
}, Parts: []string{
	`CREATE TABLE callback (
		seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, payload TEXT NOT NULL, timing TEXT NOT NULL,
		tries INTEGER NOT NULL, state TEXT NOT NULL, planned INTEGER NOT NULL, due INTEGER NOT NULL,
		attempts INTEGER NOT NULL DEFAULT 0, failure TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL, claims TEXT NOT NULL DEFAULT '');
	CREATE INDEX callback_due ON callback (state, due)`,
}}

// Entry is one schedule.
type Entry struct {
	// Seq is unique for each schedule that was created, even if an id is used again.
	Seq int64
	// ID names the schedule.
	ID string
	// Callback names the function to call, with the Payload, JSON or nil.
	Callback string
	Payload  json.RawMessage
	When     When
	// MaxAttempts is how many times one call is attempted.
	MaxAttempts int
	// Record is what is kept of the attempts of the call. Its Failure may be of an earlier call.
	attempt.Record
	// Planned is the time of the call by its When, and Due the time of its next attempt, both in
	// milliseconds since 1970.
	Planned, Due int64
	// Claims are those of the code that has made the schedule: JSON, or "" if everything is granted.
	Claims string
	// MadeAt is when the schedule was created, in milliseconds since 1970.
	MadeAt int64
}

// State is the state of a schedule, as it is told.
type State string

// The states of a schedule. It waits for its time, is about to be called, or has used all its
// attempts. A schedule that is done is deleted.
const (
	Waits   = State(attempt.Waiting)
	Claimed = State(attempt.Claimed)
	Failed  = State(attempt.Failed)
)

// states are the valid states of a row. Any other state is damage.
var states = map[string]attempt.State{string(Waits): attempt.Waiting, string(Claimed): attempt.Claimed, string(Failed): attempt.Failed}

const (
	columns = `seq, id, name, payload, timing, tries, state, planned, due, attempts, failure, made_at, claims`
	// brief are the columns without the large ones.
	brief = `seq, id, name, '', timing, tries, state, planned, due, attempts, failure, made_at, claims`
)

func scan(row durable.Row) Entry {
	e := Entry{
		Seq: row.Int(0), ID: row.Text(1), Callback: row.Text(2), Payload: row.JSON(3), MaxAttempts: int(row.Int(5)),
		Record:  attempt.Record{State: states[row.Text(6)], Attempts: int(row.Int(9)), Failure: row.Text(10)},
		Planned: row.Int(7), Due: row.Int(8), MadeAt: row.Int(11), Claims: row.Text(12),
	}
	if json.Unmarshal([]byte(row.Text(4)), &e.When) != nil {
		e.When = When{} // a damaged schedule is called once more, and then kept as failed
	}
	return e
}

func one(rows []durable.Row) (Entry, bool) {
	for _, row := range rows {
		return scan(row), true
	}
	return Entry{}, false
}

// keep writes all columns of an entry, under its number.
func keep(tx *durable.Tx, e Entry) {
	tx.SQL(`INSERT OR REPLACE INTO callback (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Seq, e.ID, e.Callback, string(e.Payload), string(limit.MustMarshal(e.When)), e.MaxAttempts, string(e.State), e.Planned, e.Due, e.Attempts, e.Failure, e.MadeAt, e.Claims)
}
