package remote

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about the replies to helpers. Each is told until the helper has heard it.

// never is the time of what is told only when the helper asks.
const never = 1 << 53

// tellBelow ends a request. The helper is told, if it waits for that.
func (r *Servers) tellBelow(tx *durable.Tx, id string, reply Reply) {
	if s := r.Find(tx, r.below[id].serverID()); s != nil && s.State == Ready {
		reply.Trouble = s.Failure
	}
	delete(r.below, id)
	tx.Unschedule(dueBelow, id)
	tx.Unschedule(dueAsked, id)
	tx.SQL(`UPDATE mcp_below SET body = '', event = '', reply = ?, told = 0, again = 0, at = ? WHERE id = ?`, string(limit.MustMarshal(reply)), tx.Now, id)
	r.config.TellHelpers(tx)
}

// Woken is a reply that a helper is to be told.
type Woken struct {
	ID    int64
	Path  string
	Reply []byte
	Told  int
}

// WokenBelow returns the replies that helpers are to be told now.
func WokenBelow(tx *durable.Tx, most int) (list []Woken) {
	if !tx.Made("mcp_below") {
		return nil
	}
	for _, row := range tx.SQL(`SELECT id * ? + round, n, path, reply, told FROM mcp_below WHERE reply <> '' AND again <= ? ORDER BY again, id LIMIT ?`, 1+maxAnswers, tx.Now, most) {
		list = append(list, Woken{row.Int(0), row.Text(2), limit.MustMarshal(replyIn(row.Int(1), row.Text(3))), int(row.Int(4))})
	}
	return list
}

// TellAgainAt notes that a reply is being told, and when it is told again.
func TellAgainAt(tx *durable.Tx, id, at int64) {
	tx.SQL(`UPDATE mcp_below SET told = told + 1, again = ? WHERE id = ? AND round = ? AND reply <> ''`, at, id/(1+maxAnswers), id%(1+maxAnswers))
}

// NextTell returns when the next reply is told again, or 0.
func NextTell(tx *durable.Tx) int64 {
	if !tx.Made("mcp_below") {
		return 0
	}
	return tx.Number(`SELECT COALESCE(MIN(again), 0) FROM mcp_below WHERE reply <> '' AND again > ? AND again < ?`, tx.Now, int64(never))
}

// Heard notes that a reply was told, or that nobody can be told. An answer that has come behind a question
// is kept, because the helper may still answer that question.
func Heard(tx *durable.Tx, id int64) {
	tx.SQL(`UPDATE mcp_below SET reply = IIF(asked = 1 AND body = '', reply, ''), again = ?, at = ? WHERE id = ? AND round = ?`,
		int64(never), tx.Now, id/(1+maxAnswers), id%(1+maxAnswers))
}
