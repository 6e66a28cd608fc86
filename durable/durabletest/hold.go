package durabletest

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// Hold keeps all messages between objects undelivered until [World.Deliver] delivers them. witness
// is called for every event that was handled.
func (w *World) Hold(witness func(HandledEvent)) { w.held, w.witness = true, witness }

// Lanes returns the lanes with undelivered messages, in the order in which these were sent. The
// messages on one lane arrive in order.
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

// Deliver delivers the next message on a lane, and says whether there was one. Consecutive pieces
// of a stream are delivered as one. If most is given, at most that many bytes of them are
// delivered; most must be positive.
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

// following removes and returns the pieces of the same stream that wait behind one.
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

// Mute has the call or stream whose next event is on a lane fall silent: its requester hears no
// more of it, and is not told that. Mute returns the lane on which the requester would have heard
// of it.
func (w *World) Mute(lane string) (requester string, ok bool) {
	i := slices.IndexFunc(w.queue, func(d delivery) bool { return !d.stale() && d.lane() == lane })
	if i < 0 {
		return "", false
	}
	l := w.queue[i].link
	l.fromDeaf = true
	return delivery{link: l, to: l.from}.lane(), true
}

// Cut breaks the call or stream whose next event is on a lane. After the event of the break,
// neither end hears of the other.
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

// Linked says whether the object in a slot has begun a call or a stream by a name and has not yet
// heard all of it: the link is open, or an event of it is on its way to the object.
func (w *World) Linked(slot, name string) bool {
	begun := func(l *link) bool { return l.name == name && l.from.slot() == slot }
	for _, l := range w.links {
		if begun(l) {
			return true
		}
	}
	return slices.ContainsFunc(w.queue, func(d delivery) bool { return !d.stale() && d.to == d.link.from && begun(d.link) })
}
