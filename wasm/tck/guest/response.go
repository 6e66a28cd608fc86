package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// respond follows the orders for streamed responses and for what is known of a sender. It says
// whether the request was one of these.
func (p *probe) respond(tx *durable.Tx, e durable.RequestReceived) bool {
	word, rest, _ := strings.Cut(strings.TrimPrefix(e.URL, "/"), "/")
	words := strings.Split(rest, "/")
	first, _ := strconv.Atoi(words[0])
	begin := func(status int) {
		tx.Do(durable.Begin{Request: e.Request, Status: status, Header: map[string]string{"content-type": "text/plain"}})
	}
	emit := func(text string) { tx.Do(durable.Emit{Stream: e.Request, Data: []byte(text)}) }
	end := func() { tx.Do(durable.EndStream{Stream: e.Request}) }
	switch word {
	case "agents": // a signal
		if strings.Contains(rest, "/runs/trap/") {
			panic("asked to")
		}
		text := fmt.Sprintf("%s %s %s %v %s", e.Method, e.URL, e.Body, e.Header, e.Claims)
		tx.Do(durable.Respond{Request: e.Request, Status: 200, Body: []byte(text)})
	case "sender":
		text := fmt.Sprintf("%v %s", e.Header, e.Claims)
		tx.Do(durable.Respond{Request: e.Request, Status: 200, Body: []byte(text)})
	case "numbers": // numbers/END/BATCH/TRAP
		batch, _ := strconv.Atoi(words[1])
		trap, _ := strconv.Atoi(words[2])
		begin(200)
		p.emitNumbers(tx, e.Request, &numbers{end: first, batch: batch, trap: trap})
	case "silent":
		begin(200)
	case "status":
		begin(first)
		emit("body")
		end()
	case "twice":
		begin(201)
		begin(202)
		tx.Do(durable.Respond{Request: e.Request, Status: 203, Body: []byte("late")})
		emit("once")
		end()
		emit("never")
		begin(204)
	case "answered":
		tx.Do(durable.Respond{Request: e.Request, Status: 200, Body: []byte("answered")})
		begin(201)
		emit("never")
		end()
	default:
		return false
	}
	return true
}

// emitNumbers emits the next batch of a response, and ends it after the last number.
func (p *probe) emitNumbers(tx *durable.Tx, request string, n *numbers) {
	if p.responses == nil {
		p.responses = map[string]*numbers{}
	}
	p.responses[request] = n
	if n.emit(tx, request) {
		delete(p.responses, request)
	}
}

// streamed handles what the reader of a response does. It says whether the event was of one.
func (p *probe) streamed(tx *durable.Tx, event durable.Event) bool {
	switch e := event.(type) {
	case durable.StreamDrained:
		if n := p.responses[e.Stream]; n != nil {
			p.emitNumbers(tx, e.Stream, n)
			return true
		}
	case durable.StreamCancelled:
		emitted := 0
		if n := p.responses[e.Stream]; n != nil {
			emitted = n.next
		}
		delete(p.responses, e.Stream)
		p.tell(tx, fmt.Sprintf("left, emitted some: %v", emitted > 0))
		return true
	}
	return false
}
