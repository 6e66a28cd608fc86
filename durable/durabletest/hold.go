package durabletest

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// Hold keeps everything that objects say to each other on its way until [World.Deliver]
// lets it arrive. witness is told of every event that has happened.
func (w *World) Hold(witness func(Happening)) { w.held, w.witness = true, witness }

// Lanes returns the ways between objects on which something is under way, in the order
// in which it was sent. What is on one lane arrives in order.
func (w *World) Lanes() []string {
	var lanes []string
	w.queue = slices.DeleteFunc(w.queue, delivery.stale)
	for _, d := range w.queue {
		if lane := d.lane(); !slices.Contains(lanes, lane) {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}

// Deliver lets the next thing on a lane arrive, and says whether there was one. Pieces
// of a stream that wait together arrive as one; at most 0 < most bytes of them, if most
// is given.
func (w *World) Deliver(lane string, most ...int) bool {
	i := slices.IndexFunc(w.queue, func(d delivery) bool { return !d.stale() && d.lane() == lane })
	if i < 0 {
		return false
	}
	d := w.queue[i]
	w.queue = slices.Delete(w.queue, i, i+1)
	if data, ok := d.event.(durable.StreamData); ok {
		data.Data = append(slices.Clone(data.Data), w.following(d)...)
		if len(most) > 0 && most[0] < len(data.Data) {
			rest := delivery{link: d.link, to: d.to, event: durable.StreamData{Stream: data.Stream, Data: data.Data[most[0]:]}}
			w.queue = slices.Insert(w.queue, i, rest)
			data.Data = data.Data[:most[0]]
		}
		d.event = data
	}
	w.arrive(d)
	return true
}

// following takes the pieces that wait behind one of their stream.
func (w *World) following(first delivery) []byte {
	var bytes []byte
	w.queue = slices.DeleteFunc(w.queue, func(d delivery) bool {
		data, ok := d.event.(durable.StreamData)
		if ok && d.link == first.link {
			bytes = append(bytes, data.Data...)
			return true
		}
		return false
	})
	return bytes
}

// Cut breaks the call or stream whose next event is on a lane: neither end hears any
// more of the other, but for that.
func (w *World) Cut(lane string) bool {
	i := slices.IndexFunc(w.queue, func(d delivery) bool { return !d.stale() && d.lane() == lane })
	if i < 0 {
		return false
	}
	l := w.queue[i].link
	if l.fromDeaf {
		return false
	}
	delete(w.links, l.id)
	w.queue = slices.DeleteFunc(w.queue, func(d delivery) bool { return d.link == l })
	w.send(l, l.from, l.broken())
	if l.stream {
		w.send(l, l.to, durable.StreamCancelled{Stream: l.id})
	}
	return true
}
