package main

import (
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// source is the class of the probe's facets, and of their own facets. It answers calls, or forwards
// them to a facet of its own, and streams numbers, a line each.
type source struct {
	name    string
	streams map[string]*numbers
	// drained counts the StreamDrained events.
	drained int
	// left says that a reader has cancelled. waiting are the calls that wait for that.
	left    bool
	waiting []string
}

// numbers is a stream of the numbers from next to end. batch numbers are emitted at a time.
type numbers struct{ next, end, batch, trap int }

// Load implements [durable.Object].
func (s *source) Load() durable.Load { return durable.Load{Busy: len(s.streams) > 0} }

// Step implements [durable.Object].
func (s *source) Step(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.Opened:
		s.name = e.Name
		tx.SQL(`CREATE TABLE IF NOT EXISTS n (v INTEGER)`)
	case durable.CallReceived:
		s.answer(tx, e)
	case durable.CallAnswered:
		tx.Do(durable.Answer{Call: e.Call, Data: e.Data})
	case durable.CallFailed:
		tx.Do(durable.Answer{Call: e.Call, Error: e.Error})
	case durable.StreamRequested:
		n := &numbers{}
		if _, err := fmt.Sscan(string(e.Data), &n.end, &n.batch, &n.trap); err != nil {
			panic(err)
		}
		s.streams[e.Stream] = n
		s.emit(tx, e.Stream, n)
	case durable.StreamDrained:
		s.drained++
		if n := s.streams[e.Stream]; n != nil {
			s.emit(tx, e.Stream, n)
		}
	case durable.StreamCancelled:
		delete(s.streams, e.Stream)
		s.left = true
		s.answerCancelled(tx)
	}
}

func (s *source) emit(tx *durable.Tx, stream string, n *numbers) {
	if n.emit(tx, stream) {
		delete(s.streams, stream)
	}
}

// emit emits the next batch, each number by itself, and ends the stream after the last number. It
// says whether it did.
func (n *numbers) emit(tx *durable.Tx, stream string) bool {
	for range min(n.batch, n.end-n.next) {
		if n.trap > 0 && n.next == n.trap {
			panic("asked to")
		}
		tx.Do(durable.Emit{Stream: stream, Data: fmt.Appendf(nil, "%06d\n", n.next)})
		n.next++
	}
	if n.batch == 0 || n.next < n.end {
		return false
	}
	tx.Do(durable.EndStream{Stream: stream})
	return true
}

func (s *source) answer(tx *durable.Tx, e durable.CallReceived) {
	word, rest, _ := strings.Cut(string(e.Data), " ")
	say := func(text string) { tx.Do(durable.Answer{Call: e.Call, Data: []byte(text)}) }
	switch word {
	case "echo":
		say(rest)
	case "name":
		say(s.name)
	case "count":
		count(tx)
		say(fmt.Sprint("count ", tally(tx)))
	case "down":
		tx.Do(durable.Call{Call: e.Call, To: durable.Facet{Slot: "1", Class: "Source"}, Data: []byte(rest)})
	case "refuse":
		tx.Do(durable.Answer{Call: e.Call, Error: rest})
	case "hang":
	case "alarm":
		tx.Do(durable.SetAlarm{At: tx.Now})
		say("alarm")
	case "emitted":
		most := 0
		for _, n := range s.streams {
			most = max(most, n.next)
		}
		say(fmt.Sprintf("emitted %d drained %d", most, s.drained))
	case "left":
		s.waiting = append(s.waiting, e.Call)
		s.answerCancelled(tx)
	default:
		trap(tx, word, say)
	}
}

// answerCancelled answers the calls that wait for a reader to cancel, once one has.
func (s *source) answerCancelled(tx *durable.Tx) {
	if !s.left {
		return
	}
	for _, call := range s.waiting {
		tx.Do(durable.Answer{Call: call, Data: fmt.Appendf(nil, "left, drained %d", s.drained)})
	}
	s.waiting = nil
}
