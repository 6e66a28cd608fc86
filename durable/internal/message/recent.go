package message

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// maxRecent is how many bytes of messages are kept in memory. A conversation of which a model is told
// more is read anew for each model call.
const maxRecent = 512 << 10

// recent is the part of a conversation that a model was told last, as it is stored: all messages
// from a place on and before another one. A message that changes, or is gone, is forgotten with all
// behind it. They are read when they are needed next.
type recent struct {
	from, before int64
	messages     []Stored
	bytes        int
}

// Bytes implements [durable.Copy].
func (c *recent) Bytes() int { return c.bytes }

// newest returns what [NewestWithin] reads, if all of it is kept.
func (c *recent) newest(from, before int64, most Budget) (messages []Stored, ok bool) {
	if before > c.before {
		return nil, false
	}
	end := c.index(before)
	first := end
	for all := (Budget{}); first > 0 && c.messages[first-1].Place >= from; first-- {
		if all = all.Add(c.messages[first-1].Budget); !all.fits(most) {
			return c.messages[first:end:end], true
		}
	}
	return c.messages[first:end:end], first > 0 || from >= c.from
}

// index returns the index of the first message at a place or behind it.
func (c *recent) index(place int64) int {
	i, _ := slices.BinarySearchFunc(c.messages, place, func(m Stored, place int64) int { return int(m.Place - place) })
	return i
}

// follow drops the messages before a place, and reads those that have come behind the kept ones.
func (c *recent) follow(tx *durable.Tx, from, before int64, most Budget) {
	if c.before == 0 || c.before >= before || c.before <= from {
		return
	}
	upto := c.before
	messages, oldest := readNewest(tx, upto, before, most)
	if oldest > upto { // there are more than the budget allows
		c.fill(oldest, before, messages)
		return
	}
	kept := c.messages[c.index(from):]
	c.fill(max(c.from, from), before, slices.Concat(kept, messages))
}

// fill keeps the messages from a place on and before another one, unless they are too large.
func (c *recent) fill(from, before int64, messages []Stored) {
	*c = recent{from: from, before: before, messages: messages}
	for _, m := range messages {
		c.bytes += len(m.Body)
	}
	if c.bytes > maxRecent {
		*c = recent{}
	}
}

// forget forgets the messages at a place and behind it.
func (c *recent) forget(place int64) {
	if place >= c.before {
		return
	}
	c.fill(c.from, place, c.messages[:c.index(place)])
}

// forgetMessage forgets a message, and those behind it.
func (c *recent) forgetMessage(id string) {
	if i := slices.IndexFunc(c.messages, func(m Stored) bool { return m.ID == id }); i >= 0 {
		c.forget(c.messages[i].Place)
	}
}
