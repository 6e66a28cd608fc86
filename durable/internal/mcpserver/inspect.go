package mcpserver

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
)

// Sections implements [author.MCPServer]: the newest calls of programs that are stored or under way, without
// what they are called with, what they ask and what they return.
func (p *Server) Sections(tx *durable.Tx) []inspection.Table {
	t := inspection.Table{Name: "calls", Columns: []string{"id", "called", "kind", "state", "round", "questions", "subject", "message", "lost", "begun_at", "expires_at"}}
	add := func(c row) {
		t.Add(c.id, c.name, string(c.kind), string(c.state), c.round, len(c.asked), p.config.Subject(c.claims), c.message, c.lost, c.created, inspection.When(c.expires))
	}
	for _, k := range p.calls {
		if !k.stored && !k.over {
			add(k.row)
		}
	}
	if tx.Made("mcp_call") {
		for _, c := range list(tx, `1`) {
			add(c)
		}
	}
	return []inspection.Table{t}
}
