package durable

import "strconv"

// DamageSchema is the table that damaged rows are moved to.
var DamageSchema = Schema{Component: "damage", Steps: []string{
	`CREATE TABLE damage (n INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL)`,
}}

const (
	// maxDamage is how many damaged rows are kept. The newest stay.
	maxDamage = 100
	// maxDamageBody is how many bytes of one damaged row are kept.
	maxDamageBody = 100_000
)

// KeepDamaged copies the content of a damaged row to a table of its own, and reports it. The caller
// goes on without the row, and deletes the row if it would be read again.
func (tx *Tx) KeepDamaged(what, body string, err error) {
	kept := body[:min(len(body), maxDamageBody)]
	n := tx.SQL(`INSERT INTO damage (what, body, at) VALUES (?, ?, ?) RETURNING n`, what, kept, tx.Now)[0].Int(0)
	tx.SQL(`DELETE FROM damage WHERE n <= ?`, n-maxDamage)
	tx.Log(Error, "a stored row is damaged and was set aside", "what", what, "bytes", strconv.Itoa(len(body)), "error", err.Error())
}
