package chat

import "github.com/tributary-agents/tributary/durable"

// This file is about the acknowledgement of a socket that is gone. A client whose connection
// breaks as an offer arrives sends the acknowledgement on its next socket, in front of its
// probe. The offer of the new socket's greeting then answers that probe, and is acknowledged
// too: without this, the client would be sent the stream twice, and fold it twice.

// early is a replay that a connection was sent before its first probe.
type early struct {
	request string
	// behind is the index at which the next replay begins, or 0 as long as the connection
	// was offered nothing since and is sent live chunks.
	behind int64
}

// took notes that a connection takes up an offer, and returns the index at which its replay
// begins: at the first of the log, or behind what an early replay and live chunks have brought.
func (r *roster) took(tx *durable.Tx, id durable.ConnID, request string, first int64) int64 {
	waits := r.offered[id] == request
	r.take(tx, id, request)
	e := r.early[id]
	switch {
	case r.unprobed[id] && waits:
		r.keepEarly(tx, id, early{request: request})
	case e.request == request && waits:
		r.forgetEarly(tx, id)
		return max(first, e.behind)
	default: // what watches a stream begins anew with each replay
		r.forgetEarly(tx, id)
	}
	return first
}

// posted notes that a connection asks something before its first probe. Its tab waits for an
// answer of its own then, and only watches the stream of the greeting: a probe that follows is
// of an operation that has nothing of that stream yet. A tab whose acknowledgement came in front
// may still look for a stream: its probe follows then, and otherwise another acknowledgement.
func (r *roster) posted(tx *durable.Tx, id durable.ConnID) { r.probed(tx, id) }

// offerAgain offers the live stream to a connection that has sent a probe. next is the index
// of the stream's next chunk: what is before it, an early replay has brought.
func (r *roster) offerAgain(tx *durable.Tx, id durable.ConnID, request string, next int64) {
	e, ok := r.early[id]
	switch {
	case !ok:
	case e.request == request && e.behind == 0:
		r.keepEarly(tx, id, early{request: request, behind: next})
	default: // the second probe comes from a component that is mounted anew and has nothing yet
		r.forgetEarly(tx, id)
	}
	r.offer(tx, id, request)
}

func (r *roster) keepEarly(tx *durable.Tx, id durable.ConnID, e early) {
	tx.SQL(`INSERT OR REPLACE INTO early (conn, request, behind) VALUES (?, ?, ?)`, string(id), e.request, e.behind)
	r.early[id] = e
}

func (r *roster) forgetEarly(tx *durable.Tx, id durable.ConnID) {
	if _, ok := r.early[id]; ok {
		tx.SQL(`DELETE FROM early WHERE conn = ?`, string(id))
		delete(r.early, id)
	}
}

// loadEarly reads what connections that are there were replayed early.
func (r *roster) loadEarly(tx *durable.Tx) {
	for _, row := range tx.SQL(`SELECT conn, request, behind FROM early ORDER BY conn`) {
		id := durable.ConnID(row.Text(0))
		r.early[id] = early{request: row.Text(1), behind: row.Int(2)}
		if !r.has(id) {
			r.forgetEarly(tx, id)
		}
	}
}
