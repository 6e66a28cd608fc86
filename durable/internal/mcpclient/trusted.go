package mcpclient

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// This file is about which tools a server is known to have: as what each was first seen, or last approved.

// maxTrusted is how many rows of mcp_trusted a server has at most. Those of tools that it offers now stay. The others go
// when there are too many, in the order of their names. From then on a tool without a row may be one that was forgotten, so
// it counts as changed. A refresh reads the rows of the offered tools, and writes and deletes as many as the tools that are
// new, at most [mcp.MaxTools] and those above the bound.
const maxTrusted = 1_024

// forgotten is the name in the row that says that rows were deleted. No tool has it. The digest unseen is that of no tool.
const forgotten, unseen = "", ""

// mark marks the tools that were seen before in another form, and remembers those that are new.
func (r *Servers) mark(tx *durable.Tx, s *Server, tools []Tool) {
	names := make([]string, 0, len(tools))
	for _, t := range tools {
		names = append(names, t.Name)
	}
	offered := string(limit.MustMarshal(names))
	trusted := map[string]string{}
	for _, row := range tx.SQL(`SELECT tool, digest FROM mcp_trusted WHERE server = ? AND (tool = ? OR tool IN (SELECT value FROM json_each(?)))`, s.ID, forgotten, offered) {
		trusted[row.Text(0)] = row.Text(1)
	}
	_, forgets := trusted[forgotten]
	fresh := [][2]string{}
	for i := range tools {
		t := &tools[i]
		digest, known := trusted[t.Name]
		if !known {
			if digest = t.Digest; forgets {
				digest = unseen
			}
			fresh = append(fresh, [2]string{t.Name, digest})
		}
		t.Changed = digest != t.Digest
	}
	if len(fresh) == 0 {
		return
	}
	tx.SQL(`INSERT INTO mcp_trusted (server, tool, digest) SELECT ?, value ->> '$[0]', value ->> '$[1]' FROM json_each(?)`, s.ID, string(limit.MustMarshal(fresh)))
	forgetTrusted(tx, s, offered)
}

// forgetTrusted deletes rows of tools that a server does not offer now, if it has too many. What an earlier version has
// stored beyond the bound goes in several refreshes.
func forgetTrusted(tx *durable.Tx, s *Server, offered string) {
	rows := tx.Number(`SELECT COUNT(*) FROM (SELECT 1 FROM mcp_trusted WHERE server = ? LIMIT ?)`, s.ID, 4*maxTrusted)
	if rows <= maxTrusted {
		return
	}
	tx.SQL(`INSERT INTO mcp_trusted (server, tool, digest) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, s.ID, forgotten, unseen)
	tx.SQL(`DELETE FROM mcp_trusted WHERE server = ? AND tool IN (SELECT tool FROM mcp_trusted WHERE server = ? AND tool <> ?
		AND tool NOT IN (SELECT value FROM json_each(?)) LIMIT ?)`, s.ID, s.ID, forgotten, offered, rows+1-maxTrusted)
}

// Trust notes that a person has approved a call of a tool, which was shown as the one with this digest. If the tool is
// another one now, it stays marked.
func (r *Servers) Trust(tx *durable.Tx, server, tool, digest string) {
	s := r.Find(tx, server)
	if s == nil {
		return
	}
	for i := range s.Offer.Tools {
		t := &s.Offer.Tools[i]
		if t.Name != tool || !t.Changed || t.Digest != digest {
			continue
		}
		t.Changed = false
		r.revision++
		tx.SQL(`UPDATE mcp_trusted SET digest = ? WHERE server = ? AND tool = ?`, t.Digest, server, tool)
		if body, err := limit.MarshalWithin(s.Offer, maxOffer); err == nil {
			s.saveOffer(tx, body)
		}
		r.changed = true
	}
}
