package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// reader is the probe's view of the one stream that it reads.
type reader struct {
	rest []byte
	next int
	stop int
}

// ask follows the orders that reach a facet: it calls, opens a stream, opens one and cancels it
// after some numbers, evicts, or deletes. It says whether the word was one of these.
func (p *probe) ask(tx *durable.Tx, word, rest string, say func(string)) bool {
	slot, rest, _ := strings.Cut(rest, " ")
	class, text, _ := strings.Cut(rest, " ")
	to := durable.Facet{Slot: slot, Class: class}
	if !slices.Contains([]string{"call", "open", "until", "delete", "evict", "lose"}, word) {
		return false
	}
	say(word)
	switch word {
	case "call":
		asked, _, _ := strings.Cut(text, " ")
		tx.Do(durable.Call{Call: asked, To: to, Data: []byte(text)})
	case "until":
		stop, numbers, _ := strings.Cut(text, " ")
		p.open(tx, to, numbers)
		p.reader.stop, _ = strconv.Atoi(stop)
	case "open":
		p.open(tx, to, text)
	case "lose": // asks for what it then wipes
		tx.Do(durable.Call{Call: "call", To: to, Data: []byte(text)})
		tx.Do(durable.OpenStream{Stream: "probe", From: to, Data: []byte("1 0 0")})
		tx.Do(durable.DeleteFacet{Slot: slot})
	case "evict":
		tx.Do(durable.EvictFacet{Slot: slot})
	case "delete":
		tx.Do(durable.DeleteFacet{Slot: slot})
	}
	return true
}

// open opens a stream, and stores it so that a new in-memory part knows that it was lost.
func (p *probe) open(tx *durable.Tx, from durable.Facet, numbers string) {
	p.reader = reader{}
	tx.SQL(`INSERT INTO reading (v) VALUES (1)`)
	tx.Do(durable.OpenStream{Stream: "probe", From: from, Data: []byte(numbers)})
}

func (p *probe) closed(tx *durable.Tx, text string) {
	tx.SQL(`DELETE FROM reading`)
	p.tell(tx, fmt.Sprintf("%s after %d numbers", text, p.reader.next))
}

// heard handles the events of calls to facets and of their streams. It says whether the event was
// one of these.
func (p *probe) heard(tx *durable.Tx, event durable.Event) bool {
	switch e := event.(type) {
	case durable.CallAnswered:
		p.tell(tx, fmt.Sprintf("%s: %s", e.Call, e.Data))
	case durable.CallFailed:
		p.tell(tx, fmt.Sprintf("%s failed: %s", e.Call, e.Error))
	case durable.StreamData:
		p.read(tx, e)
	case durable.StreamEnded:
		p.closed(tx, "ended")
	case durable.StreamFailed:
		p.closed(tx, "failed: "+e.Error)
	default:
		return false
	}
	return true
}

func (p *probe) read(tx *durable.Tx, e durable.StreamData) {
	r := &p.reader
	r.rest = append(r.rest, e.Data...)
	for {
		line, rest, whole := bytes.Cut(r.rest, []byte{'\n'})
		if !whole {
			return
		}
		if want := fmt.Sprintf("%06d", r.next); string(line) != want {
			panic(fmt.Sprintf("got %q, want %q", line, want))
		}
		r.rest = rest
		r.next++
		if r.next == r.stop {
			tx.Do(durable.CancelStream{Stream: e.Stream})
			p.closed(tx, "cancelled")
			return
		}
	}
}

func (p *probe) tell(tx *durable.Tx, text string) {
	if p.conn != "" {
		tx.Do(durable.Send{To: []durable.ConnID{p.conn}, Text: text})
	}
}
