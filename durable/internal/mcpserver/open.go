package mcpserver

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about calls whose object has lost its memory, and about time.

const (
	// maxLost is how many events may trap while a call is under way. It is then given up: its code may be
	// what traps.
	maxLost = 3
	// watchEvery is how often an object is woken whose tasks wait for a response, in milliseconds.
	watchEvery = 30_000
)

// whileTrapping is the pause after each of them but the last.
var whileTrapping = durable.Backoff{2_000, 4_000}

// Open implements [author.MCPServer].
func (p *Server) Open(tx *durable.Tx, trapped bool) {
	for _, c := range list(tx, `state = ?`, string(working)) {
		k := &call{row: c, stored: true}
		switch {
		case c.kind == ofRequest: // the request has failed with the memory
			p.drop(tx, k, "its client has left")
		case !trapped:
			p.load(tx, c.id)
		default:
			p.trapped(tx, k)
		}
	}
}

// Working implements [author.MCPServer].
func (p *Server) Working(tx *durable.Tx) bool {
	return len(list(tx, `state = ?`, string(working))) > 0
}

// trapped counts that an event has trapped while a call was under way.
func (p *Server) trapped(tx *durable.Tx, k *call) {
	k.lost++
	if k.lost < maxLost {
		tx.Schedule(dueAgain, k.id, tx.Now+whileTrapping.Wait(int(k.lost)))
		k.put(tx)
		return
	}
	p.stop(tx, k, "it was given up")
	p.keep(tx, k, failedWith("the program has failed each time that the call was under way"), nil)
}

// HandleDue implements [author.MCPServer].
func (p *Server) HandleDue(tx *durable.Tx, due durable.Due) {
	switch due.Kind {
	case dueExpiry:
		p.forgetOverdue(tx, due.ID)
	case dueSession:
		p.sessionDue(tx, due.ID)
	case dueAgain:
		p.load(tx, due.ID)
	case dueWatch: // it has done its work: the object is open
	case flow.DueWorkflow:
		for _, k := range p.calls {
			if k.routine != nil {
				k.routine.Ask(tx, due.ID)
			}
		}
	}
}

// forgetOverdue forgets a call whose time is over.
func (p *Server) forgetOverdue(tx *durable.Tx, id string) {
	k := p.inMemory(id)
	if k == nil {
		stored, ok := find(tx, id)
		if !ok {
			return
		}
		k = &call{row: stored, stored: true}
	}
	if k.state.final() {
		remove(tx, id)
		return
	}
	if w := k.waiter; w != nil {
		w.reply(tx, k, 200, mcp.EncodeError(w.id, &mcp.Error{Code: mcp.CodeInternal, Message: "the call has taken too long"}))
	}
	p.drop(tx, k, "its time is over")
}

// watch has the object woken while a call that outlives its memory waits for what is lost with its memory. Everything else that
// a call awaits wakes the object by itself.
func (p *Server) watch(tx *durable.Tx) {
	waits := false
	for _, k := range p.calls {
		waits = waits || k.kind != ofRequest && k.inMemory()
	}
	switch {
	case waits && !tx.Scheduled(dueWatch, ""):
		tx.Schedule(dueWatch, "", tx.Now+watchEvery)
	case p.watched && !waits:
		tx.Unschedule(dueWatch, "")
	}
	p.watched = waits
}

// noted handles a notification of a client. A modern client cancels a call by leaving its stream, and the
// id of a request means nothing outside of a session.
func (p *Server) noted(tx *durable.Tx, f from, m mcp.Message) {
	note, _ := mcp.ParseNote(m)
	c, ok := note.(mcp.Cancelled)
	if !ok || f.session == nil {
		return
	}
	for _, k := range p.callsOf(tx, f.session.id) {
		if k.client.request() != c.Request || k.state.final() {
			continue
		}
		if w := k.waiter; w != nil {
			w.reply(tx, k, 200, mcp.EncodeError(w.id, &mcp.Error{Code: mcp.CodeInvalidRequest, Message: "the request was cancelled"}))
		}
		p.drop(tx, k, "its client has cancelled it")
	}
}
