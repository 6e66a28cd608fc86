package flow

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// This file copies a part of a journal to another object, whose code then goes on behind that part.

// MaxKept is the largest journal, in bytes of results, that is kept when its code is over.
const MaxKept = 4 << 20

// copied is the reason in the row of an await that was open where the journal was cut off. Its
// operation begins when the code reaches the await.
const copied Reason = "copied"

// Retire deletes the journal of a routine that is over, as [Forget] does. If the code has steps of
// [Do], and the journal is no larger than [MaxKept], it is kept for [Before]. Its open awaits hold
// nothing any more: they are open if the code was lost, and was not run again.
func Retire(tx *durable.Tx, routine string) {
	outdate(tx, routine)
	for _, row := range tx.SQL(`SELECT MAX(nth), SUM(LENGTH(result)) FROM await WHERE routine = ?`, routine) {
		if row.Int(0) > 0 && row.Int(1) <= MaxKept {
			keep(tx, routine)
			return
		}
	}
	Forget(tx, routine)
}

// keep does for a routine whose journal is kept what [Forget] does, and leaves the journal.
func keep(tx *durable.Tx, routine string) {
	var open []string
	for _, row := range tx.SQL(`SELECT position, name FROM await WHERE routine = ? AND ended = 0`, routine) {
		release(tx, Key{Routine: routine, Position: int(row.Int(0))}, row.Text(1))
		open = append(open, row.Text(1))
	}
	notifyForgotten(tx, routine, open)
}

// Row is a row of a journal, as it travels to another object.
type Row struct {
	Position, Branch, Place int64
	Name                    string
	Ended                   int64
	Reason, Failure         string
	Result                  []byte
	// Nth, Attempts, Lost, Error, Salt, Next and Seen are those of a step.
	Nth, Attempts, Lost, Next int64
	// Seen is the number of the last end before the step began. A copy of the copy needs it.
	Seen  int64
	Error string
	Salt  []byte
}

// Before returns a piece of the part of a journal that lies before the beginning of a step, and says
// whether it is the last. The piece begins behind the first from rows, and has about size bytes. The
// error says that there is no such step. The step is named
// as it is shown: "charge", or "charge (2)". It is one of [Do] or, if there is none, of [Step], and
// not inside of another step. What was open when the step began is open in the rows, also if it has
// ended since. A call that was working on an action is left out: it asks for its key again, and is
// told what has become of the action.
func Before(tx *durable.Tx, routine, step string, from int64, size int) (rows []Row, last bool, err error) {
	places, at, err := placesBefore(tx, routine, step)
	if err != nil {
		return nil, false, err
	}
	for i := from; i < int64(len(places)); i++ {
		if size <= 0 {
			return rows, false, nil
		}
		row := readRow(tx, routine, places[i], at.seen)
		rows = append(rows, row)
		size -= len(row.Result) + len(row.Failure) + len(row.Error) + 128
	}
	return rows, true, nil
}

// outline is an await, without its result.
type outline struct {
	position, branch, place, ended, nth, seen int64
	name                                      string
}

// placesBefore returns the positions of the awaits before a step, and the step.
func placesBefore(tx *durable.Tx, routine, step string) (before []int64, at outline, err error) {
	byPosition := map[int64]outline{}
	var all []outline
	for _, row := range tx.SQL(`SELECT position, branch, place, ended, nth, seen, name FROM await WHERE routine = ? ORDER BY position`, routine) {
		p := outline{row.Int(0), row.Int(1), row.Int(2), row.Int(3), row.Int(4), row.Int(5), row.Text(6)}
		byPosition[p.position] = p
		all = append(all, p)
	}
	isInside := func(p outline) bool {
		for p.branch != Main {
			var ok bool
			if p, ok = byPosition[p.branch]; !ok || p.nth > 0 {
				return true
			}
		}
		return false
	}
	at, ok := findStep(all, step, isInside)
	if !ok {
		return nil, at, fmt.Errorf("there is no step %.80q in the journal", step)
	}
	var copies []outline
	for _, p := range all {
		if p.position < at.position && !isInside(p) {
			copies = append(copies, p)
		}
	}
	return withoutWorking(tx, routine, copies, at.seen), at, nil
}

// findStep finds a step by the name that it is shown under.
func findStep(all []outline, step string, isInside func(outline) bool) (outline, bool) {
	name, nth := step, int64(1)
	if at := strings.LastIndex(step, " ("); at > 0 && strings.HasSuffix(step, ")") {
		if n, err := strconv.ParseInt(step[at+2:len(step)-1], 10, 32); err == nil && n > 1 {
			name, nth = step[:at], n
		}
	}
	var plain int64
	var found outline
	for _, p := range all {
		switch {
		case isInside(p):
		case p.nth == nth && p.name == "do "+name:
			return p, true
		case p.name == "step "+name:
			if plain++; plain == nth {
				found = p
				found.seen = p.ended - 1 // such a step ends at once
			}
		}
	}
	return found, found.name != ""
}

// withoutWorking returns the positions of awaits. It leaves out each claim that was granted, and
// whose action had not ended at the given end, with all that is behind it in its branch. Copied, the
// claim would have the new code perform the action again, although it may be done by now. The same
// holds for the beginning of an undoing.
func withoutWorking(tx *durable.Tx, routine string, copies []outline, seen int64) (positions []int64) {
	type spot struct{ branch, place int64 }
	hasEnded := func(p outline) bool { return p.ended > 0 && p.ended <= seen }
	over := map[spot]bool{}
	for _, p := range copies {
		if p.name == ActionLease && hasEnded(p) {
			over[spot{p.branch, p.place}] = true
		}
	}
	cut, isLeftOut := map[int64]int64{}, map[int64]bool{}
	for _, p := range copies { // what has begun a branch comes before what is in it
		from, isCut := cut[p.branch]
		switch {
		case isLeftOut[p.branch] || isCut && p.place > from:
			isLeftOut[p.position] = true
		case hasEnded(p) && !over[spot{p.branch, p.place + 1}] && takesAction(tx, routine, p):
			cut[p.branch], isLeftOut[p.position] = p.place, true
		default:
			positions = append(positions, p.position)
		}
	}
	return positions
}

// takesAction says whether code works on an action since an await has ended.
func takesAction(tx *durable.Tx, routine string, p outline) bool {
	if p.name != beginsUndo && !strings.HasPrefix(p.name, claimOf) {
		return false
	}
	row := tx.SQL(`SELECT failure, result FROM await WHERE routine = ? AND position = ?`, routine, p.position)[0]
	var claimed struct{ State string }
	switch {
	case row.Text(0) != "":
		return false
	case p.name == beginsUndo:
		return true
	}
	return json.Unmarshal(row.Blob(1), &claimed) == nil && (claimed.State == "begun" || claimed.State == "unknown")
}

// readRow reads a row of which what has happened since the given end is left out.
func readRow(tx *durable.Tx, routine string, position, seen int64) Row {
	row := tx.SQL(`SELECT branch, place, name, ended, reason, failure, result, nth, attempts, lost, next, error, salt, seen
		FROM await WHERE routine = ? AND position = ?`, routine, position)[0]
	r := Row{
		Position: position, Branch: row.Int(0), Place: row.Int(1), Name: row.Text(2), Ended: row.Int(3),
		Reason: row.Text(4), Failure: row.Text(5), Result: row.Blob(6),
		Nth: row.Int(7), Attempts: row.Int(8), Lost: row.Int(9), Next: row.Int(10), Error: row.Text(11), Salt: row.Blob(12), Seen: row.Int(13),
	}
	if r.Nth == 0 {
		r.Seen = 0 // the column has something else for what is no step
	}
	if r.Ended == 0 || r.Ended > seen {
		return Row{Position: r.Position, Branch: r.Branch, Place: r.Place, Name: r.Name, Reason: string(copied), Nth: r.Nth, Salt: r.Salt, Seen: r.Seen}
	}
	return r
}

// Take writes rows that [Before] has returned into the journal of a routine that has not begun. Rows
// that come again change nothing.
func Take(tx *durable.Tx, routine string, rows []Row) {
	for _, r := range rows {
		if r.Result == nil {
			r.Result = []byte{}
		}
		if r.Salt == nil {
			r.Salt = []byte{}
		}
		tx.SQL(`INSERT INTO await (routine, position, branch, place, name, ended, reason, failure, result, nth, attempts, lost, next, error, salt, seen)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			routine, r.Position, r.Branch, r.Place, r.Name, r.Ended, r.Reason, r.Failure, r.Result, r.Nth, r.Attempts, r.Lost, r.Next, r.Error, r.Salt, r.Seen)
	}
}

// Rename gives the journal of a routine to another one, which has not begun.
func Rename(tx *durable.Tx, from, to string) {
	tx.SQL(`UPDATE await SET routine = ? WHERE routine = ?`, to, from)
}

// Rows returns how many awaits a journal has.
func Rows(tx *durable.Tx, routine string) int64 {
	return tx.Number(`SELECT COUNT(*) FROM await WHERE routine = ?`, routine)
}

// beginCopied notes that the operation of a copied await begins.
func (j *journal) beginCopied(tx *durable.Tx, e *entry) {
	e.again = false
	tx.SQL(`UPDATE await SET reason = '' WHERE routine = ? AND position = ? AND ended = 0`, j.routine, e.key.Position)
}
