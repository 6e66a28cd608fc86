package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file counts what is said to another object again, because that has not acknowledged it. The count is a row:
// during a long pause this object loses its memory, and would begin with short pauses again.

// whileSlow is how long to wait after each repetition of what a helper does not acknowledge, in milliseconds. The
// first ones come as fast as a slow helper needs them. From then on the wait grows to a day.
var whileSlow = durable.Backoff{
	checkDelay, checkDelay, checkDelay, checkDelay, checkDelay, checkDelay, checkDelay, checkDelay, checkDelay, checkDelay,
	120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000,
}

// shortPauses is how many of these are as short as a slow helper needs.
const shortPauses = 10

// owed is what is repeated.
type owed struct{ kind, id string }

// repetitions are how often something was repeated, and when it may be repeated next.
type repetitions struct {
	tries int
	next  int64
}

// repeated returns what was repeated in vain up to now.
func repeated(tx *durable.Tx) map[owed]repetitions {
	if !tx.Made("owed") {
		return nil
	}
	all := map[owed]repetitions{}
	for _, row := range tx.SQL(`SELECT kind, id, tries, next FROM owed`) {
		all[owed{row.Text(0), row.Text(1)}] = repetitions{int(row.Int(2)), row.Int(3)}
	}
	return all
}

// countRepetition counts that something is repeated, and returns how often it was. Behind that it waits by a back-off.
func countRepetition(tx *durable.Tx, o owed, pauses durable.Backoff) (tries int) {
	for _, row := range tx.SQL(`SELECT tries FROM owed WHERE kind = ? AND id = ?`, o.kind, o.id) {
		tries = int(row.Int(0))
	}
	tries++
	tx.SQL(`INSERT INTO owed (kind, id, tries, next) VALUES (?, ?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET tries = excluded.tries, next = excluded.next`,
		o.kind, o.id, tries, tx.Now+pauses.Wait(tries))
	return tries
}

// acknowledged notes that something is not repeated any more.
func acknowledged(tx *durable.Tx, o owed) {
	tx.SQL(`DELETE FROM owed WHERE kind = ? AND id = ?`, o.kind, o.id)
}

// repeat says whether something is to be repeated now, and counts it.
func repeat(tx *durable.Tx, before map[owed]repetitions, o owed) bool {
	if before[o].next > tx.Now {
		return false
	}
	countRepetition(tx, o, whileSlow)
	return true
}

// unacknowledgedBy returns what helpers have not acknowledged. active are the runs that are at work.
func unacknowledgedBy(tx *durable.Tx, active []run.Run) (list []owed) {
	for _, r := range run.UnacknowledgedCancels(tx) {
		list = append(list, owed{owedCancel, r.ID})
	}
	for _, a := range run.UnacknowledgedAnswers(tx) {
		list = append(list, owedAnswerOf(a))
	}
	for _, r := range run.Signalled(tx) {
		list = append(list, owed{owedSignals, r.ID})
	}
	for _, r := range active {
		if pauseDue(r) {
			list = append(list, owed{owedPause, r.ID})
		}
	}
	return list
}

// owedOf is what is repeated to the helper of a run that is at work.
func owedOf(r run.Run) owed {
	if r.Status == run.Starting {
		return owed{owedStart, r.ID}
	}
	return owed{owedStream, r.ID}
}
