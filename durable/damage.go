package durable

import "strconv"

// DamageSchema is where damaged rows are set aside.
var DamageSchema = Schema{Room: "damage", Steps: []string{
	`CREATE TABLE damage (n INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL)`,
}}

const (
	// maxDamage is how many damaged rows are kept, the newest.
	maxDamage = 100
	// maxDamageBody is how much is kept of one, in bytes.
	maxDamageBody = 100_000
)

// SetAside keeps what a damaged row held and reports it. The caller goes on without
// the row, and deletes it where it would be met again.
func (tx *Tx) SetAside(what, body string, err error) {
	kept := body[:min(len(body), maxDamageBody)]
	n := tx.SQL(`INSERT INTO damage (what, body, at) VALUES (?, ?, ?) RETURNING n`, what, kept, tx.Now)[0].Int(0)
	tx.SQL(`DELETE FROM damage WHERE n <= ?`, n-maxDamage)
	tx.Log(Error, "a stored row is damaged and was set aside", "what", what, "bytes", strconv.Itoa(len(body)), "error", err.Error())
}
