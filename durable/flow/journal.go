package flow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Schema is the journal's table, beside [durable.ScheduleSchema] and [durable.DamageSchema]. A row
// is one await of one routine, with its branch and its place in the branch, which identify it, and
// its result. ended numbers the awaits of a routine in the order of their ends; 0 is an open one.
//
// The last columns belong to steps with attempts, see [Do]. nth numbers the steps of a name, from 1
// on, and is 0 for any other await. attempts and lost count the attempts that have ended, error is
// what the last one has failed with, and reason is also set while the step is open: it says whether
// the last attempt was lost. salt is chance for the keys. next is the number of the next await when
// awaits inside of the step were deleted last, so that no number is used twice. seen is the number
// of the last end that the code knew of when the step began. A [Guard] has other uses for some of them.
var Schema = durable.Schema{Component: "flow", Steps: []string{
	`CREATE TABLE await (
		routine TEXT NOT NULL, position INTEGER NOT NULL, branch INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,
		ended INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', result BLOB,
		PRIMARY KEY (routine, position)) WITHOUT ROWID`,
	`CREATE INDEX await_ended ON await (routine, ended) WHERE ended > 0`,
	// An inbox is how many signals have come for a run, and how many its code has received. The
	// others are kept in the order in which they have come.
	`CREATE TABLE inbox (id TEXT PRIMARY KEY, last INTEGER NOT NULL, received INTEGER NOT NULL, received_bytes INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE inbox_signal (seq INTEGER PRIMARY KEY, inbox TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
		at INTEGER NOT NULL, sender TEXT NOT NULL, payload TEXT NOT NULL)`,
	`ALTER TABLE await ADD COLUMN nth INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE await ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE await ADD COLUMN lost INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE await ADD COLUMN error TEXT NOT NULL DEFAULT ''`,
	`ALTER TABLE await ADD COLUMN salt BLOB`,
	`ALTER TABLE await ADD COLUMN next INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE await ADD COLUMN seen INTEGER NOT NULL DEFAULT 0`,
}, Parts: []string{
	`CREATE TABLE await (
		routine TEXT NOT NULL, position INTEGER NOT NULL, branch INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,
		ended INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '', failure TEXT NOT NULL DEFAULT '', result BLOB,
		nth INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, lost INTEGER NOT NULL DEFAULT 0,
		error TEXT NOT NULL DEFAULT '', salt BLOB, next INTEGER NOT NULL DEFAULT 0, seen INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (routine, position)) WITHOUT ROWID;
	CREATE INDEX await_ended ON await (routine, ended) WHERE ended > 0`,
	`CREATE TABLE inbox (id TEXT PRIMARY KEY, last INTEGER NOT NULL, received INTEGER NOT NULL, received_bytes INTEGER NOT NULL) WITHOUT ROWID;
	CREATE TABLE inbox_signal (seq INTEGER PRIMARY KEY, inbox TEXT NOT NULL, n INTEGER NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
		at INTEGER NOT NULL, sender TEXT NOT NULL, payload TEXT NOT NULL)`,
}}

// Open returns the awaits that are open, of all routines, up to a number.
func Open(tx *durable.Tx, most int) []Key {
	var open []Key
	for _, row := range tx.SQL(`SELECT routine, position FROM await WHERE ended = 0 LIMIT ?`, most) {
		open = append(open, Key{Routine: row.Text(0), Position: int(row.Int(1))})
	}
	return open
}

// Limits of a journal. Code that goes beyond the last two ends with an error.
const (
	// MaxResult is the largest result of one await, in bytes. A larger one is a failure.
	MaxResult = limit.Await
	// MaxAwaits is the maximum number of awaits of a routine. A step of [Do] is one await. The awaits
	// inside of the steps that are under way are counted for themselves, up to the same number.
	MaxAwaits = 10_000
	// MaxJournal is the maximum size of all results of a routine's awaits, in bytes.
	MaxJournal = 16 << 20
	// maxName is how many bytes of an await's name are kept.
	maxName = 256
)

// Key names one await: the routine and the await's number in it, in the order in which awaits
// begin. The component that brings the result stores the key in a row of its own.
type Key struct {
	Routine  string
	Position int
}

// Main is the branch of a routine's own code.
const Main = -1

// entry is one await: its journal row, and its state in this life.
type entry struct {
	key           Key
	branch, place int
	name          string
	ended         int
	reason        Reason
	failure       string
	result        []byte
	// step is not nil if the await is a step with attempts. inside says that it was begun inside of
	// such a step.
	step   *step
	inside bool
	// again says that the row was copied from another journal, in which the await was open: its
	// operation has to begin.
	again bool

	// op is nil until the code has reached the await in this life. limits are the awaits of the
	// time limits around it.
	op     *Op
	limits []int
}

// open says whether the code has reached the await, and it has not ended.
func (e *entry) open() bool { return e.ended == 0 && e.op != nil }

// outcome returns the result of an await that has ended.
func (e *entry) outcome() ([]byte, error) {
	if e.failure != "" {
		return e.result, &Error{Op: e.name, Message: e.failure, Reason: e.reason}
	}
	return e.result, nil
}

// journal is the awaits of one routine.
type journal struct {
	routine string
	// entries is indexed by position, and branches by branch and place.
	entries  map[int]*entry
	branches map[int][]*entry
	next     int
	// ended is the number of the last end that was read. bytes is the size of the results, and inside
	// the number of the awaits inside of steps.
	ended, bytes, inside int
	// seen is the number of the last end that the code may know of.
	seen int
	// steps counts the steps of each name. It is nil when it has to be counted again.
	steps map[string]int
}

const columns = `position, ended, reason, failure, result`

// read returns a routine's journal. A missing row is damage: the rows behind it in its branch are
// set aside, and these awaits begin again. So is a row whose branch is not older than itself: a
// branch is numbered by the await that has begun it.
func read(tx *durable.Tx, routine string) *journal {
	j := &journal{routine: routine, entries: map[int]*entry{}, branches: map[int][]*entry{}}
	for _, row := range tx.SQL(`SELECT `+columns+`, branch, place, name, next, nth, attempts, lost, salt
		FROM await WHERE routine = ? ORDER BY place, position`, routine) {
		e := &entry{key: Key{Routine: routine, Position: int(row.Int(0))}, branch: int(row.Int(5)), place: int(row.Int(6)), name: row.Text(7)}
		j.next = max(j.next, e.key.Position+1, int(row.Int(8)))
		if nth := int(row.Int(9)); nth > 0 {
			why := Reason(row.Text(2))
			e.step = &step{nth: nth, attempts: int(row.Int(10)), lost: int(row.Int(11)), wasLost: why == lost, doubt: why == lost || why == inDoubt, salt: row.Blob(12)}
		}
		e.again = Reason(row.Text(2)) == copied
		var damage error
		switch {
		case e.branch >= e.key.Position:
			damage = errors.New("its branch is not older than itself")
		case e.place != len(j.branches[e.branch]):
			damage = errors.New("one before it in its branch is missing")
		}
		if damage != nil {
			tx.KeepDamaged(fmt.Sprintf("await %d of %s, %s", e.key.Position, routine, e.name), string(row.Blob(4)), damage)
			tx.SQL(`DELETE FROM await WHERE routine = ? AND position = ?`, routine, row[0])
			continue
		}
		j.add(e)
		j.take(row)
		j.ended = max(j.ended, e.ended)
	}
	for _, e := range j.entries {
		if e.inside = j.stepAround(e.branch) != nil; e.inside {
			j.inside++
		}
	}
	j.makeCurrent(tx)
	return j
}

func (j *journal) add(e *entry) {
	j.entries[e.key.Position] = e
	j.branches[e.branch] = append(j.branches[e.branch], e)
}

// full says whether the routine awaits too often.
func (j *journal) full(inside bool) bool {
	if inside {
		return j.inside >= MaxAwaits
	}
	return len(j.entries)-j.inside >= MaxAwaits
}

// take reads the result of an await from its row.
func (j *journal) take(row durable.Row) {
	e := j.entries[int(row.Int(0))]
	if e == nil || e.ended > 0 || row.Int(1) <= 0 {
		return
	}
	e.ended, e.reason, e.failure, e.result = int(row.Int(1)), Reason(row.Text(2)), row.Text(3), row.Blob(4)
	j.bytes += len(e.result)
	j.seen = max(j.seen, e.ended)
}

// refresh reads the awaits that have ended since its last call. SQLite looks for the first of two
// bounds in the index, and compares all rows behind it with the second, which says here that the index
// has all rows that are asked for.
func (j *journal) refresh(tx *durable.Tx) {
	if j.isCurrent(tx) {
		return
	}
	for _, row := range tx.SQL(`SELECT `+columns+` FROM await WHERE routine = ? AND ended > ? AND ended > 0`, j.routine, j.ended) {
		j.take(row)
		j.ended = max(j.ended, int(row.Int(1)))
	}
	j.makeCurrent(tx)
}

// look reads the result of one await.
func (j *journal) look(tx *durable.Tx, e *entry) {
	if j.isCurrent(tx) {
		return
	}
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

// begin writes the row of a new await, or of a new step.
func (j *journal) begin(tx *durable.Tx, branch, place int, name string, isStep bool) *entry {
	e := &entry{key: Key{Routine: j.routine, Position: j.next}, branch: branch, place: place, name: name}
	j.next++
	if e.inside = j.stepAround(branch) != nil; e.inside {
		j.inside++
	}
	j.add(e)
	if isStep {
		j.beginStep(tx, e)
		return e
	}
	tx.SQL(`INSERT INTO await (routine, position, branch, place, name) VALUES (?, ?, ?, ?, ?)`,
		e.key.Routine, e.key.Position, branch, place, name)
	return e
}

// newest returns the awaits ordered by position, the last first.
func (j *journal) newest() []*entry {
	all := make([]*entry, 0, len(j.entries))
	for _, e := range j.entries {
		all = append(all, e)
	}
	return lastFirst(all)
}

// lastFirst orders awaits by position, the last first. It sorts numbers, because every module has the code
// for that.
func lastFirst(all []*entry) []*entry {
	positions, at := make([]int, 0, len(all)), make(map[int]*entry, len(all))
	for _, e := range all {
		positions = append(positions, e.key.Position)
		at[e.key.Position] = e
	}
	slices.Sort(positions)
	for i, position := range positions {
		all[len(all)-1-i] = at[position]
	}
	return all
}

// Complete journals the result of an await, or its failure as text. It returns false, and changes
// nothing, if the await does not exist or has ended. The routine continues at [Routine.Resume].
func Complete(tx *durable.Tx, key Key, result []byte, failure string) bool {
	return len(complete(tx, key, result, "", failure, `position`)) > 0
}

// complete is [Complete] for an await of this routine, which is told the result as it was stored.
func (j *journal) complete(tx *durable.Tx, e *entry, result []byte, reason Reason, failure string) {
	before := j.isCurrent(tx)
	rows := complete(tx, e.key, result, reason, failure, columns)
	if len(rows) == 0 { // it has ended before
		j.look(tx, e)
		return
	}
	if j.take(rows[0]); before {
		j.ended = max(j.ended, e.ended)
		j.makeCurrent(tx)
	}
}

func complete(tx *durable.Tx, key Key, result []byte, reason Reason, failure, returning string) []durable.Row {
	outdate(tx, key.Routine)
	if len(result) > MaxResult {
		result, failure = nil, fmt.Sprintf("what it brought has %d bytes, at most %d", len(result), MaxResult)
	}
	failure = cut(failure)
	if result == nil {
		result = []byte{}
	}
	return tx.SQL(`UPDATE await SET ended = 1 + (SELECT COALESCE(MAX(ended), 0) FROM await WHERE routine = ? AND ended > 0),
		reason = ?, failure = ?, result = ? WHERE routine = ? AND position = ? AND ended = 0 RETURNING `+returning,
		key.Routine, string(reason), failure, result, key.Routine, key.Position)
}

// Forgotten is told of each routine that is over, with the names of the awaits that had not ended, if
// it is not nil. A package that keeps something by the names of routines sets it when the program
// starts.
var Forgotten func(tx *durable.Tx, routine string, open []string)

// Forget deletes a routine's journal and its sleeps, and terminates the Workflows that it waits for.
func Forget(tx *durable.Tx, routine string) {
	outdate(tx, routine)
	var open []string
	for _, row := range tx.SQL(`DELETE FROM await WHERE routine = ? RETURNING position, ended, name`, routine) {
		if row.Int(1) > 0 {
			continue
		}
		release(tx, Key{Routine: routine, Position: int(row.Int(0))}, row.Text(2))
		open = append(open, row.Text(2))
	}
	notifyForgotten(tx, routine, open)
}

// release has an open await hold nothing any more.
func release(tx *durable.Tx, key Key, name string) {
	if strings.HasPrefix(name, workflowOf) {
		forgetWorkflow(tx, key, name)
		return
	}
	tx.Unschedule(DueSleep, sleepID(key))
}

func notifyForgotten(tx *durable.Tx, routine string, open []string) {
	if Forgotten != nil {
		Forgotten(tx, routine, open)
	}
}

// cut returns the text of an error as the journal keeps it.
func cut(words string) string {
	if n := len(words); n > limit.AwaitError {
		return fmt.Sprintf("%s… (cut off here, %d bytes in all)", strings.ToValidUTF8(words[:limit.AwaitError], ""), n)
	}
	return words
}
