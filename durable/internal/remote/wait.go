package remote

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Wait has an await of code wait until a server is ready, or has failed, and asks the server.
func (r *Servers) Wait(tx *durable.Tx, id string, key flow.Key) {
	s := r.Find(tx, id)
	if s == nil {
		flow.Complete(tx, key, nil, unknown(id).Error())
		return
	}
	tx.SQL(`INSERT INTO mcp_waiter (server, routine, position) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, id, key.Routine, key.Position)
	r.Begin(tx, s)
}

// Leave ends a wait.
func (r *Servers) Leave(tx *durable.Tx, id string, key flow.Key) {
	tx.SQL(`DELETE FROM mcp_waiter WHERE server = ? AND routine = ? AND position = ?`, id, key.Routine, key.Position)
}

// settle ends all waits for a server. failure is "" if it is ready.
func (r *Servers) settle(tx *durable.Tx, s *Server, failure string) {
	for _, row := range tx.SQL(`DELETE FROM mcp_waiter WHERE server = ? RETURNING routine, position`, s.ID) {
		key := flow.Key{Routine: row.Text(0), Position: int(row.Int(1))}
		if flow.Complete(tx, key, []byte(`{}`), failure) {
			r.config.GoOn(tx, key.Routine)
		}
	}
}
