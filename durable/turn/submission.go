package turn

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
)

// This file handles submissions: turns that were submitted under an id, so that their outcome can
// be asked for later. A submission is its turn's row and has no status of its own.

const (
	// KeepSubmissions is the number of final submissions that are kept, of which one person has a quarter at most, and
	// KeepAge how long, in milliseconds. Their ids and keys find them until then.
	KeepSubmissions = 500
	KeepAge         = 7 * 24 * 3_600_000
	// DefaultLimit and MaxLimit bound the lengths of lists.
	DefaultLimit = 50
	MaxLimit     = KeepSubmissions
)

// Why a new submission cannot join an existing one.
var (
	ErrOtherText = errors.New("something else was submitted under it")
	ErrOtherKey  = errors.New("it was submitted under another key")
)

// Submitted returns a turn by the id that it was submitted under.
func Submitted(tx *durable.Tx, id string) (Turn, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM turn WHERE submission = ? AND submission != ''`, id))
}

// SubmittedText returns the text that was submitted with a turn.
func SubmittedText(tx *durable.Tx, t Turn) string {
	for _, row := range tx.SQL(`SELECT asked FROM turn WHERE seq = ?`, t.Seq) {
		return row.Text(0)
	}
	return ""
}

// Join finds the existing submission that equals a new one, by its id or by its key. The error says
// that the id or the key belongs to a different submission.
func Join(tx *durable.Tx, t Turn) (have Turn, joined bool, err error) {
	have, joined = Submitted(tx, t.Submission)
	if !joined && t.Key != "" {
		have, joined = one(tx.SQL(`SELECT `+columns+` FROM turn WHERE key = ? AND key != ''`, t.Key))
	}
	switch {
	case !joined:
		return t, false, nil
	case SubmittedText(tx, have) != t.SubmittedText:
		return t, false, ErrOtherText
	case t.Key != "" && t.Key != have.Key:
		return t, false, ErrOtherKey
	}
	return have, true, nil
}

// Filter chooses submissions.
type Filter struct {
	// Status keeps the submissions with one of these statuses. An empty list keeps all.
	Status []Status
	// Limit is the maximum number; the newest are listed. 0 means [DefaultLimit].
	Limit int
}

// List returns the submissions that a filter chooses, newest first.
func List(tx *durable.Tx, f Filter) []Turn {
	if f.Limit <= 0 {
		f.Limit = DefaultLimit
	}
	return every(tx.SQL(`SELECT `+columns+` FROM turn WHERE submission != '' AND (? = 0 OR status IN (SELECT value FROM json_each(?)))
		ORDER BY seq DESC LIMIT ?`, len(f.Status), listOf(f.Status), min(f.Limit, MaxLimit)))
}

// forgetSubmissions numbers a submission that has just ended, and deletes the older ones that ended
// too long ago or are too many, in all or of one person.
func forgetSubmissions(tx *durable.Tx, ended Turn) {
	last := tx.SQL(`UPDATE turn SET final = 1 + COALESCE((SELECT MAX(final) FROM turn WHERE final > 0), 0) WHERE seq = ? RETURNING final`,
		ended.Seq)[0].Int(0)
	for {
		first := tx.SQL(`SELECT seq, final, ended_at FROM turn WHERE final > 0 ORDER BY final LIMIT 1`)[0]
		seq := first.Int(0)
		if first.Int(2) > tx.Now-KeepAge {
			seq = tooMany(tx, ended, last-first.Int(1)+1, seq)
		}
		if seq == 0 {
			return
		}
		tx.SQL(`DELETE FROM turn WHERE seq = ?`, seq)
	}
}

// tooMany returns which submission is to go because there are too many, or 0: the oldest of the person who has the
// most, so that nobody loses one for a person who has more. There are most of them at most, and first is the oldest.
func tooMany(tx *durable.Tx, ended Turn, most, first int64) int64 {
	if claims.Person(ended.Claims) == share.Everybody {
		if most <= KeepSubmissions {
			return 0
		}
		return first
	}
	if most <= int64(share.Submissions.Each) {
		return 0
	}
	rows := tx.SQL(`SELECT seq, claims FROM turn WHERE final > 0 ORDER BY final`)
	oldest, held, person := map[string]int64{}, map[string]int{}, ""
	for _, row := range rows {
		by := claims.Person(row.Text(1))
		if held[by]++; held[by] == 1 {
			oldest[by] = row.Int(0)
		}
		if held[by] > held[person] {
			person = by
		}
	}
	if len(rows) <= KeepSubmissions && (held[person] <= share.Submissions.Each || person == share.Everybody) {
		return 0
	}
	return oldest[person]
}
