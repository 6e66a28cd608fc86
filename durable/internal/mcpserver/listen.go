package mcpserver

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about the streams on which clients are told of changes: that of a modern client's listen,
// and that of a session.

const (
	// notifiedFor is how long after a change of the tools a client that listens is told of it, in
	// milliseconds. A deployment breaks all streams off, and clients need a while to come back.
	notifiedFor = 3_600_000
)

// listener is a stream on which a client is told of changes.
type listener struct {
	from
	filter mcp.Filter
	// tools is the digest of the tools when it began, or when it was told last.
	tools string
}

// listen begins a stream of notifications, which lasts until its client leaves, its authorization ends,
// or the object's memory is lost.
func (p *Server) listen(tx *durable.Tx, f from, c mcp.Listen) (mcp.Result, *mcp.Error) {
	if err := p.mayListen(tx, f); err != nil {
		return nil, err
	}
	l := &listener{from: f, filter: mcp.Filter{Tools: c.Filter.Tools, Tasks: p.ownTasks(tx, f, c.Filter.Tasks)}, tools: p.toolsDigest(tx)}
	if p.config.Read != nil {
		l.filter.URIs = watchable(c.Filter.URIs)
	}
	p.beginStream(tx, f.request, idleEvery)
	l.notify(tx, mcp.Acknowledged{Filter: l.filter})
	if l.filter.Tools && p.toolsChanged(tx) {
		l.notify(tx, mcp.Changed{What: mcp.MethodToolsChanged})
	}
	p.listeners = append(p.listeners, l)
	return nil, nil
}

// watchable returns those of some URIs that a stream is kept for: the first, without those that are too long.
func watchable(uris []string) []string {
	kept := slices.DeleteFunc(slices.Clone(uris), func(uri string) bool { return len(uri) > maxURI })
	return kept[:min(len(kept), maxWatched)]
}

// listenOfSession begins the stream of a session. It takes the place of an earlier one: its client is
// the same, and knows better than we whether it still reads that.
func (p *Server) listenOfSession(tx *durable.Tx, f from) {
	if old := p.listenerOf(f.session.id); old != nil {
		tx.Do(durable.EndStream{Stream: old.request})
		p.unlisten(old.request)
	}
	if err := p.mayListen(tx, f); err != nil {
		respond(tx, f.request, 503, mcp.EncodeError(mcp.ID{}, err))
		return
	}
	l := &listener{from: f, tools: p.toolsDigest(tx)}
	p.beginStream(tx, f.request, idleEvery)
	tx.Do(durable.Emit{Stream: f.request, Data: []byte(mcp.KeepAlive)}) // a client may wait for the first byte
	p.listeners = append(p.listeners, l)
	if f.session.tools != l.tools {
		l.notify(tx, mcp.Changed{What: mcp.MethodToolsChanged})
		f.session.know(tx, l.tools)
	}
	for _, k := range p.callsOf(tx, f.session.id) { // what was asked while there was no stream
		for _, q := range k.asked {
			if k.waiter == nil && q.Number > 0 {
				p.sendQuestion(tx, k, q)
			}
		}
	}
}

// listenerOf returns the stream of a session, or nil.
func (p *Server) listenerOf(session string) *listener {
	for _, l := range p.listeners {
		if l.session != nil && l.session.id == session {
			return l
		}
	}
	return nil
}

func (p *Server) unlisten(request string) (ended bool) {
	before := len(p.listeners)
	p.listeners = slices.DeleteFunc(p.listeners, func(l *listener) bool { return l.request == request })
	return len(p.listeners) < before
}

// endListeners ends the streams whose authorization is over: when something is to be sent, and before
// anything is told. A modern client is told so by the answer to its request.
func (p *Server) endListeners(tx *durable.Tx) {
	p.listeners = slices.DeleteFunc(p.listeners, func(l *listener) bool {
		over := l.over(tx.Now)
		if over && l.session == nil {
			body := p.encode(l.id, l.caller.Version, mcp.Listened{Subscription: l.id})
			tx.Do(durable.Emit{Stream: l.request, Data: mcp.AppendEvent(nil, "", body)})
		}
		if over {
			tx.Do(durable.EndStream{Stream: l.request})
		}
		return over
	})
}

// untilOf returns when an authorization ends, in milliseconds since 1970, or 0 for no end.
func untilOf(claims string) int64 {
	var c struct {
		Exp int64 `json:"exp"`
	}
	_ = json.Unmarshal([]byte(claims), &c) // in development there are none
	return c.Exp * 1_000
}

// ownTasks returns those tasks of a list that are the client's.
func (p *Server) ownTasks(tx *durable.Tx, f from, ids []string) (own []string) {
	for _, id := range ids[:min(len(ids), share.Programs.Most)] {
		if c, ok := find(tx, id); ok && c.kind == ofTask && claims.SamePerson(c.claims, f.claims) {
			own = append(own, id)
		}
	}
	return own
}

func (l *listener) notify(tx *durable.Tx, note mcp.Note) {
	tx.Do(durable.Emit{Stream: l.request, Data: mcp.AppendEvent(nil, "", mcp.EncodeNote(note, l.id))})
}

// watches says whether the client wants to know of the changes of a resource.
func (l *listener) watches(uri string) bool {
	if l.session != nil {
		return slices.Contains(l.session.watched, uri)
	}
	return slices.Contains(l.filter.URIs, uri)
}

// Changed implements [author.MCPServer].
func (p *Server) Changed(tx *durable.Tx, uri string) {
	p.endListeners(tx)
	p.notifyTools(tx)
	for _, l := range p.listeners {
		if l.watches(uri) {
			l.notify(tx, mcp.Updated{URI: uri})
		}
	}
}

// taskChanged tells what has become of a task.
func (p *Server) taskChanged(tx *durable.Tx, c row) {
	p.endListeners(tx)
	for _, l := range p.listeners {
		if slices.Contains(l.filter.Tasks, c.id) {
			l.notify(tx, mcp.TaskChanged{Task: c.task()})
		}
	}
}
