package endpoint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about answers that are streams of events.

const (
	// aliveTimer goes off when something has to be sent on the streams, so that nobody closes them, and
	// aliveEvery is how often that is, in milliseconds.
	aliveTimer, aliveEvery = "mcp-alive", 15_000
	// maxUndrained is how much of a stream may wait for its client before progress is left out, in bytes.
	maxUndrained = 64 << 10
)

// stream has the answer to a request be a stream.
func (p *Endpoint) stream(tx *durable.Tx, w *waiter) {
	w.began = true
	p.beginStream(tx, w.request)
}

func (p *Endpoint) beginStream(tx *durable.Tx, request string) {
	tx.Do(durable.Begin{Request: request, Status: 200, Header: map[string]string{
		"content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no",
	}})
	if !p.alive {
		p.alive = true
		tx.Do(durable.StartTimer{Timer: aliveTimer, After: aliveEvery})
	}
}

// keepAlive sends a comment on every stream.
func (p *Endpoint) keepAlive(tx *durable.Tx) {
	p.alive = false
	for _, request := range p.streams() {
		tx.Do(durable.Emit{Stream: request, Data: []byte(mcp.KeepAlive)})
		p.alive = true
	}
	if p.alive {
		tx.Do(durable.StartTimer{Timer: aliveTimer, After: aliveEvery})
	}
}

// streams returns the requests whose answers are streams.
func (p *Endpoint) streams() (requests []string) {
	for _, k := range p.calls {
		if k.waiter != nil && k.waiter.began {
			requests = append(requests, k.waiter.request)
		}
	}
	for _, l := range p.listeners {
		requests = append(requests, l.request)
	}
	return requests
}

// Report implements [author.Endpoint].
func (p *Endpoint) Report(tx *durable.Tx, id string, progress run.Progress) {
	k := p.inMemory(id)
	if k == nil {
		return
	}
	if words := cmp.Or(progress.Message, progress.Phase); words != "" && k.kind == ofTask {
		k.message, k.changed = words, true
	}
	if w := k.waiter; w != nil && w.caller.Progress.Exists() {
		p.tell(tx, w, progress)
	}
}

// leastProgress is what a report adds that says no more of the share that is done: the protocol wants
// every value to be larger than the one before.
const leastProgress = 1e-6

// tell sends progress to a client that wants to know it.
func (p *Endpoint) tell(tx *durable.Tx, w *waiter, progress run.Progress) {
	if !w.began {
		p.stream(tx, w)
	}
	if w.undrained > maxUndrained {
		return
	}
	total := 1.0
	w.progress = max(progress.Fraction, w.progress+leastProgress, 0)
	note := mcp.Progress{Token: w.caller.Progress, Done: w.progress, Total: &total, Message: cmp.Or(progress.Message, progress.Phase)}
	event := mcp.AppendEvent(nil, "", mcp.EncodeNote(note, mcp.ID{}))
	w.undrained += len(event)
	tx.Do(durable.Emit{Stream: w.request, Data: event})
}

// Handle implements [author.Endpoint].
func (p *Endpoint) Handle(tx *durable.Tx, event durable.Event) bool {
	switch e := event.(type) {
	case durable.TimerFired:
		return p.timerFired(tx, e.Timer)
	case durable.FetchResponded:
		return p.fetched(tx, e.Fetch, e)
	case durable.FetchChunk:
		return p.fetched(tx, e.Fetch, e)
	case durable.FetchEnded:
		return p.fetched(tx, e.Fetch, e)
	case durable.FetchFailed:
		return p.fetched(tx, e.Fetch, e)
	case durable.StreamDrained:
		if k := p.ofRequest(e.Stream); k != nil {
			k.waiter.undrained = 0
			return true
		}
	case durable.StreamCancelled:
		return p.left(tx, e.Stream)
	}
	return false
}

func (p *Endpoint) timerFired(tx *durable.Tx, timer string) bool {
	if timer == aliveTimer {
		p.keepAlive(tx)
		return true
	}
	id, ours := strings.CutPrefix(timer, slowTimer)
	if k := p.inMemory(id); k != nil {
		p.slow(tx, k)
	}
	return ours
}

// fetched gives an event of a fetch to the code that has made it. It is false for a fetch of other code,
// and for one that goes on.
func (p *Endpoint) fetched(tx *durable.Tx, name string, event durable.Event) bool {
	for _, k := range p.calls {
		if k.routine != nil && k.routine.Fetched(tx, name, event) {
			p.goOn(tx, k)
			return true
		}
	}
	return false
}

// left handles that the client of a stream is gone: nobody can be given the answer any more.
func (p *Endpoint) left(tx *durable.Tx, request string) bool {
	if k := p.ofRequest(request); k != nil {
		k.waiter = nil
		p.drop(tx, k, "its client has left")
		return true
	}
	before := len(p.listeners)
	p.listeners = slices.DeleteFunc(p.listeners, func(l *listener) bool { return l.request == request })
	return len(p.listeners) < before
}
