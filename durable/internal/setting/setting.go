// Package setting keeps the single values of an object: one row each, under a key. Each key belongs
// to the room that declares it.
package setting

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Text returns a setting, or "" if it is not set.
func Text(tx *durable.Tx, key string) string {
	for _, row := range tx.SQL(`SELECT value FROM setting WHERE key = ?`, key) {
		return row.Text(0)
	}
	return ""
}

// Pair returns two settings by one statement. One that is not set is "".
func Pair(tx *durable.Tx, one, other string) (string, string) {
	values := map[string]string{}
	for _, row := range tx.SQL(`SELECT key, value FROM setting WHERE key IN (?, ?)`, one, other) {
		values[row.Text(0)] = row.Text(1)
	}
	return values[one], values[other]
}

// Read reads a setting that is JSON, and says whether it is set. A damaged setting is set aside.
func Read(tx *durable.Tx, key string, v any) bool {
	stored := Text(tx, key)
	if stored == "" {
		return false
	}
	if err := json.Unmarshal([]byte(stored), v); err != nil {
		tx.KeepDamaged("setting "+key, stored, err)
		Delete(tx, key)
		return false
	}
	return true
}

// Number returns a setting that is a number, or 0 if it is not set.
func Number(tx *durable.Tx, key string) int64 {
	for _, row := range tx.SQL(`SELECT CAST(value AS INTEGER) FROM setting WHERE key = ?`, key) {
		return row.Int(0)
	}
	return 0
}

// Keys returns the keys of the settings that begin with a prefix.
func Keys(tx *durable.Tx, prefix string) []string {
	var keys []string
	for _, row := range tx.SQL(`SELECT key FROM setting WHERE key GLOB ? ORDER BY key`, prefix+"*") {
		keys = append(keys, row.Text(0))
	}
	return keys
}

// Set sets a text.
func Set(tx *durable.Tx, key, value string) {
	tx.SQL(`INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`, key, value)
}

// Write sets a value as JSON.
func Write(tx *durable.Tx, key string, v any) { Set(tx, key, string(limit.MustMarshal(v))) }

// Delete removes a setting.
func Delete(tx *durable.Tx, key string) { tx.SQL(`DELETE FROM setting WHERE key = ?`, key) }
