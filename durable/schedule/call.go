package schedule

import (
	"encoding/binary"

	"github.com/tributary-agents/tributary/durable"
)

// This file is the life of a call: claimed, taken out of the table, and put back when it
// has failed.

// Claim counts the attempt that has been due for longest, and says whether there is one.
func Claim(tx *durable.Tx) bool {
	e, ok := one(tx.SQL(`SELECT `+columns+` FROM callback WHERE state = ? AND due <= ? ORDER BY due, seq LIMIT 1`, string(Waits), tx.Now))
	if !ok {
		return false
	}
	tx.SQL(`UPDATE callback SET state = ?, attempts = attempts + 1 WHERE seq = ?`, string(Claimed), e.Seq)
	return true
}

// ToCall returns the schedule that was claimed.
func ToCall(tx *durable.Tx) (Entry, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM callback WHERE state = ? ORDER BY due, seq LIMIT 1`, string(Claimed)))
}

// Take takes a claimed call out of the table, for its callback to be called: one that is
// repeated waits for its next time, and any other one is gone. The callback finds the table
// as it will be when all goes well, and may make or cancel schedules of its own id.
func Take(tx *durable.Tx, e Entry) {
	e.Failure = ""
	advance(tx, e)
}

// Fail puts a call back that has failed, to be tried again later. Where it was tried as
// often as it shall be, a schedule that is repeated goes on with its next time, and any
// other one is kept as failed. With last, it is kept whatever it is: whoever takes the
// instance along does that to everybody. A schedule that its own callback has cancelled or
// made anew stays what it was made.
func Fail(tx *durable.Tx, e Entry, why string, last bool) State {
	have, ok := Find(tx, e.ID)
	if ok && have.Seq != e.Seq || !ok && e.When.Again() {
		return Waits
	}
	e.Failure = why
	switch {
	case e.Attempts < e.Tries:
		e.State, e.Due = Waits, tx.Now+backoff(tx, e.Attempts)
		keep(tx, e)
		return Waits
	case e.When.Again() && !last:
		return advance(tx, e)
	}
	return fail(tx, e)
}

// Retry has a failed schedule tried again at once, as often as a new one, and says whether
// there is one.
func Retry(tx *durable.Tx, id string) bool {
	e, ok := Find(tx, id)
	if !ok || e.State != Failed {
		return false
	}
	e.State, e.Due, e.Attempts = Waits, tx.Now, 0
	keep(tx, e)
	return true
}

// advance has an entry wait for its next time, or takes it away where it has none.
func advance(tx *durable.Tx, e Entry) State {
	next, err := e.When.next(e.Planned, tx.Now)
	if err != nil { // a zone that is not known any more, or damage
		e.Failure = err.Error()
		return fail(tx, e)
	}
	if next == 0 {
		tx.SQL(`DELETE FROM callback WHERE seq = ?`, e.Seq)
		return Waits
	}
	e.State, e.Planned, e.Due, e.Attempts = Waits, next, next, 0
	keep(tx, e)
	return Waits
}

// maxFailed is how many schedules are kept as failed.
const maxFailed = 100

func fail(tx *durable.Tx, e Entry) State {
	e.State, e.Due = Failed, tx.Now
	keep(tx, e)
	tx.SQL(`DELETE FROM callback WHERE state = ? AND seq NOT IN (SELECT seq FROM callback WHERE state = ? ORDER BY due DESC, seq DESC LIMIT ?)`,
		string(Failed), string(Failed), maxFailed)
	return Failed
}

const (
	firstWait = 2_000
	maxWait   = 300_000
)

// backoff is how long to wait after so many failed attempts, in milliseconds: twice as long
// each time, and between half of that and all of it, so that what failed together is not
// tried together for ever.
func backoff(tx *durable.Tx, attempts int) int64 {
	wait := min(int64(firstWait)<<min(max(attempts, 1)-1, 10), maxWait)
	var b [4]byte
	tx.Random(b[:])
	return wait/2 + int64(binary.LittleEndian.Uint32(b[:]))%(wait/2+1)
}
