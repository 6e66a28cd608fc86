// Package audience keeps the connected clients and what they have been sent: offers of streams,
// transcripts and the events of runs.
package audience

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// Audience are the connected clients. Some of them were offered a stream and have not accepted
// it yet. They get no live chunks: the replay that follows their acknowledgement brings these
// chunks. A chunk sent before the replay would be folded twice, or into a separate bubble.
//
// The platform knows the connections and names them in Opened. Nothing is written when a connection
// opens or closes: a write would delay every greeting until it is on disk. Offers are rows, so they
// survive hibernation as the sockets do.
type Audience struct {
	// order are the connections in the order in which they came, and present the same as a set.
	order   []durable.ConnID
	present map[durable.ConnID]bool
	offered map[durable.ConnID]string
	// probes holds the last probe of each connection that was answered. open holds the last offer
	// that a client may still take for the answer to a probe: a client accepts the first offer that
	// it receives.
	probes, open map[durable.ConnID]string
	// unprobed are the connections that were greeted and have sent no probe yet. The flag is stored
	// with their offers. Without an offer nothing depends on it.
	unprobed map[durable.ConnID]bool
	// firsts are the requests that connections have sent before their first probe.
	firsts map[durable.ConnID]*firstRequest
	// early are the replays that connections were sent before their first probe.
	early map[durable.ConnID]earlyReplay
	// replays are what connections still have to be sent of runs. replayTimer says that the timer of
	// the next page runs. ahead is the replay that something was read for, or nil.
	replays     map[durable.ConnID]*runReplay
	replayTimer bool
	ahead       *runReplay
	// transits are what may be on its way to the connections of this life.
	transits map[durable.ConnID]*transit
	// transcript is the last transcript that was sent, or nil if its row was not read yet.
	// transcriptChanged says that the row has to be written.
	transcript        *sentTranscript
	transcriptChanged bool
	// meter counts what the connections cost. lines are those that they have written to the log, and
	// allLines those of all together. earlier are the connections of an earlier life of the object.
	meter    meter
	lines    map[durable.ConnID]*lines
	allLines lines
	earlier  map[durable.ConnID]bool
	// owed is what connections are to be sent of what only the newest counts, and storedOwed what is
	// stored of that. message is the stored message that was shown last. paces is when connections may
	// be sent more. showTimer says that the timer runs, and shownTo is the connection that comes next.
	owed       map[durable.ConnID]Shown
	storedOwed Shown
	message    string
	paces      map[durable.ConnID]pace
	showTimer  bool
	shownTo    durable.ConnID
}

// Load reads what the rows say of the connections that are present.
func (c *Audience) Load(tx *durable.Tx, present []durable.ConnID) {
	*c = Audience{
		order: slices.Clone(present), present: map[durable.ConnID]bool{}, offered: map[durable.ConnID]string{},
		probes: map[durable.ConnID]string{}, open: map[durable.ConnID]string{},
		unprobed: map[durable.ConnID]bool{}, firsts: map[durable.ConnID]*firstRequest{}, early: map[durable.ConnID]earlyReplay{}, transits: map[durable.ConnID]*transit{}, replays: map[durable.ConnID]*runReplay{},
		earlier: map[durable.ConnID]bool{},
	}
	for _, id := range present {
		c.present[id], c.earlier[id] = true, true
		c.firsts[id] = &firstRequest{probes: 1, ended: true} // it is not known whether it had one
	}
	c.loadEarlyReplays(tx)
	c.loadReplays(tx)
	for _, row := range tx.SQL(`SELECT conn, request, unprobed FROM offer ORDER BY conn`) {
		id := durable.ConnID(row.Text(0))
		if !c.Has(id) {
			tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
			continue
		}
		c.offered[id] = row.Text(1)
		if row.Bool(2) {
			c.unprobed[id] = true
		}
	}
}

// ReopenOffers notes, after a loss of memory, that offers of the active stream may be on their way.
// A connection that was only told that a turn will begin was sent no offer.
func (c *Audience) ReopenOffers(request string) {
	for id, offered := range c.offered {
		if offered == request {
			c.open[id] = request
		}
	}
}

// Add adds a connection that was just opened.
func (c *Audience) Add(id durable.ConnID) {
	if !c.Has(id) {
		c.order = append(c.order, id)
		c.present[id] = true
		c.unprobed[id] = true
	}
}

// Remove forgets a connection that is gone.
func (c *Audience) Remove(tx *durable.Tx, id durable.ConnID) {
	c.takeOffer(tx, id, c.offered[id])
	c.forgetEarlyReplay(tx, id)
	c.endReplay(tx, id)
	delete(c.probes, id)
	delete(c.open, id)
	delete(c.unprobed, id)
	delete(c.firsts, id)
	delete(c.transits, id)
	delete(c.owed, id)
	delete(c.paces, id)
	delete(c.present, id)
	c.order = slices.DeleteFunc(c.order, func(have durable.ConnID) bool { return have == id })
}

// ProbeAnswered says whether a connection's probe has been answered already, and notes the probe as
// answered. A probe has been answered if the same probe came before, as from a client that
// reconnects. It has also been answered if an offer was on its way when the probe was sent, and
// that offer was for a stream that is no longer the active one. active is the request of the active
// stream, or "".
func (c *Audience) ProbeAnswered(tx *durable.Tx, id durable.ConnID, probe, active string) bool {
	again := probe != "" && c.probes[id] == probe
	offer, open := c.open[id]
	c.noteProbe(tx, id)
	if f := c.firsts[id]; f != nil {
		f.probes++
	}
	if c.Has(id) {
		c.probes[id] = probe
	}
	if again || !open || active == offer {
		return again
	}
	delete(c.open, id)
	return true
}

// noteProbe notes that a connection has sent its first probe, or will send none.
func (c *Audience) noteProbe(tx *durable.Tx, id durable.ConnID) {
	if c.unprobed[id] && c.offered[id] != "" {
		tx.SQL(`UPDATE offer SET unprobed = 0 WHERE conn = ?`, string(id))
	}
	delete(c.unprobed, id)
}

// IsOffered says whether a connection was offered a stream that it has not accepted yet.
func (c *Audience) IsOffered(id durable.ConnID) bool { return c.offered[id] != "" }

// NoteOpenOffer notes an offer that a client may take for the answer to a probe.
func (c *Audience) NoteOpenOffer(id durable.ConnID, request string) { c.open[id] = request }

// CloseOffer notes that a client has acknowledged an offer.
func (c *Audience) CloseOffer(id durable.ConnID) { delete(c.open, id) }

// Bytes is roughly how much memory the connections take, with what was read for their replays.
func (c *Audience) Bytes() int {
	n := 128*len(c.order) + 256*(len(c.meter.sockets)+len(c.lines)+len(c.paces))
	for _, p := range c.replays {
		n += p.bytes()
	}
	return n
}

// Count is how many connections there are.
func (c *Audience) Count() int { return len(c.order) }

// Has says whether a connection is there.
func (c *Audience) Has(id durable.ConnID) bool { return c.present[id] }

// All returns every connection except the ones given. The caller owns the slice.
func (c *Audience) All(except ...durable.ConnID) []durable.ConnID {
	return c.Where(func(id durable.ConnID) bool { return !slices.Contains(except, id) })
}

// Listening returns the connections that get live chunks.
func (c *Audience) Listening() []durable.ConnID {
	return c.Where(func(id durable.ConnID) bool { return c.offered[id] == "" })
}

// Late returns the connections that have not followed the active stream live from its beginning.
// They have not accepted their offer, or were sent a replay.
func (c *Audience) Late(replayed []durable.ConnID) []durable.ConnID {
	return c.Where(func(id durable.ConnID) bool { return c.IsOffered(id) || slices.Contains(replayed, id) })
}

// AwaitingTurn returns the connections that were told that a turn will begin, if no turn is active.
func (c *Audience) AwaitingTurn() []durable.ConnID {
	return c.Where(func(id durable.ConnID) bool { return c.offered[id] != "" })
}

// Where returns the connections for which keep is true, in the order in which they came. The caller
// owns the slice.
func (c *Audience) Where(keep func(durable.ConnID) bool) []durable.ConnID {
	var ids []durable.ConnID
	for _, id := range c.order {
		if keep(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Offer notes that a connection was offered a request's stream.
func (c *Audience) Offer(tx *durable.Tx, id durable.ConnID, request string) {
	if c.offered[id] == request || !c.Has(id) {
		return
	}
	tx.SQL(`INSERT INTO offer (conn, request, unprobed) VALUES (?, ?, ?)
		ON CONFLICT (conn) DO UPDATE SET request = excluded.request, unprobed = excluded.unprobed`, string(id), request, c.unprobed[id])
	c.offered[id] = request
}

// takeOffer notes that a connection has accepted the stream that it was offered.
func (c *Audience) takeOffer(tx *durable.Tx, id durable.ConnID, request string) {
	if request == "" || c.offered[id] != request {
		return
	}
	tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
	delete(c.offered, id)
}

// Release drops all offers when a stream has ended. A connection that has not accepted its offer
// must still get what follows.
func (c *Audience) Release(tx *durable.Tx) {
	if len(c.early) > 0 {
		tx.SQL(`DELETE FROM early`)
		clear(c.early)
	}
	if len(c.offered) == 0 {
		return
	}
	tx.SQL(`DELETE FROM offer`)
	clear(c.offered)
}

// SendAll sends a frame to every connection except the ones given. With none, it does not make the
// frame.
func (c *Audience) SendAll(tx *durable.Tx, frame func() string, except ...durable.ConnID) {
	if to := c.All(except...); len(to) > 0 {
		Send(tx, frame(), to...)
	}
}

// Send sends one frame to the connections given. With none, it does nothing; a caller on a hot path
// then does not encode the frame either.
func Send(tx *durable.Tx, frame string, to ...durable.ConnID) {
	if len(to) > 0 {
		tx.Do(durable.Send{To: to, Text: frame})
	}
}
