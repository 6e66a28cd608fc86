package flow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Schema is the journal's table, beside [durable.ScheduleSchema] and [durable.DamageSchema]. A row is one await of one routine: the branch that
// asked and the await's place in it, which find it again, and what has come of it.
// ended numbers the awaits of a routine in the order of their ends; 0 is an open one.
var Schema = durable.Schema{Room: "flow", Steps: []string{
	`CREATE TABLE await (
		routine TEXT NOT NULL, position INTEGER NOT NULL, branch INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,
		ended INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', result BLOB,
		PRIMARY KEY (routine, position)) WITHOUT ROWID`,
	`CREATE INDEX await_ended ON await (routine, ended) WHERE ended > 0`,
}}

// Limits of a journal. Code that goes beyond the last two ends with an error.
const (
	// MaxResult is the size of what one await can bring, in bytes; more is a failure.
	MaxResult = limit.Await
	// MaxAwaits is the number of awaits that a routine can begin.
	MaxAwaits = 10_000
	// MaxJournal is the size of all that a routine's awaits can bring, in bytes.
	MaxJournal = 16 << 20
	// maxName is how much of an await's name is kept, in bytes.
	maxName = 256
)

// Key names one await: the routine and the await's number in it, in the order of
// beginning. Whoever brings the result keeps it in a row of its own.
type Key struct {
	Routine  string
	Position int
}

// Trunk is the branch that a routine's own code is.
const Trunk = -1

// entry is one await as the journal holds it, and what this life knows of it.
type entry struct {
	key           Key
	branch, place int
	name          string
	ended         int
	reason        Reason
	failure       string
	result        []byte

	// op is nil until the code has asked for it in this life. limits are the awaits
	// that bound its time.
	op     *Op
	limits []int
}

// open says whether the code has asked for an await that has not ended.
func (e *entry) open() bool { return e.ended == 0 && e.op != nil }

// outcome is what an await that has ended has brought.
func (e *entry) outcome() ([]byte, error) {
	if e.failure != "" {
		return e.result, &Error{Op: e.name, Message: e.failure, Reason: e.reason}
	}
	return e.result, nil
}

// journal is what one routine has awaited.
type journal struct {
	routine string
	// entries are by position, branches by branch and place.
	entries  map[int]*entry
	branches map[int][]*entry
	next     int
	// ended is the last end that was read, bytes what the results hold.
	ended, bytes int
}

const columns = `position, ended, reason, failure, result`

// read returns a routine's journal. A row that is missing is damage: what is behind
// it in its branch is set aside, and asked again.
func read(tx *durable.Tx, routine string) *journal {
	j := &journal{routine: routine, entries: map[int]*entry{}, branches: map[int][]*entry{}}
	for _, row := range tx.SQL(`SELECT `+columns+`, branch, place, name FROM await WHERE routine = ? ORDER BY place, position`, routine) {
		e := &entry{key: Key{Routine: routine, Position: int(row.Int(0))}, branch: int(row.Int(5)), place: int(row.Int(6)), name: row.Text(7)}
		j.next = max(j.next, e.key.Position+1)
		if e.place != len(j.branches[e.branch]) {
			tx.SetAside(fmt.Sprintf("await %d of %s, %s", e.key.Position, routine, e.name), string(row.Blob(4)), errors.New("one before it in its branch is missing"))
			tx.SQL(`DELETE FROM await WHERE routine = ? AND position = ?`, routine, row[0])
			continue
		}
		j.add(e)
		j.take(row)
	}
	return j
}

func (j *journal) add(e *entry) {
	j.entries[e.key.Position] = e
	j.branches[e.branch] = append(j.branches[e.branch], e)
}

// take notes what a row says has come of its await.
func (j *journal) take(row durable.Row) {
	e := j.entries[int(row.Int(0))]
	if e == nil || e.ended > 0 || row.Int(1) <= 0 {
		return
	}
	e.ended, e.reason, e.failure, e.result = int(row.Int(1)), Reason(row.Text(2)), row.Text(3), row.Blob(4)
	j.bytes += len(e.result)
}

// refresh reads what has ended since it was last called.
func (j *journal) refresh(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT `+columns+` FROM await WHERE routine = ? AND ended > 0 AND ended > ?`, j.routine, j.ended) {
		j.take(row)
		j.ended = max(j.ended, int(row.Int(1)))
	}
}

// look reads what has come of one await.
func (j *journal) look(tx *durable.Tx, e *entry) {
	for _, row := range tx.SQL(`SELECT `+columns+` FROM await WHERE routine = ? AND position = ?`, j.routine, e.key.Position) {
		j.take(row)
	}
}

// find returns the await at a place of a branch, or nil.
func (j *journal) find(branch, place int) *entry {
	if place < len(j.branches[branch]) {
		return j.branches[branch][place]
	}
	return nil
}

// begin writes the row of a new await.
func (j *journal) begin(tx *durable.Tx, branch, place int, name string) *entry {
	e := &entry{key: Key{Routine: j.routine, Position: j.next}, branch: branch, place: place, name: name}
	j.next++
	j.add(e)
	tx.SQL(`INSERT INTO await (routine, position, branch, place, name) VALUES (?, ?, ?, ?, ?)`,
		e.key.Routine, e.key.Position, branch, place, name)
	return e
}

// newest returns the awaits in the order of their positions, the last first.
func (j *journal) newest() []*entry {
	all := make([]*entry, 0, len(j.entries))
	for _, e := range j.entries {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *entry) int { return b.key.Position - a.key.Position })
	return all
}

// Complete journals what an await has brought: a result, or a failure in words. It
// says whether the await was there and open; a second completion changes nothing.
// The routine goes on at [Routine.Resume].
func Complete(tx *durable.Tx, key Key, result []byte, failure string) bool {
	return complete(tx, key, result, "", failure)
}

func complete(tx *durable.Tx, key Key, result []byte, reason Reason, failure string) bool {
	if len(result) > MaxResult {
		result, failure = nil, fmt.Sprintf("what it brought has %d bytes, at most %d", len(result), MaxResult)
	}
	if n := len(failure); n > limit.AwaitError {
		failure = fmt.Sprintf("%s… (cut off here, %d bytes in all)", strings.ToValidUTF8(failure[:limit.AwaitError], ""), n)
	}
	if result == nil {
		result = []byte{}
	}
	return len(tx.SQL(`UPDATE await SET ended = 1 + (SELECT COALESCE(MAX(ended), 0) FROM await WHERE routine = ? AND ended > 0),
		reason = ?, failure = ?, result = ? WHERE routine = ? AND position = ? AND ended = 0 RETURNING position`,
		key.Routine, string(reason), failure, result, key.Routine, key.Position)) > 0
}

// Forget deletes a routine's journal and wakes its sleeps no more.
func Forget(tx *durable.Tx, routine string) {
	for _, row := range tx.SQL(`DELETE FROM await WHERE routine = ? RETURNING position, ended`, routine) {
		if row.Int(1) == 0 {
			tx.Unschedule(DueSleep, sleepID(Key{Routine: routine, Position: int(row.Int(0))}))
		}
	}
}
