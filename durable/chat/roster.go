package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// MaxConns is the number of sockets that one conversation accepts.
const MaxConns = 256

// roster is who is connected, and who of them was offered a stream and has not
// taken it up yet. Those get no live chunks: the replay that follows their
// acknowledgement brings them, and a chunk that came in between would be folded
// twice or into a bubble of its own.
//
// Who is there is the platform's to know, and told in Opened: nothing is written
// when somebody comes or goes, which would hold up every greeting until it is on
// disk. Offers are rows, and survive hibernation as the sockets do.
type roster struct {
	order   []durable.ConnID
	offered map[durable.ConnID]string
	// probes are the last probes that were answered, open the last offers that may still
	// be taken for a probe's answer: a client takes up the first that it hears.
	probes, open map[durable.ConnID]string
	// unprobed are those that were greeted and have sent no probe yet. It survives with their
	// offers, since without an offer nothing depends on it.
	unprobed map[durable.ConnID]bool
	// early are the replays that connections were sent before their first probe.
	early map[durable.ConnID]early
}

func (r *roster) load(tx *durable.Tx, present []durable.ConnID) {
	*r = roster{
		order: slices.Clone(present), offered: map[durable.ConnID]string{},
		probes: map[durable.ConnID]string{}, open: map[durable.ConnID]string{},
		unprobed: map[durable.ConnID]bool{}, early: map[durable.ConnID]early{},
	}
	r.loadEarly(tx)
	for _, row := range tx.SQL(`SELECT conn, request, unprobed FROM offer ORDER BY conn`) {
		id := durable.ConnID(row.Text(0))
		if !r.has(id) {
			tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
			continue
		}
		r.offered[id], r.open[id] = row.Text(1), row.Text(1)
		if row.Bool(2) {
			r.unprobed[id] = true
		}
	}
}

func (r *roster) add(id durable.ConnID) {
	if !r.has(id) {
		r.order = append(r.order, id)
		r.unprobed[id] = true
	}
}

func (r *roster) remove(tx *durable.Tx, id durable.ConnID) {
	r.take(tx, id, r.offered[id])
	r.forgetEarly(tx, id)
	delete(r.probes, id)
	delete(r.open, id)
	delete(r.unprobed, id)
	r.order = slices.DeleteFunc(r.order, func(have durable.ConnID) bool { return have == id })
}

// answered says whether a connection's probe has its answer already, and notes that it will
// have one: because it was sent before, as a client does when it comes back; or because an
// offer of another stream than the one that is live was on its way when it was sent.
func (r *roster) answered(tx *durable.Tx, id durable.ConnID, probe string, l *live) bool {
	again := probe != "" && r.probes[id] == probe
	offer, open := r.open[id]
	r.probed(tx, id)
	if r.has(id) {
		r.probes[id] = probe
	}
	if again || !open || l != nil && l.turn.Request == offer {
		return again
	}
	delete(r.open, id)
	return true
}

// probed notes that a connection has sent a probe, or never will.
func (r *roster) probed(tx *durable.Tx, id durable.ConnID) {
	if r.unprobed[id] && r.offered[id] != "" {
		tx.SQL(`UPDATE offer SET unprobed = 0 WHERE conn = ?`, string(id))
	}
	delete(r.unprobed, id)
}

func (r *roster) has(id durable.ConnID) bool { return slices.Contains(r.order, id) }

// all returns every connection, except those named. The caller owns the slice.
func (r *roster) all(except ...durable.ConnID) []durable.ConnID {
	return r.where(func(id durable.ConnID) bool { return !slices.Contains(except, id) })
}

// listening returns who gets live chunks.
func (r *roster) listening() []durable.ConnID {
	return r.where(func(id durable.ConnID) bool { return r.offered[id] == "" })
}

// parked returns, where no turn speaks, who was told that one will.
func (r *roster) parked() []durable.ConnID {
	return r.where(func(id durable.ConnID) bool { return r.offered[id] != "" })
}

func (r *roster) where(keep func(durable.ConnID) bool) []durable.ConnID {
	var ids []durable.ConnID
	for _, id := range r.order {
		if keep(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// offer notes that a connection was offered a request's stream.
func (r *roster) offer(tx *durable.Tx, id durable.ConnID, request string) {
	if r.offered[id] == request || !r.has(id) {
		return
	}
	tx.SQL(`INSERT INTO offer (conn, request, unprobed) VALUES (?, ?, ?)
		ON CONFLICT (conn) DO UPDATE SET request = excluded.request, unprobed = excluded.unprobed`, string(id), request, r.unprobed[id])
	r.offered[id] = request
}

// take notes that a connection has taken up the stream that it was offered.
func (r *roster) take(tx *durable.Tx, id durable.ConnID, request string) {
	if request == "" || r.offered[id] != request {
		return
	}
	tx.SQL(`DELETE FROM offer WHERE conn = ?`, string(id))
	delete(r.offered, id)
}

// release ends all offers, when a stream has ended: who has not answered must
// still get what follows.
func (r *roster) release(tx *durable.Tx) {
	if len(r.early) > 0 {
		tx.SQL(`DELETE FROM early`)
		clear(r.early)
	}
	if len(r.offered) == 0 {
		return
	}
	tx.SQL(`DELETE FROM offer`)
	clear(r.offered)
}
