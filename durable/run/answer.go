package run

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Answer is a person's answer to a call in a run's helper. It is kept until the helper has
// acknowledged it.
type Answer struct {
	// Seq identifies the answer permanently.
	Seq int64
	Run string
	// Call is the call in the helper, and Approved the person's answer.
	Call     string
	Approved bool
	// Output is the value that answers a question of code, and null if a person has refused. It is nil
	// for any other call. Reason says why a person has refused, and By is the person, where it is
	// known. Claims are those of the person: JSON, or "" if everything is granted.
	Output             json.RawMessage
	Reason, By, Claims string
	// Conn is the connection that the answer came from, or "" if it came from a parent.
	Conn durable.ConnID
	// Attempts counts the failed attempts to reach the helper.
	Attempts int
}

const answerColumns = `seq, run, call, approved, conn, attempts, output, reason, answered_by, claims`

func answers(rows []durable.Row) []Answer {
	var list []Answer
	for _, row := range rows {
		list = append(list, Answer{
			Seq: row.Int(0), Run: row.Text(1), Call: row.Text(2), Approved: row.Bool(3),
			Conn: durable.ConnID(row.Text(4)), Attempts: int(row.Int(5)), Output: outputOf(row.Text(6)), Reason: row.Text(7), By: row.Text(8), Claims: row.Text(9),
		})
	}
	return list
}

// KeepAnswer writes an answer's row, and says whether its call had no unacknowledged answer before.
// If it had one, nothing changes.
func KeepAnswer(tx *durable.Tx, a *Answer) bool {
	rows := tx.SQL(`INSERT INTO answer (run, call, approved, conn, output, reason, answered_by, claims) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, call) DO NOTHING RETURNING seq`,
		a.Run, a.Call, a.Approved, string(a.Conn), string(a.Output), a.Reason, a.By, a.Claims)
	for _, row := range rows {
		a.Seq = row.Int(0)
	}
	return len(rows) > 0
}

// FindAnswer returns an unacknowledged answer.
func FindAnswer(tx *durable.Tx, seq int64) (Answer, bool) {
	for _, a := range answers(tx.SQL(`SELECT `+answerColumns+` FROM answer WHERE seq = ?`, seq)) {
		return a, true
	}
	return Answer{}, false
}

// AnswerTo returns the unacknowledged answer to a call of a run.
func AnswerTo(tx *durable.Tx, run, call string) (Answer, bool) {
	for _, a := range answers(tx.SQL(`SELECT `+answerColumns+` FROM answer WHERE run = ? AND call = ?`, run, call)) {
		return a, true
	}
	return Answer{}, false
}

// outputOf returns a stored output, which is nil if it is "".
func outputOf(stored string) json.RawMessage {
	if stored == "" {
		return nil
	}
	return json.RawMessage(stored)
}

// UnacknowledgedAnswers returns the answers that helpers have not acknowledged, oldest first.
func UnacknowledgedAnswers(tx *durable.Tx) []Answer {
	return answers(tx.SQL(`SELECT ` + answerColumns + ` FROM answer ORDER BY seq`))
}

// AnswerPending says whether the helper of a run has an answer left to acknowledge.
func AnswerPending(tx *durable.Tx, run string) bool {
	return len(tx.SQL(`SELECT 1 FROM answer WHERE run = ? LIMIT 1`, run)) > 0
}

// AnswerFailed counts a failed attempt to reach the helper.
func AnswerFailed(tx *durable.Tx, a *Answer) {
	a.Attempts++
	tx.SQL(`UPDATE answer SET attempts = ? WHERE seq = ?`, a.Attempts, a.Seq)
}

// ForgetAnswer deletes an answer that the helper has acknowledged, or will never take.
func ForgetAnswer(tx *durable.Tx, seq int64) { tx.SQL(`DELETE FROM answer WHERE seq = ?`, seq) }
