package schedule

import (
	"encoding/binary"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// This file handles the life of a call: it is claimed, removed from the table, and put back if it
// has failed.

// Claim counts an attempt of the call that has been due for longest. It returns false if none is
// due.
func Claim(tx *durable.Tx) bool {
	e, ok := one(tx.SQL(`SELECT `+columns+` FROM callback WHERE state = ? AND due <= ? ORDER BY due, seq LIMIT 1`, string(Waits), tx.Now))
	if !ok {
		return false
	}
	e.Claim()
	tx.SQL(`UPDATE callback SET state = ?, attempts = ? WHERE seq = ?`, string(e.State), e.Attempts, e.Seq)
	return true
}

// ToCall returns the schedule that is claimed.
func ToCall(tx *durable.Tx) (Entry, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM callback WHERE state = ? ORDER BY due, seq LIMIT 1`, string(Claimed)))
}

// Take removes a claimed call from the table before its callback runs: a repeated schedule waits
// for its next time, and any other schedule is deleted. The callback sees the table as it is after
// success, and may create or cancel schedules with its own id.
func Take(tx *durable.Tx, e Entry) {
	e.Failure = ""
	advance(tx, e)
}

// Fail puts a failed call back, to be tried again later. Once its attempts are used up, a repeated
// schedule continues with its next time, and any other schedule is kept as failed. With last set, a
// repeated schedule is kept as failed as well, because a callback that ends its instance harms all
// objects there. A schedule that its own callback has cancelled or replaced stays as the callback
// left it.
func Fail(tx *durable.Tx, e Entry, why string, last bool) State {
	have, ok := Find(tx, e.ID)
	if ok && have.Seq != e.Seq || !ok && e.When.Again() {
		return Waits
	}
	switch again := e.Fail(why, e.MaxAttempts); {
	case again:
		e.Due = tx.Now + backoff(tx, e.Attempts)
		keep(tx, e)
		return Waits
	case e.When.Again() && !last:
		return advance(tx, e)
	}
	return fail(tx, e)
}

// Retry tries a failed schedule again at once, with as many attempts as a new one has. by are the claims of
// the code that wants it: from then on the schedule works for them, with the scopes that it had as well.
// It returns false if there is no such schedule.
func Retry(tx *durable.Tx, id, by string) bool {
	e, ok := Find(tx, id)
	if !ok || e.State != attempt.Failed {
		return false
	}
	e.State, e.Due, e.Attempts, e.Claims = attempt.Waiting, tx.Now, 0, claims.Meet(by, e.Claims)
	keep(tx, e)
	return true
}

// advance sets an entry to its next time, or deletes it if it has none.
func advance(tx *durable.Tx, e Entry) State {
	next, err := e.When.next(e.Planned, tx.Now)
	if err != nil { // the zone is no longer known, or the entry is damaged
		e.Failure = err.Error()
		return fail(tx, e)
	}
	if next == 0 {
		tx.SQL(`DELETE FROM callback WHERE seq = ?`, e.Seq)
		return Waits
	}
	e.State, e.Planned, e.Due, e.Attempts = attempt.Waiting, next, next, 0
	keep(tx, e)
	return Waits
}

// maxFailed is how many failed schedules are kept.
const maxFailed = 100

func fail(tx *durable.Tx, e Entry) State {
	e.State, e.Due = attempt.Failed, tx.Now
	keep(tx, e)
	tx.SQL(`DELETE FROM callback WHERE state = ? AND seq NOT IN (SELECT seq FROM callback WHERE state = ? ORDER BY due DESC, seq DESC LIMIT ?)`,
		string(Failed), string(Failed), maxFailed)
	return Failed
}

// longest is the longest wait after each failed attempt of a call, in milliseconds.
var longest = durable.Backoff{2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000}

// backoff returns how long to wait after a number of failed attempts, in milliseconds. It is a
// random time between half of the longest wait and all of it. So calls that failed together are not
// retried together every time.
func backoff(tx *durable.Tx, attempts int) int64 {
	wait := longest.Wait(attempts)
	var b [4]byte
	tx.Random(b[:])
	return wait/2 + int64(binary.LittleEndian.Uint32(b[:]))%(wait/2+1)
}
