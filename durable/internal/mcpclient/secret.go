package mcpclient

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about what nobody may see.

func keepJSON(tx *durable.Tx, server, name string, value any) {
	keep(tx, server, name, string(limit.MustMarshal(value)))
}

func keep(tx *durable.Tx, server, name, value string) {
	tx.SQL(`INSERT INTO mcp_secret (server, name, value) VALUES (?, ?, ?) ON CONFLICT (server, name) DO UPDATE SET value = excluded.value`, server, name, value)
}

func forget(tx *durable.Tx, server, name string) {
	tx.SQL(`DELETE FROM mcp_secret WHERE server = ? AND name = ?`, server, name)
}

func secret(tx *durable.Tx, server, name string) string {
	for _, row := range tx.SQL(`SELECT value FROM mcp_secret WHERE server = ? AND name = ?`, server, name) {
		return row.Text(0)
	}
	return ""
}

// headers returns the headers that are sent to a server, the token last. They may be secret.
func (r *Servers) headers(tx *durable.Tx, s *Server) []durable.Header {
	list := r.setHeaders(tx, s)
	if t := r.token(tx, s); t.Access != "" {
		list = append(list, t.Header())
	}
	return list
}

// setHeaders returns the headers that the author or a person has set.
func (r *Servers) setHeaders(tx *durable.Tx, s *Server) (list []durable.Header) {
	for _, d := range r.config.Declared {
		if s.Declared && d.Name == s.ID {
			list = append(list, d.Header...)
		}
	}
	var added map[string]string
	if json.Unmarshal([]byte(secret(tx, s.ID, secretHeaders)), &added) == nil {
		for _, name := range slices.Sorted(maps.Keys(added)) {
			if !mcp.Settable(name) { // an earlier version has let it be set
				continue
			}
			list = append(list, durable.Header{Name: name, Value: added[name]})
		}
	}
	return list
}
