package turn

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// MaxQueued is the number of turns that can wait.
const MaxQueued = 32

// Keep is the number of final turns whose rows are kept, so that a late question
// about one still gets its outcome.
const Keep = 256

// Accept writes a new turn, queued, and returns it with its number.
func Accept(tx *durable.Tx, t Turn) Turn {
	t.Status, t.AcceptedAt = Queued, tx.Now
	rows := tx.SQL(`INSERT INTO turn (request, conn, status, origin, cut, reply, continues, place, log, first, accepted_at,
			plain, quiet_until, submission, key, asked)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		t.Request, string(t.Conn), string(t.Status), t.origin(), t.Cut, t.Reply, t.Continues, t.Place, t.Log, t.First, tx.Now,
		t.Plain, t.QuietUntil, t.Submission, t.Key, t.Asked)
	t.Seq = rows[0].Int(0)
	return t
}

// SetOrigin stores which messages a turn that waits answers.
func SetOrigin(tx *durable.Tx, t Turn) {
	tx.SQL(`UPDATE turn SET origin = ? WHERE seq = ?`, t.origin(), t.Seq)
}

// origin is Origin as it is stored: a list, never null.
func (t Turn) origin() string {
	list, err := json.Marshal(append([]string{}, t.Origin...))
	if err != nil {
		panic("turn: " + err.Error())
	}
	return string(list)
}

// Move takes a turn to another status, with a reason where it failed. It is the
// only place where a status changes; a move that the statuses do not allow is a
// broken invariant. With the end of a turn its journal goes: what it said is in its
// message, or was cleared.
func Move(tx *durable.Tx, t *Turn, to Status, reason string) {
	if !slices.Contains(follows[t.Status], to) {
		panic(fmt.Sprintf("turn: %d cannot go from %s to %s", t.Seq, t.Status, to))
	}
	t.Status, t.Reason = to, reason
	if to == Running {
		t.StartedAt = tx.Now
		tx.SQL(`UPDATE turn SET status = ?, started_at = ? WHERE seq = ?`, string(to), tx.Now, t.Seq)
		return
	}
	t.EndedAt = tx.Now
	tx.SQL(`UPDATE turn SET status = ?, reason = ?, ended_at = ? WHERE seq = ?`, string(to), reason, tx.Now, t.Seq)
	ForgetSteps(tx, *t)
	forget(tx, t.Seq-Keep)
	if t.Submission != "" {
		forgetSubmissions(tx, *t)
	}
}

// forget deletes the rows of final turns up to a number, but for those that were
// submitted. Those stay behind, hundreds of them, so it goes by an index that lacks
// them.
func forget(tx *durable.Tx, upTo int64) {
	if upTo <= 0 {
		return
	}
	tx.SQL(`DELETE FROM turn WHERE seq <= ? AND ended_at > 0 AND submission = ''`, upTo)
}

// Speaking returns the turn that is running, if there is one.
func Speaking(tx *durable.Tx) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ?`, string(Running)))
}

// Next returns the turn that waits longest, if one waits.
func Next(tx *durable.Tx) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? ORDER BY seq LIMIT 1`, string(Queued)))
}

// NextAfter returns the turn that waits right behind the place of another one, if one does.
func NextAfter(tx *durable.Tx, seq int64) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? AND seq > ? ORDER BY seq LIMIT 1`, string(Queued), seq))
}

// Last returns the turns at the end of the queue that are plain, oldest first: no other
// stands between them or behind them.
func Last(tx *durable.Tx) []Turn { return PlainBefore(tx, math.MaxInt64) }

// PlainBefore returns the plain turns that wait right before the place of another one, oldest
// first: no other stands between them or between them and that place.
func PlainBefore(tx *durable.Tx, seq int64) []Turn {
	return every(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? AND seq < ? AND seq > (
		SELECT COALESCE(MAX(seq), 0) FROM turn WHERE status = ? AND plain = 0 AND seq < ?) ORDER BY seq`,
		string(Queued), seq, string(Queued), seq))
}

// PlaceBefore returns the last place in the conversation that turns before one have, but for
// those that were skipped.
func PlaceBefore(tx *durable.Tx, t Turn) int64 {
	return tx.SQL(`SELECT COALESCE(MAX(place), 0) FROM turn WHERE seq < ? AND status != ?`, t.Seq, string(Skipped))[0].Int(0)
}

// Waiting returns how many turns wait.
func Waiting(tx *durable.Tx) int {
	return int(tx.SQL(`SELECT COUNT(*) FROM turn WHERE status = ?`, string(Queued))[0].Int(0))
}

// Ended returns the last turns that are final, at most so many, oldest first.
func Ended(tx *durable.Tx, most int) []Turn {
	return every(tx.SQL(`SELECT `+columns+` FROM (SELECT * FROM turn WHERE ended_at > 0 ORDER BY seq DESC LIMIT ?) ORDER BY seq`, most))
}

// Numbered returns a turn by its number.
func Numbered(tx *durable.Tx, seq int64) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE seq = ?`, seq))
}

// Find returns the newest turn of a request.
func Find(tx *durable.Tx, request string) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE request = ? ORDER BY seq DESC LIMIT 1`, request))
}
