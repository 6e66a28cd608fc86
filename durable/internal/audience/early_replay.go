package audience

import "github.com/tributary-agents/tributary/durable"

// This file is about an acknowledgement that was meant for an earlier socket. If a client's
// connection breaks as an offer arrives, the client sends the acknowledgement on its next socket,
// before its probe. The offer in the new socket's greeting then answers that probe, and is
// acknowledged too. Without this file, the client would be sent the stream twice, and would fold it
// twice.

// earlyReplay is a replay that a connection was sent before its first probe. The zero value is
// none.
type earlyReplay struct {
	request string
	// from is the index at which the next replay begins. It is 0 while the connection gets live
	// chunks and has had no offer since.
	from int64
}

// StartReplay notes that a connection accepts an offer, and returns the index at which its replay
// begins: the first of the log, or the index after the early replay and the live chunks. next is
// the index of the stream's next chunk.
func (c *Audience) StartReplay(tx *durable.Tx, id durable.ConnID, request string, first, next int64) int64 {
	offered := c.offered[id] == request
	c.takeOffer(tx, id, request)
	from, e := c.early[id].accepted(request, c.unprobed[id], offered, first, next)
	c.noteEarlyReplay(tx, id, e)
	return from
}

// accepted returns the index at which the replay of a request's stream begins, and the early replay
// that the connection has had then. offered says that the stream was offered to the connection,
// unprobed that the connection has sent no probe yet.
func (e earlyReplay) accepted(request string, unprobed, offered bool, first, next int64) (from int64, had earlyReplay) {
	switch {
	case unprobed && offered:
		return first, earlyReplay{request: request}
	case unprobed && e.request == request: // an earlier socket has been offered it, too
		return next, e
	case e.request == request && offered:
		return max(first, e.from), earlyReplay{}
	}
	return first, earlyReplay{} // a client that only watches a stream begins again with each replay
}

// NoteRequest notes that a connection sends a request before its first probe. Its tab then waits
// for its own answer, and only watches the stream of the greeting. A later probe belongs to an
// operation that has no part of that stream yet. A tab whose acknowledgement came before its probe
// may still look for a stream: then its probe follows, or else another acknowledgement.
func (c *Audience) NoteRequest(tx *durable.Tx, id durable.ConnID, request string) {
	if c.unprobed[id] {
		c.firsts[id] = &firstRequest{request: request}
	}
	c.noteProbe(tx, id)
}

// OfferAgain offers the live stream to a connection that has sent a probe. next is the index of the
// stream's next chunk: the early replay has brought all chunks before it. A page may probe again
// before it accepts the offer. It has then received the early replay with that offer, so the bound
// of its first probe stays.
func (c *Audience) OfferAgain(tx *durable.Tx, id durable.ConnID, request string, next int64) {
	c.noteEarlyReplay(tx, id, c.early[id].probed(request, next))
	c.Offer(tx, id, request)
}

// probed returns the early replay that a connection has had, when it probes for a request's stream.
func (e earlyReplay) probed(request string, next int64) earlyReplay {
	switch {
	case e.request != request:
		return earlyReplay{}
	case e.from == 0:
		e.from = next
	}
	return e
}

// noteEarlyReplay notes the early replay that a connection has had, or that it has had none.
func (c *Audience) noteEarlyReplay(tx *durable.Tx, id durable.ConnID, e earlyReplay) {
	switch e {
	case c.early[id]:
	case earlyReplay{}:
		c.forgetEarlyReplay(tx, id)
	default:
		tx.SQL(`INSERT OR REPLACE INTO early (conn, request, behind) VALUES (?, ?, ?)`, string(id), e.request, e.from)
		c.early[id] = e
	}
}

func (c *Audience) forgetEarlyReplay(tx *durable.Tx, id durable.ConnID) {
	if _, ok := c.early[id]; ok {
		tx.SQL(`DELETE FROM early WHERE conn = ?`, string(id))
		delete(c.early, id)
	}
}

// loadEarlyReplays reads the early replays of the connections that are still there.
func (c *Audience) loadEarlyReplays(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT conn, request, behind FROM early ORDER BY conn`) {
		id := durable.ConnID(row.Text(0))
		c.early[id] = earlyReplay{request: row.Text(1), from: row.Int(2)}
		if !c.Has(id) {
			c.forgetEarlyReplay(tx, id)
		}
	}
}
