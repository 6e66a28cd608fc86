package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about the replies to helpers. Each is told until the helper has heard it.

// never is the time of what is told only when the helper asks.
const never = 1 << 53

// replyToHelper ends a request. The helper is told, if it waits for that.
func (r *Servers) replyToHelper(tx *durable.Tx, id string, reply Reply) {
	if s := r.Find(tx, r.relayed[id].serverID()); s != nil && s.State == Ready {
		reply.LastFailure = s.Failure
	}
	delete(r.relayed, id)
	tx.Unschedule(dueRelay, id)
	tx.Unschedule(dueAsked, id)
	tx.SQL(`UPDATE mcp_below SET body = '', event = '', reply = ?, told = 0, again = 0, at = ? WHERE id = ?`, string(limit.MustMarshal(reply)), tx.Now, id)
	r.config.NotifyHelpers(tx)
}

// Notice is a reply that a helper is to be told.
type Notice struct {
	ID       int64
	Path     string
	Reply    []byte
	Attempts int
}

// Notices returns the replies that helpers are to be told now.
func Notices(tx *durable.Tx, most int) (list []Notice) {
	if !tx.Made("mcp_below") {
		return nil
	}
	for _, row := range tx.SQL(`SELECT id * ? + round, n, path, reply, told FROM mcp_below WHERE reply <> '' AND again <= ? ORDER BY again, id LIMIT ?`, 1+maxAnswers, tx.Now, most) {
		list = append(list, Notice{row.Int(0), row.Text(2), limit.MustMarshal(replyIn(row.Int(1), row.Text(3))), int(row.Int(4))})
	}
	return list
}

// NotifyAgainAt notes that a reply is being told, and when it is told again.
func NotifyAgainAt(tx *durable.Tx, id, at int64) {
	tx.SQL(`UPDATE mcp_below SET told = told + 1, again = ? WHERE id = ? AND round = ? AND reply <> ''`, at, id/(1+maxAnswers), id%(1+maxAnswers))
}

// NextNotice returns when the next reply is told again, or 0.
func NextNotice(tx *durable.Tx) int64 {
	if !tx.Made("mcp_below") {
		return 0
	}
	return tx.Number(`SELECT COALESCE(MIN(again), 0) FROM mcp_below WHERE reply <> '' AND again > ? AND again < ?`, tx.Now, int64(never))
}

// Acknowledge notes that a reply was told, or that nobody can be told. An answer that has come behind a question
// is kept, because the helper may still answer that question.
func Acknowledge(tx *durable.Tx, id int64) {
	tx.SQL(`UPDATE mcp_below SET reply = IIF(asked = 1 AND body = '', reply, ''), again = ?, at = ? WHERE id = ? AND round = ?`,
		int64(never), tx.Now, id/(1+maxAnswers), id%(1+maxAnswers))
}
