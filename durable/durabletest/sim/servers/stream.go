package servers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// This file is about the streams on which the legacy server answers some calls. It asks on them, and a stream
// that was cut, or that the server has ended before its answer, goes on behind the event that its reader names.

// stream is a stream of the legacy server. It outlives the connections of its readers.
type stream struct {
	id string
	// call is the call that it answers.
	call Request
	// events are those that it has, and sent how many of them the reader was sent.
	events []string
	sent   int
	// reader is the request whose answer the stream is, or nil if nobody reads.
	reader *Request
	// breaks is how often it still breaks: it is cut behind an event that has no answer, or ends there.
	breaks int
	cut    bool
	// asks is the id of its question, or "". said is the answer to that, and over says that it has its own.
	asks, said string
	over       bool
}

// open answers a call with a stream.
func (s *Server) open(q Request, d dice.Dice) {
	t := &stream{id: s.name("stream"), call: q, cut: d.Chance(2)}
	s.streams[t.id] = t
	if !s.Mode.Settling {
		t.breaks = d.Under(3)
	}
	if q.Tool == contract.Reserve {
		t.asks = s.name("ask")
		asks := question(q.Text)
		asks["jsonrpc"], asks["id"] = "2.0", t.asks
		t.add(asks)
	} else {
		t.breaks++
		t.add(object{"jsonrpc": "2.0", "method": "notifications/message", "params": object{"level": "info", "data": "at work"}})
	}
	s.read(t, q)
}

func (t *stream) add(message object) {
	body, err := json.Marshal(message)
	if err != nil {
		panic("servers: " + err.Error())
	}
	t.events = append(t.events, string(body))
}

// read sends a reader what it has not had yet.
func (s *Server) read(t *stream, q Request) {
	t.reader = &q
	s.head(q, 200, "text/event-stream", "")
	s.flow(t)
}

// flow sends the reader of a stream what there is, and breaks the stream if it is to break.
func (s *Server) flow(t *stream) {
	if t.reader == nil {
		return
	}
	q := *t.reader
	if t.asks == "" && !t.over && t.breaks == 0 {
		s.finish(t, "")
	}
	for ; t.sent < len(t.events); t.sent++ {
		text := fmt.Sprint("retry: 500\nid: ", t.id, "/", t.sent+1, "\ndata: ", t.events[t.sent], "\n\n")
		var took func()
		if t.over && t.sent == len(t.events)-1 {
			took = func() {
				s.Observer.Answered(t.call, false, false)
			}
		}
		s.Chunk(q.To, text, took)
	}
	switch {
	case t.over:
		t.reader = nil
		s.End(q.To, nil)
	case t.breaks > 0:
		t.reader = nil
		t.breaks--
		if t.cut {
			s.Fail(q.To, "connection reset")
			return
		}
		s.End(q.To, nil)
	}
}

// finish has a stream end with its answer. action is what a person has said to its question, or "".
func (s *Server) finish(t *stream, action string) {
	a := said("not reserved: " + t.call.Text)
	if action == "accept" || action == "" {
		s.Observer.Applied(t.call)
		a = said(contract.Served(t.call.Tool, t.call.Text))
	}
	t.over, t.call.Said = true, a.said
	t.add(object{"jsonrpc": "2.0", "id": t.call.id, "result": a.result})
}

// resume has a reader go on with a stream behind an event.
func (s *Server) resume(q Request) {
	id, number, _ := strings.Cut(q.Event, "/")
	n, err := strconv.Atoi(number)
	t := s.streams[id]
	if t == nil || err != nil || n < 1 || n > len(t.events) {
		s.Observer.Wrong("the stream behind " + q.Event + " is asked for, and there is no such event")
		s.plain(q, 404, "")
		return
	}
	t.sent = n
	s.read(t, q)
}

// hear takes the answer of a client to a question.
func (s *Server) hear(q Request) {
	var id string
	if json.Unmarshal(q.id, &id) == nil {
		for _, name := range s.names(id) {
			t := s.streams[name]
			if t.said != "" && t.said != q.Body {
				s.Observer.Wrong("a question is answered twice: " + t.said + " and " + q.Body)
			}
			if t.said == "" {
				t.said = q.Body
				s.finish(t, q.action)
				s.flow(t)
			}
		}
	}
	s.plain(q, 202, "")
}

// names returns the names of the streams with a question.
func (s *Server) names(ask string) (names []string) {
	for name, t := range s.streams {
		if t.asks != "" && t.asks == ask { // one at most
			names = append(names, name)
		}
	}
	return names
}
