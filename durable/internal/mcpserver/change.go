package mcpserver

import (
	"encoding/hex"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the tools that clients know. They change with a deployment or its variables, which
// ends the object's memory with all streams, and with what the agent withholds.

// toolsDigest returns a digest of all that is said of the tools.
func (p *Server) toolsDigest(tx *durable.Tx) string {
	sum := sha256.Sum(p.encode(mcp.NumberID(1), mcp.Version, p.listTools(tx)))
	return hex.EncodeToString(sum[:16])
}

// notifyTools tells all who listen that the tools have changed, if they have.
func (p *Server) notifyTools(tx *durable.Tx) {
	if p.config.Withheld == nil || len(p.listeners) == 0 {
		return
	}
	digest := p.toolsDigest(tx)
	for _, l := range p.listeners {
		if l.tools != digest && (l.session != nil || l.filter.Tools) {
			l.notify(tx, mcp.Changed{What: mcp.MethodToolsChanged})
			if l.session != nil {
				l.session.know(tx, digest)
			}
		}
		l.tools = digest
	}
	p.toolsChanged(tx)
}

// know notes which tools a session's client knows.
func (s *session) know(tx *durable.Tx, digest string) {
	if s.tools != digest {
		s.tools = digest
		s.put(tx)
	}
}

// toolsChanged says whether the tools have changed lately, for a client that may have been told what they
// were before. What the first client is told is not a change.
func (p *Server) toolsChanged(tx *durable.Tx) bool {
	now, before, changed := p.toolsDigest(tx), "", int64(0)
	for _, r := range tx.SQL(`SELECT digest, changed FROM mcp_tools`) {
		before, changed = r.Text(0), r.Int(1)
	}
	if before == now {
		return changed > 0 && tx.Now-changed < notifiedFor
	}
	if before != "" {
		changed = tx.Now
	}
	tx.SQL(`INSERT INTO mcp_tools (one, digest, changed) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, changed = excluded.changed`, now, changed)
	return before != ""
}
