package schedule

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Schema is the table of schedules.
var Schema = durable.Schema{Room: "callback", Steps: []string{
	`CREATE TABLE callback (
		seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, payload TEXT NOT NULL, timing TEXT NOT NULL,
		tries INTEGER NOT NULL, state TEXT NOT NULL, planned INTEGER NOT NULL, due INTEGER NOT NULL,
		attempts INTEGER NOT NULL DEFAULT 0, failure TEXT NOT NULL DEFAULT '', made_at INTEGER NOT NULL)`,
	`CREATE INDEX callback_due ON callback (state, due)`,
}}

// Entry is one schedule.
type Entry struct {
	// Seq is another one for each schedule that was made, also under an id that was used
	// before.
	Seq int64
	// ID names the schedule.
	ID string
	// Callback names who is called, with the Payload, JSON or nil.
	Callback string
	Payload  json.RawMessage
	When     When
	// Tries is how often one call is attempted.
	Tries int
	State State
	// Planned is the time of the call by its When, Due the time of its next attempt, in
	// milliseconds since 1970.
	Planned, Due int64
	// Attempts counts those of the call, Failure says in words why the last one failed.
	Attempts int
	Failure  string
	// MadeAt is when the schedule was made, in milliseconds since 1970.
	MadeAt int64
}

// State is where a schedule stands.
type State string

// The states of a schedule. One that is done is gone.
const (
	// Waits for its time.
	Waits State = "waiting"
	// Claimed is about to be called: the attempt is counted.
	Claimed State = "claimed"
	// Failed was tried as often as that is done, and is kept.
	Failed State = "failed"
)

// states are those that a row can have; anything else is damage.
var states = map[string]State{string(Waits): Waits, string(Claimed): Claimed, string(Failed): Failed}

const (
	columns = `seq, id, name, payload, timing, tries, state, planned, due, attempts, failure, made_at`
	// brief are the columns without what can be large.
	brief = `seq, id, name, '', timing, tries, state, planned, due, attempts, failure, made_at`
)

func scan(row durable.Row) Entry {
	e := Entry{
		Seq: row.Int(0), ID: row.Text(1), Callback: row.Text(2), Payload: row.JSON(3), Tries: int(row.Int(5)), State: states[row.Text(6)],
		Planned: row.Int(7), Due: row.Int(8), Attempts: int(row.Int(9)), Failure: row.Text(10), MadeAt: row.Int(11),
	}
	if json.Unmarshal([]byte(row.Text(4)), &e.When) != nil {
		e.When = When{} // which is called once more, and then kept as failed
	}
	return e
}

func one(rows []durable.Row) (Entry, bool) {
	for _, row := range rows {
		return scan(row), true
	}
	return Entry{}, false
}

// keep writes all of an entry, under the number that it has.
func keep(tx *durable.Tx, e Entry) {
	tx.SQL(`INSERT OR REPLACE INTO callback (`+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.Seq, e.ID, e.Callback, string(e.Payload), timing(e.When), e.Tries, string(e.State), e.Planned, e.Due, e.Attempts, e.Failure, e.MadeAt)
}

func timing(w When) string {
	b, err := json.Marshal(w)
	if err != nil {
		panic("schedule: " + err.Error())
	}
	return string(b)
}
