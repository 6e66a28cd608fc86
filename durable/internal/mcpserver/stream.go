package mcpserver

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about answers that are streams of events.

const (
	// aliveEvery is how often something is sent on the streams, so that nobody closes them, in milliseconds.
	aliveEvery = 15_000
	// idleEvery is how often that is for streams on which clients are told of changes.
	idleEvery = 2 * aliveEvery
	// maxUndrained is how much of a stream may wait for its client before progress is left out, in bytes.
	maxUndrained = 64 << 10
)

// stream has the answer to a request be a stream.
func (p *Server) stream(tx *durable.Tx, k *call) {
	k.waiter.began = true
	p.beginStream(tx, k.waiter.request, aliveEvery)
	if k.kind == ofSession {
		k.prime(tx)
	}
}

func (p *Server) beginStream(tx *durable.Tx, request string, every int64) {
	tx.Do(durable.Begin{Request: request, Status: 200, Header: map[string]string{
		"content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no",
	}})
	if p.beat == 0 || p.beat > every {
		p.beat = every
		tx.Do(durable.StartTimer{Timer: AliveTimer, After: every})
	}
}

// keepAlive sends a comment on the streams of calls, and on the others every second time.
func (p *Server) keepAlive(tx *durable.Tx) {
	p.endListeners(tx)
	p.skipped = p.beat == aliveEvery && !p.skipped
	comment, next := []byte(mcp.KeepAlive), int64(0)
	for _, l := range p.listeners {
		next = idleEvery
		if !p.skipped {
			tx.Do(durable.Emit{Stream: l.request, Data: comment})
		}
	}
	for _, k := range p.calls {
		if k.waiter != nil && k.waiter.began {
			next = aliveEvery
			tx.Do(durable.Emit{Stream: k.waiter.request, Data: comment})
		}
	}
	if p.skipped && next > 0 {
		next = aliveEvery
	}
	if p.beat = next; next > 0 {
		tx.Do(durable.StartTimer{Timer: AliveTimer, After: next})
	}
}

// Report implements [author.MCPServer].
func (p *Server) Report(tx *durable.Tx, id string, progress run.Progress) {
	k := p.inMemory(id)
	if k == nil {
		return
	}
	if words := cmp.Or(progress.Message, progress.Phase); words != "" && k.kind == ofTask {
		k.message, k.changed = words, true
	}
	if w := k.waiter; w != nil && w.caller.Progress.Exists() {
		p.notify(tx, k, progress)
	}
}

// Log implements [author.MCPServer].
func (p *Server) Log(tx *durable.Tx, id, level string, data json.RawMessage) {
	k := p.inMemory(id)
	if k == nil || k.waiter == nil || !mcp.Logs(k.waiter.caller.Level, level) {
		return
	}
	if v, err := mcp.Parse(data); err == nil {
		p.note(tx, k, mcp.Log{Level: level, Data: v})
	}
}

// leastProgress is what a report adds that says no more of the share that is done: the protocol wants
// every value to be larger than the one before.
const leastProgress = 1e-6

// notify sends progress to a client that wants to know it.
func (p *Server) notify(tx *durable.Tx, k *call, progress run.Progress) {
	w, total := k.waiter, 1.0
	w.progress = max(progress.Fraction, w.progress+leastProgress, 0)
	p.note(tx, k, mcp.Progress{Token: w.caller.Progress, Done: w.progress, Total: &total, Message: cmp.Or(progress.Message, progress.Phase)})
}

// note sends a notification on the stream of a call. It is left out if the client does not read: the
// next one says more.
func (p *Server) note(tx *durable.Tx, k *call, note mcp.Note) {
	w := k.waiter
	if !w.began {
		p.stream(tx, k)
	}
	if w.undrained > maxUndrained {
		return
	}
	event := mcp.AppendEvent(nil, "", mcp.EncodeNote(note, mcp.ID{}))
	w.undrained += len(event)
	tx.Do(durable.Emit{Stream: w.request, Data: event})
}

// TimerFired implements [author.MCPServer].
func (p *Server) TimerFired(tx *durable.Tx, timer string) {
	if timer == AliveTimer {
		p.keepAlive(tx)
		return
	}
	if k := p.inMemory(strings.TrimPrefix(timer, SlowTimer)); k != nil {
		p.slow(tx, k)
	}
}

// Fetched implements [author.MCPServer]. It is false for a fetch that goes on, too.
func (p *Server) Fetched(tx *durable.Tx, name string, event durable.Event) bool {
	for _, k := range p.calls {
		if k.routine != nil && k.routine.Fetched(tx, name, event) {
			p.proceed(tx, k)
			return true
		}
	}
	return false
}

// Drained implements [author.MCPServer].
func (p *Server) Drained(request string) bool {
	k := p.ofRequest(request)
	if k != nil {
		k.waiter.undrained = 0
	}
	return k != nil
}

// Cancelled implements [author.MCPServer]. Nobody can be given the answer any more, but for a client with a session, which may
// come back for it.
func (p *Server) Cancelled(tx *durable.Tx, request string) bool {
	if k := p.ofRequest(request); k != nil {
		if k.waiter = nil; k.kind != ofSession {
			p.drop(tx, k, "its client has left")
		}
		return true
	}
	return p.unlisten(request)
}
