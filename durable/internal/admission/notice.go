package admission

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/share"
)

// AddNarration notes the text that a turn says without a model, or that tells its code what to do.
func AddNarration(tx *durable.Tx, turn int64, text string) {
	tx.SQL(`INSERT INTO narration (turn, text) VALUES (?, ?)`, turn, text)
}

// Narration returns that text, and leaves it with the turn.
func Narration(tx *durable.Tx, turn int64) (string, bool) {
	for _, row := range tx.SQL(`SELECT text FROM narration WHERE turn = ?`, turn) {
		return row.Text(0), true
	}
	return "", false
}

// TakeNarration takes the text that a turn says without a model, if the turn has one.
func TakeNarration(tx *durable.Tx, turn int64) (string, bool) {
	for _, row := range tx.SQL(`DELETE FROM narration WHERE turn = ? RETURNING text`, turn) {
		return row.Text(0), true
	}
	return "", false
}

// DeferNotice keeps a notice until there is room in the queue. react says that the model answers
// it, and claims for whom. The error says that too many notices wait already.
func DeferNotice(tx *durable.Tx, react bool, text, claims string) error {
	if err := share.Notices.Refusal(claims, share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM untold GROUP BY claims`))); err != nil {
		return err
	}
	tx.SQL(`INSERT INTO untold (react, text, claims) VALUES (?, ?, ?)`, react, text, claims)
	return nil
}

// NextNotice says whether a notice waits for room in the queue, and for whom the one speaks that has
// waited longest.
func NextNotice(tx *durable.Tx) (claims string, waits bool) {
	for _, row := range tx.SQL(`SELECT claims FROM untold ORDER BY n LIMIT 1`) {
		return row.Text(0), true
	}
	return "", false
}

// TakeNotice takes the notice that has waited longest. There must be one.
func TakeNotice(tx *durable.Tx) (react bool, text string) {
	row := tx.SQL(`DELETE FROM untold WHERE n = (SELECT MIN(n) FROM untold) RETURNING react, text`)[0]
	return row.Bool(0), row.Text(1)
}

// Clear deletes every narration and every notice.
func Clear(tx *durable.Tx) {
	tx.SQL(`DELETE FROM narration`)
	tx.SQL(`DELETE FROM untold`)
}
