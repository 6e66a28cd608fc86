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

// extended returns what is kept without the messages before a place, and with those that have come
// behind it, which are read.
func (c *recent) extended(tx *durable.Tx, from, before int64, most Budget) *recent {
	if c.before == 0 || c.before >= before || c.before <= from {
		return c
	}
	messages, oldest := readNewest(tx, c.before, before, Budget{}, most)
	if oldest > c.before { // there are more than the budget allows
		return &recent{from: oldest, before: before, messages: messages}
	}
	kept := c.messages[c.index(from):]
	return &recent{from: max(c.from, from), before: before, messages: slices.Concat(kept, messages)}
}

// lengthened returns what is kept before a place, with the older messages from another place on that
// the budget allows, which are read. It is called if all of what is kept is within the budget.
func (c *recent) lengthened(tx *durable.Tx, from, before int64, most Budget) *recent {
	behind := &recent{from: before, before: before}
	if before <= c.before && c.from < before {
		behind = &recent{from: c.from, before: before, messages: c.messages[:c.index(before)]}
	}
	var taken Budget
	for _, m := range behind.messages {
		taken = taken.Add(m.Budget)
	}
	messages, oldest := readNewest(tx, from, behind.from, taken, most)
	return &recent{from: oldest, before: before, messages: slices.Concat(messages, behind.messages)}
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
	c.fill(min(c.from, place), place, c.messages[:c.index(place)])
}

// forgetMessage forgets a message, and those behind it.
func (c *recent) forgetMessage(id string) {
	if i := slices.IndexFunc(c.messages, func(m Stored) bool { return m.ID == id }); i >= 0 {
		c.forget(c.messages[i].Place)
	}
}
