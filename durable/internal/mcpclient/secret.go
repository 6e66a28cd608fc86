package mcpclient

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about what nobody may see.

// KeepSecret stores a secret of a server as JSON.
func KeepSecret(tx *durable.Tx, server, name string, value any) {
	keep(tx, server, name, string(limit.MustMarshal(value)))
}

func keep(tx *durable.Tx, server, name, value string) {
	tx.SQL(`INSERT INTO mcp_secret (server, name, value) VALUES (?, ?, ?) ON CONFLICT (server, name) DO UPDATE SET value = excluded.value`, server, name, value)
}

// ForgetSecret deletes a secret of a server.
func ForgetSecret(tx *durable.Tx, server, name string) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND name = ?`, server, name)
}

// Secret returns a secret of a server, or "".
func Secret(tx *durable.Tx, server, name string) string {
	for _, row := range tx.SQL(`SELECT value FROM mcp_secret WHERE server = ? AND name = ?`, server, name) {
		return row.Text(0)
	}
	return ""
}

// SecretsNamed returns the values of a name, by the servers that have one.
func SecretsNamed(tx *durable.Tx, name string) iter.Seq2[string, string] {
	return func(yield func(server, value string) bool) {
		for _, row := range tx.SQL(`SELECT server, value FROM mcp_secret WHERE name = ?`, name) {
			if !yield(row.Text(0), row.Text(1)) {
				return
			}
		}
	}
}

// ForgetSignIn forgets how far signing in to a server is, and the links that were pressed.
func ForgetSignIn(tx *durable.Tx, s *Server) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND (name = ? OR name LIKE ?)`, s.ID, SecretSignIn, SecretLink+"%")
}

// CountLinks returns how many links of a server were pressed.
func CountLinks(tx *durable.Tx, s *Server) int64 {
	return tx.Number(`SELECT COUNT(*) FROM mcp_secret WHERE server = ? AND name LIKE ?`, s.ID, SecretLink+"%")
}

// PruneLinks forgets the links of a server that are not good any more, and all but so many of the others: those that are
// good for longest stay.
func PruneLinks(tx *durable.Tx, s *Server, most int) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND name LIKE ? AND name NOT IN (SELECT name FROM mcp_secret WHERE server = ? AND name LIKE ?
		AND json_extract(value, '$.Until') > ? ORDER BY json_extract(value, '$.Until') DESC, name LIMIT ?)`,
		s.ID, SecretLink+"%", s.ID, SecretLink+"%", tx.Now, most)
}

// headers returns the headers that are sent to a server, the token last. They may be secret.
func (r *Servers) headers(tx *durable.Tx, s *Server) []durable.Header {
	list := r.SetHeaders(tx, s)
	if token, ok := r.signIn.Token(tx, s); ok {
		list = append(list, token)
	}
	return list
}

// SetHeaders returns the headers that the author or a person has set.
func (r *Servers) SetHeaders(tx *durable.Tx, s *Server) (list []durable.Header) {
	for _, d := range r.config.Declared {
		if s.Declared && d.Name == s.ID {
			list = append(list, d.Header...)
		}
	}
	var added map[string]string
	if json.Unmarshal([]byte(Secret(tx, s.ID, secretHeaders)), &added) == nil {
		for _, name := range slices.Sorted(maps.Keys(added)) {
			if !mcp.Settable(name) { // an earlier version has let it be set
				continue
			}
			list = append(list, durable.Header{Name: name, Value: added[name]})
		}
	}
	return list
}
