package endpoint

import (
	"encoding/hex"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the tools that clients know. They change with a deployment only, or with its
// variables, and either ends the object's memory, with all streams.

// toolsDigest returns a digest of all that is said of the tools.
func (p *Endpoint) toolsDigest() string {
	sum := sha256.Sum(p.encode(mcp.NumberID(1), mcp.Version, p.listTools()))
	return hex.EncodeToString(sum[:16])
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
func (p *Endpoint) toolsChanged(tx *durable.Tx) bool {
	now, before, changed := p.toolsDigest(), "", int64(0)
	for _, r := range tx.SQL(`SELECT digest, changed FROM mcp_tools`) {
		before, changed = r.Text(0), r.Int(1)
	}
	if before == now {
		return changed > 0 && tx.Now-changed < toldFor
	}
	if before != "" {
		changed = tx.Now
	}
	tx.SQL(`INSERT INTO mcp_tools (one, digest, changed) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET digest = excluded.digest, changed = excluded.changed`, now, changed)
	return before != ""
}
