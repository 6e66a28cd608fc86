package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// MaxConns is the number of sockets that one conversation accepts, with those that it relays to its
// helpers.
const MaxConns = 256

// connections are the connected clients. Some of them were offered a stream and have not accepted
// it yet. They get no live chunks: the replay that follows their acknowledgement brings these
// chunks. A chunk sent before the replay would be folded twice, or into a separate bubble.
//
// The platform knows the connections and names them in Opened. Nothing is written when a connection
// opens or closes: a write would delay every greeting until it is on disk. Offers are rows, so they
// survive hibernation as the sockets do.
type connections struct {
	order   []durable.ConnID
	offered map[durable.ConnID]string
	// probes holds the last probe of each connection that was answered. open holds the last offer
	// that a client may still take for the answer to a probe: a client accepts the first offer that
	// it receives.
	probes, open map[durable.ConnID]string
	// unprobed are the connections that were greeted and have sent no probe yet. The flag is stored
	// with their offers. Without an offer nothing depends on it.
	unprobed map[durable.ConnID]bool
	// early are the replays that connections were sent before their first probe.
	early map[durable.ConnID]earlyReplay
}

func (c *connections) load(tx *durable.Tx, present []durable.ConnID) {
	*c = connections{
		order: slices.Clone(present), offered: map[durable.ConnID]string{},
		probes: map[durable.ConnID]string{}, open: map[durable.ConnID]string{},
		unprobed: map[durable.ConnID]bool{}, early: map[durable.ConnID]earlyReplay{},
	}
	c.loadEarlyReplays(tx)
	for _, row := range tx.SQL(`SELECT conn, request, unprobed FROM offer ORDER BY conn`) {
		id := durable.ConnID(row.Text(0))
		if !c.has(id) {
			tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
			continue
		}
		c.offered[id] = row.Text(1)
		if row.Bool(2) {
			c.unprobed[id] = true
		}
	}
}

// reopenOffers notes, after a loss of memory, that offers of the active stream may be on their way. A
// connection that was only told that a turn will begin was sent no offer.
func (c *connections) reopenOffers(request string) {
	for id, offered := range c.offered {
		if offered == request {
			c.open[id] = request
		}
	}
}

func (c *connections) add(id durable.ConnID) {
	if !c.has(id) {
		c.order = append(c.order, id)
		c.unprobed[id] = true
	}
}

func (c *connections) remove(tx *durable.Tx, id durable.ConnID) {
	c.takeOffer(tx, id, c.offered[id])
	c.forgetEarlyReplay(tx, id)
	delete(c.probes, id)
	delete(c.open, id)
	delete(c.unprobed, id)
	c.order = slices.DeleteFunc(c.order, func(have durable.ConnID) bool { return have == id })
}

// probeAnswered says whether a connection's probe has been answered already, and notes the probe as
// answered. A probe has been answered if the same probe came before, as from a client that
// reconnects. It has also been answered if an offer was on its way when the probe was sent, and
// that offer was for a stream that is no longer the active one.
func (c *connections) probeAnswered(tx *durable.Tx, id durable.ConnID, probe string, a *activeTurn) bool {
	again := probe != "" && c.probes[id] == probe
	offer, open := c.open[id]
	c.noteProbe(tx, id)
	if c.has(id) {
		c.probes[id] = probe
	}
	if again || !open || a != nil && a.turn.Request == offer {
		return again
	}
	delete(c.open, id)
	return true
}

// noteProbe notes that a connection has sent its first probe, or will send none.
func (c *connections) noteProbe(tx *durable.Tx, id durable.ConnID) {
	if c.unprobed[id] && c.offered[id] != "" {
		tx.SQL(`UPDATE offer SET unprobed = 0 WHERE conn = ?`, string(id))
	}
	delete(c.unprobed, id)
}

func (c *connections) has(id durable.ConnID) bool { return slices.Contains(c.order, id) }

// all returns every connection except the ones given. The caller owns the slice.
func (c *connections) all(except ...durable.ConnID) []durable.ConnID {
	return c.where(func(id durable.ConnID) bool { return !slices.Contains(except, id) })
}

// listening returns the connections that get live chunks.
func (c *connections) listening() []durable.ConnID {
	return c.where(func(id durable.ConnID) bool { return c.offered[id] == "" })
}

// awaitingTurn returns the connections that were told that a turn will begin, if no turn is active.
func (c *connections) awaitingTurn() []durable.ConnID {
	return c.where(func(id durable.ConnID) bool { return c.offered[id] != "" })
}

func (c *connections) where(keep func(durable.ConnID) bool) []durable.ConnID {
	var ids []durable.ConnID
	for _, id := range c.order {
		if keep(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// offer notes that a connection was offered a request's stream.
func (c *connections) offer(tx *durable.Tx, id durable.ConnID, request string) {
	if c.offered[id] == request || !c.has(id) {
		return
	}
	tx.SQL(`INSERT INTO offer (conn, request, unprobed) VALUES (?, ?, ?)
		ON CONFLICT (conn) DO UPDATE SET request = excluded.request, unprobed = excluded.unprobed`, string(id), request, c.unprobed[id])
	c.offered[id] = request
}

// takeOffer notes that a connection has accepted the stream that it was offered.
func (c *connections) takeOffer(tx *durable.Tx, id durable.ConnID, request string) {
	if request == "" || c.offered[id] != request {
		return
	}
	tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
	delete(c.offered, id)
}

// release drops all offers when a stream has ended. A connection that has not accepted its offer
// must still get what follows.
func (c *connections) release(tx *durable.Tx) {
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
