package approval

import "github.com/tributary-agents/tributary/durable"

// Past is an answer that was given.
type Past struct {
	Call     string
	Approved bool
	// Person is the subject of the claims of the person who has answered, or "" if there are none, or
	// if nobody has answered in time. Reason says in words why the call was denied.
	Person, Reason string
	// At is when the answer was given, in milliseconds since 1970.
	At int64
}

// KeepPast and KeepAge are how many answers are remembered, and how long, in milliseconds.
const (
	KeepPast = 500
	KeepAge  = 30 * 24 * 3_600_000
)

// Remember notes an answer, and forgets those that are too old or too many.
func Remember(tx *durable.Tx, p Past) {
	rows := tx.SQL(`INSERT INTO answered (call, approved, person, reason, at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (call) DO NOTHING RETURNING seq`, p.Call, p.Approved, p.Person, p.Reason, tx.Now)
	for _, row := range rows {
		tx.SQL(`DELETE FROM answered WHERE seq <= ?`, row.Int(0)-KeepPast)
		tx.SQL(`DELETE FROM answered WHERE seq IN (SELECT seq FROM answered ORDER BY seq LIMIT 2) AND at <= ?`, tx.Now-KeepAge)
	}
}

// Remembered returns the answer to a call, if it was given.
func Remembered(tx *durable.Tx, call string) (Past, bool) {
	for _, row := range tx.SQL(`SELECT approved, person, reason, at FROM answered WHERE call = ? AND at > ?`, call, tx.Now-KeepAge) {
		return Past{Call: call, Approved: row.Bool(0), Person: row.Text(1), Reason: row.Text(2), At: row.Int(3)}, true
	}
	return Past{}, false
}

// ForgetPast forgets an answer that has turned out to have no effect.
func ForgetPast(tx *durable.Tx, call string) { tx.SQL(`DELETE FROM answered WHERE call = ?`, call) }
