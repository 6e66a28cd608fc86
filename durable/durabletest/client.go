package durabletest

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file is the other side of the front door: who asks, and who reads the responses.

// As says what the front door has verified about those who connect or ask from now on: the claims of
// their events. They are "" at first, as in development.
func (w *World) As(claims string) { w.claims = claims }

// Leave makes the reader of a response that was begun go away. It returns false if there is none.
func (w *World) Leave(request string) bool {
	l := w.links[request]
	if l == nil || l.from != w.client {
		return false
	}
	w.cancel(l)
	w.drain()
	return true
}

// connect records a socket with the claims that its messages carry.
func (w *World) connect(e durable.SocketOpened) durable.SocketOpened {
	w.root.conns = append(w.root.conns, e.Conn)
	if e.Claims == "" {
		e.Claims = w.claims
	}
	w.claimed[e.Conn] = e.Claims
	return e
}

// claim gives a message the claims of its socket, which the host keeps.
func (w *World) claim(e durable.SocketMessage) durable.SocketMessage {
	if e.Claims == "" {
		e.Claims = w.claimed[e.Conn]
	}
	return e
}

// answer says whether a request of a node was waiting for its answer, which it is then no longer.
func (n *node) answer(request string) bool {
	waiting := slices.Contains(n.requests, request)
	n.requests = slices.DeleteFunc(n.requests, func(r string) bool { return r == request })
	return waiting
}

// begin opens the response to a request as a stream to the client. An answered request is passed
// over.
func (w *World) begin(n *node, c durable.Begin) {
	if !n.answer(c.Request) {
		return
	}
	w.note(n, "begin %s %d %s", c.Request, c.Status, table(c.Header))
	w.made++
	w.links[c.Request] = &link{from: w.client, to: n, name: c.Request, id: c.Request, number: w.made, stream: true, arrived: true}
}

// Reader has a function called with what arrives of responses that are streamed.
func (w *World) Reader(heard func(durable.Event)) { w.heard = heard }

// read notes what arrives at the client.
func (w *World) read(e durable.Event) {
	if w.heard != nil {
		w.heard(e)
	}
	switch e := e.(type) {
	case durable.StreamData:
		w.note(w.client, "read %s %s", e.Stream, e.Data)
	case durable.StreamEnded:
		w.note(w.client, "end %s", e.Stream)
	case durable.StreamFailed:
		w.note(w.client, "broken %s", e.Stream)
	}
}
