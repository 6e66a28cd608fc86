package turn

import (
	"fmt"
	"math"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Keep is the number of final turns whose rows are kept, so that a late request for one still gets
// its outcome.
const Keep = 256

// few is how many turns are found without an index.
const few = 8

// Accept writes a new turn, queued, and returns it with its number.
func Accept(tx *durable.Tx, t Turn) Turn {
	t.Status, t.AcceptedAt = Queued, tx.Now
	if t.Submission != "" {
		tx.Make("turn", "turn_submission")
	}
	rows := tx.SQL(`INSERT INTO turn (request, conn, status, origin, cut, reply, continues, place, log, accepted_at,
			plain, quiet_until, submission, key, asked, claims, told)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		t.Request, string(t.Conn), string(t.Status), t.origin(), t.Cut, t.Reply, t.Continues, t.Place, t.Log, tx.Now,
		t.Plain, t.QuietUntil, t.Submission, t.Key, t.SubmittedText, t.Claims, string(t.History))
	t.Seq = rows[0].Int(0)
	if t.Seq > few {
		tx.Make("turn_status")
	}
	return t
}

// SetOrigin stores which messages a waiting turn answers.
func SetOrigin(tx *durable.Tx, t Turn) {
	tx.SQL(`UPDATE turn SET origin = ? WHERE seq = ?`, t.origin(), t.Seq)
}

// origin returns Origin in its stored form: a list, never null.
func (t Turn) origin() string { return listOf(t.Origin) }

// listOf returns the JSON array of some texts, never null.
func listOf[T ~string](texts []T) string {
	return string(limit.MustMarshal(append([]T{}, texts...)))
}

// Move changes a turn's status, with a reason if it failed. It is the only function that does. A
// change that the statuses do not allow is a broken invariant. When a turn ends, its journal is
// deleted: its text is in its message, or was cleared.
func Move(tx *durable.Tx, t *Turn, to Status, reason string) {
	if !slices.Contains(follows[t.Status], to) {
		panic(fmt.Sprintf("turn: %d cannot go from %s to %s", t.Seq, t.Status, to))
	}
	t.Status, t.Reason = to, reason
	if to == Running {
		t.StartedAt = tx.Now
		tx.SQL(`UPDATE turn SET status = ?, first = ?, started_at = ? WHERE seq = ?`, string(to), t.First, tx.Now, t.Seq)
		return
	}
	t.EndedAt = tx.Now
	tx.SQL(`UPDATE turn SET status = ?, reason = ?, ended_at = ?, edit = '' WHERE seq = ?`, string(to), reason, tx.Now, t.Seq)
	ForgetSteps(tx, *t)
	forget(tx, t.Seq-Keep)
	if t.Submission != "" {
		forgetSubmissions(tx, *t)
	}
}

// forget deletes the rows of final turns up to a number, except submissions. Hundreds of
// submissions can stay, so the statement uses an index without them.
func forget(tx *durable.Tx, upTo int64) {
	if upTo <= 0 {
		return
	}
	tx.SQL(`DELETE FROM turn WHERE seq <= ? AND ended_at > 0 AND submission = ''`, upTo)
}

// Active returns the turn that is running, if there is one.
func Active(tx *durable.Tx) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ?`, string(Running)))
}

// Next returns the turn that has waited longest, if one waits.
func Next(tx *durable.Tx) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? ORDER BY seq LIMIT 1`, string(Queued)))
}

// NextAfter returns the turn that waits directly behind another one in the queue, if there is one.
func NextAfter(tx *durable.Tx, seq int64) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? AND seq > ? ORDER BY seq LIMIT 1`, string(Queued), seq))
}

// TrailingPlain returns the run of plain turns at the end of the queue, oldest first. No other turn
// stands between or behind them.
func TrailingPlain(tx *durable.Tx) []Turn { return PlainBefore(tx, math.MaxInt64) }

// PlainBefore returns the plain turns that wait directly before a place in the queue, oldest first.
// No other turn stands between them and that place.
func PlainBefore(tx *durable.Tx, seq int64) []Turn {
	return every(tx.SQL(`SELECT `+columns+` FROM turn WHERE status = ? AND seq < ? AND seq > (
		SELECT COALESCE(MAX(seq), 0) FROM turn WHERE status = ? AND plain = 0 AND seq < ?) ORDER BY seq`,
		string(Queued), seq, string(Queued), seq))
}

// PlaceBefore returns the last place in the conversation that an earlier turn has. Skipped turns do
// not count.
func PlaceBefore(tx *durable.Tx, t Turn) int64 {
	return tx.Number(`SELECT COALESCE(MAX(place), 0) FROM turn WHERE seq < ? AND status != ?`, t.Seq, string(Skipped))
}

// Waiting returns how many turns wait.
func Waiting(tx *durable.Tx) int {
	return int(tx.Number(`SELECT COUNT(*) FROM turn WHERE status = ?`, string(Queued)))
}

// WaitingBy returns whose turns wait.
func WaitingBy(tx *durable.Tx) share.Held {
	return share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM turn WHERE status = ? GROUP BY claims`, string(Queued)))
}

// Ended returns the newest final turns, at most most of them, oldest first.
func Ended(tx *durable.Tx, most int) []Turn {
	return every(tx.SQL(`SELECT `+columns+` FROM (SELECT * FROM turn WHERE ended_at > 0 ORDER BY seq DESC LIMIT ?) ORDER BY seq`, most))
}

// BySeq returns a turn by its number.
func BySeq(tx *durable.Tx, seq int64) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE seq = ?`, seq))
}

// Find returns the newest turn of a request.
func Find(tx *durable.Tx, request string) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE request = ? ORDER BY seq DESC LIMIT 1`, request))
}
