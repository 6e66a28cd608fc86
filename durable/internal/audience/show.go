package audience

import (
	"math"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about frames of which only the newest counts, such as a state. A connection is sent the
// first ones at once. If they come too fast, or if they are too large for all connections, it is owed
// one: it is sent the newest a moment later. What is owed is in memory. A setting says that something
// is, so that a loss of memory loses none of it.

// Shown is a kind of such frames. Kinds can be added up.
type Shown int

// The kinds.
const (
	// Transcript is the whole list of messages.
	Transcript Shown = 1 << iota
	// Message is one stored message that has changed.
	Message
	// Draft is the message of the active turn.
	Draft
	// State is the agent's state.
	State
	// Servers are those of the Model Context Protocol that the agent uses.
	Servers
)

// kinds are the kinds in the order in which they are sent.
var kinds = []Shown{Transcript, Message, Draft, State, Servers}

// paced are the kinds that a connection is sent [limit.Shows] times a second at most. The others
// change with the work of the object only, which is bounded otherwise.
const paced = Transcript | State

const (
	// showEvery is how often they are, in milliseconds.
	showEvery = second / limit.Shows
	// refuseEvery is the least time between two transcripts that show a client that it was refused.
	refuseEvery = second
)

// pace is when a connection may be sent the next frame of a kind. Frames are showEvery apart. A
// connection that was sent none for a while may be sent [limit.Shows] at once.
type pace map[Shown]int64

// next returns when a frame may be sent.
func (p pace) next(what Shown) int64 { return p[what] - (limit.Shows-1)*showEvery }

func (p pace) sent(now int64, what Shown) { p[what] = max(p[what], now) + showEvery }

// Show sends some connections a frame of a kind, or owes it to them.
func (c *Audience) Show(tx *durable.Tx, what Shown, frame func() string, to ...durable.ConnID) {
	var may []durable.ConnID
	for _, id := range to {
		if c.mayShow(tx, what, id) {
			c.forgive(id, what)
			may = append(may, id)
		} else {
			c.owe(tx, what, id)
		}
	}
	if len(may) == 0 {
		return
	}
	text := frame()
	now, later := c.fit(tx, len(text), may)
	c.show(tx, what, text, now...)
	c.owe(tx, what, later...)
}

// ShowState is [Audience.Show] for the agent's state, which everybody is shown but the connections that
// have set it.
func (c *Audience) ShowState(tx *durable.Tx, frame func() string, except ...durable.ConnID) {
	for _, id := range except {
		c.forgive(id, State)
	}
	c.Show(tx, State, frame, c.All(except...)...)
}

// ShowMessage is [Audience.Show] for a stored message with an id. If a connection is still owed
// another one, it is owed the transcript, which has both.
func (c *Audience) ShowMessage(tx *durable.Tx, id string, frame func() string, to ...durable.ConnID) {
	if c.message != id {
		for conn, owed := range c.owed {
			if owed&Message != 0 {
				c.owed[conn] = owed&^Message | Transcript
			}
		}
		if len(c.owed) > 0 {
			c.noteOwed(tx, Transcript)
		}
	}
	c.message = id
	c.Show(tx, Message, frame, to...)
}

// mayShow says whether a connection may be sent a frame of a kind now.
func (c *Audience) mayShow(tx *durable.Tx, what Shown, id durable.ConnID) bool {
	return what&paced == 0 || c.paces[id].next(what) <= tx.Now
}

// show sends a frame of a kind.
func (c *Audience) show(tx *durable.Tx, what Shown, text string, to ...durable.ConnID) {
	if len(to) == 0 {
		return
	}
	if what == Transcript {
		c.NoteTranscript(tx, to...)
	}
	for _, id := range to {
		if what&paced != 0 && c.Has(id) {
			c.paceOf(id).sent(tx.Now, what)
		}
	}
	Send(tx, text, to...)
}

func (c *Audience) paceOf(id durable.ConnID) pace {
	p := c.paces[id]
	if p == nil {
		if c.paces == nil {
			c.paces = map[durable.ConnID]pace{}
		}
		p = pace{}
		c.paces[id] = p
	}
	return p
}

// owe notes that connections are to be sent a frame of a kind later.
func (c *Audience) owe(tx *durable.Tx, what Shown, to ...durable.ConnID) {
	for _, id := range to {
		if !c.Has(id) {
			continue
		}
		if c.owed == nil {
			c.owed = map[durable.ConnID]Shown{}
		}
		c.owed[id] |= what
		c.noteOwed(tx, what)
	}
	c.armShow(tx)
}

// noteOwed stores that something of a kind is owed.
func (c *Audience) noteOwed(tx *durable.Tx, what Shown) {
	if c.storedOwed&what == what {
		return
	}
	c.storedOwed |= what
	setting.Write(tx, settingOwed, c.storedOwed)
}

// forgive notes that a connection is owed no frame of a kind, because it has the newest.
func (c *Audience) forgive(id durable.ConnID, what Shown) {
	if owed := c.owed[id]; owed&what == owed {
		delete(c.owed, id)
	} else {
		c.owed[id] = owed &^ what
	}
}

// armShow starts the timer, if something is owed and no timer runs.
func (c *Audience) armShow(tx *durable.Tx) {
	if len(c.owed) == 0 || c.showTimer {
		return
	}
	c.showTimer = true
	tx.Do(durable.StartTimer{Timer: ShowTimer, After: max(showEvery, c.mayShowAt(tx.Now)-tx.Now)})
}

// mayShowAt returns when the first connection may be sent something that it is owed.
func (c *Audience) mayShowAt(now int64) int64 {
	first := int64(math.MaxInt64)
	for id, owed := range c.owed {
		for _, what := range kinds {
			if owed&what != 0 && what&paced == 0 {
				return now
			}
			if owed&what != 0 {
				first = min(first, c.paces[id].next(what))
			}
		}
	}
	return first
}

// Owes says whether a connection is owed a frame of a kind.
func (c *Audience) Owes(id durable.ConnID, what Shown) bool { return c.owed[id]&what != 0 }

// Owing says whether anything is owed.
func (c *Audience) Owing() bool { return len(c.owed) > 0 }

// ShowOwed sends the connections what they are owed, as far as there is room: first to those that
// come behind the last one that was sent something. newest returns the newest frame of a kind, or ""
// if there is nothing to show any more. For [Message] it is given the message's id, and for [Servers] the
// group of the connections, which is of returns: each group is sent a frame of its own.
func (c *Audience) ShowOwed(tx *durable.Tx, newest func(what Shown, id, group string) string, of func(durable.ConnID) string) {
	c.showTimer = false
	texts, batches, order := map[batch]string{}, map[batch][]durable.ConnID{}, []batch{}
	room := c.meter.room(tx)
	at := max(slices.Index(c.order, c.shownTo), 0)
	for _, id := range slices.Concat(c.order[at:], c.order[:at]) {
		for _, what := range kinds {
			if c.owed[id]&what == 0 || !c.mayShow(tx, what, id) {
				continue
			}
			if room <= 0 {
				c.shownTo = id
				break
			}
			b := batch{what: what}
			if what == Servers {
				b.group = of(id)
			}
			text, known := texts[b]
			if !known {
				text = c.newest(tx, b, newest)
				texts[b], order = text, append(order, b)
			}
			c.forgive(id, what)
			if text != "" {
				batches[b] = append(batches[b], id)
				room -= len(text)
			}
		}
		if room <= 0 && c.shownTo == id {
			break
		}
	}
	slices.SortStableFunc(order, func(a, b batch) int { return slices.Index(kinds, a.what) - slices.Index(kinds, b.what) })
	for _, b := range order {
		c.show(tx, b.what, texts[b], batches[b]...)
	}
	c.armShow(tx)
	if len(c.owed) == 0 && c.storedOwed != 0 {
		setting.Delete(tx, settingOwed)
		c.storedOwed = 0
	}
}

// batch is what some connections are sent together: a frame of a kind, for a group of them.
type batch struct {
	what  Shown
	group string
}

func (c *Audience) newest(tx *durable.Tx, b batch, newest func(what Shown, id, group string) string) string {
	if b.what == Transcript {
		return protocol.Transcript(message.Transcript(tx), false)
	}
	return newest(b.what, c.message, b.group)
}

// loadOwed owes all connections what some may have been owed when the memory was lost. It is not known
// which message that was, so the transcript stands for it.
func (c *Audience) loadOwed(tx *durable.Tx) {
	what := Shown(setting.Number(tx, settingOwed))
	c.storedOwed = what
	if what&Message != 0 {
		what = what&^Message | Transcript
	}
	c.owe(tx, what, c.order...)
}

// Live returns those of the connections that get the live chunks of a stream, of some bytes together.
// If there is no room for all, the others get no more of them: each is in the state of a connection
// that has not accepted the offer of the stream, and is sent the transcript and the message when the
// stream has ended. The connection that has asked for the stream is never left out.
func (c *Audience) Live(tx *durable.Tx, request string, asker durable.ConnID, size int) []durable.ConnID {
	now, later := c.fit(tx, size, c.Listening())
	for _, id := range later {
		if id == asker {
			now = append(now, id)
		} else {
			c.Offer(tx, id, request)
		}
	}
	return now
}

// PrepareStream sends the transcript before a stream begins to the connections that are still owed it, whatever their pace:
// a client keeps the place in its list that the answer had when it began, and would show it above the question. Those for
// which there is no room are left out of the stream, as by [Audience.Live].
func (c *Audience) PrepareStream(tx *durable.Tx, request string, asker durable.ConnID) {
	owed := c.Where(func(id durable.ConnID) bool { return c.Owes(id, Transcript) })
	if len(owed) == 0 {
		return
	}
	text := protocol.Transcript(message.Transcript(tx), false)
	now, later := c.fit(tx, len(text), owed)
	for _, id := range now {
		c.forgive(id, Transcript)
	}
	c.show(tx, Transcript, text, now...)
	for _, id := range later {
		if id != asker {
			c.Offer(tx, id, request)
		}
	}
}

// SendNote sends the connections that get live chunks something that is worth nothing later, as far as
// there is room.
func (c *Audience) SendNote(tx *durable.Tx, frame string) {
	now, _ := c.fit(tx, len(frame), c.Listening())
	Send(tx, frame, now...)
}

// RefuseWithTranscript sends the transcript to a connection whose frame was refused, or answered by it
// alone. A small frame has a large answer then, so later ones in the same second are put off.
func (c *Audience) RefuseWithTranscript(tx *durable.Tx, id durable.ConnID) {
	if !c.Has(id) {
		return
	}
	p := c.paceOf(id)
	if next := p[refused]; next > tx.Now {
		p[Transcript] = max(p[Transcript], next+(limit.Shows-1)*showEvery)
		c.owe(tx, Transcript, id)
		return
	}
	p[refused] = tx.Now + refuseEvery
	c.SendTranscript(tx, id)
}

// refused is the place in [pace] of when a connection may be sent the next transcript of a refusal.
const refused Shown = 0
