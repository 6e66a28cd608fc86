package run

import "github.com/tributary-agents/tributary/durable"

// Answer is what a person has answered to a call in the helper of a run. It is kept until
// the helper has acknowledged it.
type Answer struct {
	// Seq names the answer for ever.
	Seq int64
	Run string
	// Call is the call in the helper, and Approved what was answered.
	Call     string
	Approved bool
	// Conn is the connection that it came from, or "" where it came from a parent.
	Conn durable.ConnID
	// Attempts counts the times that the helper could not be told.
	Attempts int
}

const answerColumns = `seq, run, call, approved, conn, attempts`

func answers(rows []durable.Row) []Answer {
	var list []Answer
	for _, row := range rows {
		list = append(list, Answer{
			Seq: row.Int(0), Run: row.Text(1), Call: row.Text(2), Approved: row.Bool(3),
			Conn: durable.ConnID(row.Text(4)), Attempts: int(row.Int(5)),
		})
	}
	return list
}

// KeepAnswer writes an answer's row, and says whether it is the first to its call that is
// still to be acknowledged. A later one changes nothing.
func KeepAnswer(tx *durable.Tx, a *Answer) bool {
	rows := tx.SQL(`INSERT INTO answer (run, call, approved, conn) VALUES (?, ?, ?, ?) ON CONFLICT (run, call) DO NOTHING RETURNING seq`,
		a.Run, a.Call, a.Approved, string(a.Conn))
	for _, row := range rows {
		a.Seq = row.Int(0)
	}
	return len(rows) > 0
}

// FindAnswer returns an answer that is still to be acknowledged.
func FindAnswer(tx *durable.Tx, seq int64) (Answer, bool) {
	for _, a := range answers(tx.SQL(`SELECT `+answerColumns+` FROM answer WHERE seq = ?`, seq)) {
		return a, true
	}
	return Answer{}, false
}

// ToAnswer returns all answers that are still to be acknowledged, oldest first.
func ToAnswer(tx *durable.Tx) []Answer {
	return answers(tx.SQL(`SELECT ` + answerColumns + ` FROM answer ORDER BY seq`))
}

// Answering says whether the helper of a run has still to acknowledge an answer.
func Answering(tx *durable.Tx, run string) bool {
	return len(tx.SQL(`SELECT 1 FROM answer WHERE run = ? LIMIT 1`, run)) > 0
}

// AnswerFailed counts an attempt to tell the helper.
func AnswerFailed(tx *durable.Tx, a *Answer) {
	a.Attempts++
	tx.SQL(`UPDATE answer SET attempts = ? WHERE seq = ?`, a.Attempts, a.Seq)
}

// Answered forgets an answer: the helper knows it, or will never take it.
func Answered(tx *durable.Tx, seq int64) { tx.SQL(`DELETE FROM answer WHERE seq = ?`, seq) }
