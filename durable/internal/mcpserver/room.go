package mcpserver

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about how much one client can have of what all clients of an object share. Package share
// has the rule. A client that is refused has no effect on others: nothing of theirs ends.

// isKnown says whether it is known who has sent a request. A client that nobody can tell from others has
// no session and no task, and is not asked: each of these belongs to a person.
func isKnown(by string) bool { return claims.Person(by) != "" }

var errUnknown = &mcp.Error{Code: mcp.CodeInvalidParams, Message: "this needs an authorization that says who you are"}

// full is the error of a client that can have no more of something.
func full(why error) *mcp.Error {
	return &mcp.Error{Code: mcp.CodeInternal, Message: why.Error()}
}

// mayCall says why a client can begin no call, or returns nil. Of the client's own tasks, those make room
// that have ended and of which it knows the end.
func (p *Server) mayCall(tx *durable.Tx, f from) *mcp.Error {
	for {
		held := share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM mcp_call GROUP BY claims`))
		for _, k := range p.calls {
			if !k.stored && !k.over {
				held.Add(k.claims, 1)
			}
		}
		why := share.Programs.Refusal(f.claims, held)
		if why == nil {
			return nil
		}
		if !forgetAcknowledged(tx, f.claims) {
			return full(why)
		}
	}
}

// forgetAcknowledged forgets the oldest task of a person that has ended and whose end was told, if there is one.
func forgetAcknowledged(tx *durable.Tx, by string) bool {
	for _, r := range tx.SQL(`SELECT id, claims FROM mcp_call WHERE told = 1 ORDER BY seq`) {
		if claims.SamePerson(r.Text(1), by) {
			remove(tx, r.Text(0))
			return true
		}
	}
	return false
}

// acknowledge notes that the client of a task knows that the task has ended.
func (c *row) acknowledge(tx *durable.Tx) {
	if !c.acknowledged {
		c.acknowledged = true
		tx.SQL(`UPDATE mcp_call SET told = 1 WHERE id = ?`, c.id)
	}
}

// mayBegin says why a client can begin no session, or returns nil. Of the person's own sessions, the one
// that was idle for longest makes room, if nothing of it is under way: many programs do not end theirs.
func (p *Server) mayBegin(tx *durable.Tx, f from) *mcp.Error {
	var held share.Held
	rows := tx.SQL(`SELECT id, claims FROM mcp_session ORDER BY seen, id`)
	for _, r := range rows {
		held.Add(r.Text(1), 1)
	}
	why := share.Sessions.Refusal(f.claims, held)
	for _, r := range rows {
		if why == nil {
			return nil
		}
		if id, by := r.Text(0), r.Text(1); claims.SamePerson(by, f.claims) && p.rests(tx, id) {
			p.endSession(tx, id)
			held.Add(by, -1)
			why = share.Sessions.Refusal(f.claims, held)
		}
	}
	if why == nil {
		return nil
	}
	return full(why)
}

// rests says whether nothing of a session is under way: no call, and no stream that its client reads.
func (p *Server) rests(tx *durable.Tx, session string) bool {
	for _, k := range p.callsOf(tx, session) {
		if !k.state.final() {
			return false
		}
	}
	return p.listenerOf(session) == nil
}

// mayListen says why a client can have no further stream, or returns nil.
func (p *Server) mayListen(tx *durable.Tx, f from) *mcp.Error {
	p.endListeners(tx)
	var held share.Held
	for _, l := range p.listeners {
		held.Add(l.claims, 1)
	}
	if why := share.Streams.Refusal(f.claims, held); why != nil {
		return full(why)
	}
	return nil
}

// Has implements [author.MCPServer].
func (p *Server) Has(tx *durable.Tx) bool {
	return len(p.calls) > 0 || len(tx.SQL(`SELECT 1 FROM mcp_call LIMIT 1`)) > 0
}

// Clear implements [author.MCPServer].
func (p *Server) Clear(tx *durable.Tx, why string) {
	var all []*call
	for _, k := range p.calls {
		if !k.over {
			all = append(all, k)
		}
	}
	for _, r := range list(tx, `1`) {
		if p.inMemory(r.id) == nil {
			all = append(all, &call{row: r, stored: true})
		}
	}
	for _, k := range all {
		if w := k.waiter; w != nil {
			w.reply(tx, k, 200, mcp.EncodeError(w.id, &mcp.Error{Code: mcp.CodeInternal, Message: why}))
		}
		if k.state.final() {
			remove(tx, k.id)
			continue
		}
		p.drop(tx, k, why)
		k.state, k.message = cancelled, why
		p.taskChanged(tx, k.row)
	}
}
