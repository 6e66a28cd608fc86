package audience

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about pages that send their first request before their first probe, because they send it as
// they mount. The probe then finds the stream of the page's own request, which the page reads already. If
// the page took up that stream as well, it would go on protecting the answer from transcripts behind its
// end: it would move the answer behind the next question, or show an empty one beside it.

// firstRequest is a request that a connection has sent before its first probe.
type firstRequest struct {
	request string
	// probe is the probe that waits for the end of the request, or "". probes counts the probes: a connection
	// whose tab never looks for a stream has none. ended says that the request has ended.
	probe  string
	probes int
	ended  bool
	// moved says that a transcript was sent since then, which may have moved the answer behind the next
	// question.
	moved bool
}

// OwnProbe handles the first probe of a connection whose own request is the active one, or the next, and
// says whether it is that. The probe waits until [Audience.EndOwn] answers it.
func (c *Audience) OwnProbe(tx *durable.Tx, id durable.ConnID, probe, request string) bool {
	f := c.firsts[id]
	if f == nil || f.probes > 1 || f.request != request || c.IsOffered(id) {
		return false
	}
	f.probe = probe
	Send(tx, protocol.Pending(request, probe), id)
	return true
}

// EndOwn notes that a request has ended, and answers the probes that have waited for that: there is no
// stream.
func (c *Audience) EndOwn(tx *durable.Tx, request string) {
	for _, id := range c.order {
		f := c.firsts[id]
		if f == nil || f.request != request {
			continue
		}
		if f.probe != "" {
			Send(tx, protocol.Idle(f.probe), id)
		}
		f.probe, f.ended, f.moved = "", true, false
	}
}

// noteMoved notes that connections are sent a transcript.
func (c *Audience) noteMoved(to []durable.ConnID) {
	for _, id := range to {
		if f := c.firsts[id]; f != nil && f.ended && f.probes > 0 {
			f.moved = true
		}
	}
}

// TakeMoved returns the connections that may show the answer to their first request behind the question of
// another turn, which ends now, and forgets them: a transcript with both answers puts these in order, for
// good.
func (c *Audience) TakeMoved() []durable.ConnID {
	moved := c.Where(func(id durable.ConnID) bool { return c.firsts[id] != nil && c.firsts[id].moved })
	for _, id := range moved {
		delete(c.firsts, id)
	}
	return moved
}
