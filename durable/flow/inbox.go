package flow

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Incoming is a signal that has come for an inbox.
type Incoming struct {
	// N numbers the signals to a run, from 1 on, in the order in which its owner has taken them.
	N        int64
	ID, Name string
	// Payload is JSON.
	Payload json.RawMessage
	// At is when the owner has taken the signal, in milliseconds since 1970.
	At int64
	// From is the subject of the sender's claims, or "".
	From string
}

// Inbox is how many signals have come for an inbox, and how many of them were received.
type Inbox struct {
	// Last is the number of the last signal that has come.
	Last int64
	// Received is the number of signals that code has received, and ReceivedBytes is the size of their
	// payloads.
	Received, ReceivedBytes int64
}

// inboxes are the inboxes that were looked at, as they are stored.
type inboxes struct{ boxes map[string]*Inbox }

// Bytes implements [durable.Copy].
func (c *inboxes) Bytes() int { return 128 * len(c.boxes) }

// InboxOf returns the state of an inbox.
func InboxOf(tx *durable.Tx, id string) Inbox { return *inbox(tx, id) }

// inbox returns the copy of an inbox's row. An inbox without a row has received nothing.
func inbox(tx *durable.Tx, id string) *Inbox {
	c := durable.Kept[inboxes](tx)
	if b, ok := c.boxes[id]; ok {
		return b
	}
	b := &Inbox{}
	for _, row := range tx.SQL(`SELECT last, received, received_bytes FROM inbox WHERE id = ?`, id) {
		*b = Inbox{Last: row.Int(0), Received: row.Int(1), ReceivedBytes: row.Int(2)}
	}
	if c.boxes == nil {
		c.boxes = map[string]*Inbox{}
	}
	c.boxes[id] = b
	return b
}

// waiting is how many signals have come and were not received.
func (b *Inbox) waiting() int64 { return b.Last - b.Received }

// Deliver keeps signals for an inbox until its code receives them, which happens at the next
// [Routine.Resume] at the earliest. A signal whose number has come already changes nothing, so the
// sender may send signals again. The code whose [Options.Inbox] is id receives them.
func Deliver(tx *durable.Tx, id string, signals []Incoming) {
	b := inbox(tx, id)
	before := b.Last
	for _, s := range signals {
		if s.N <= b.Last {
			continue
		}
		tx.SQL(`INSERT INTO inbox_signal (inbox, n, name, id, at, sender, payload) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, s.N, s.Name, s.ID, s.At, s.From, string(s.Payload))
		b.Last = s.N
	}
	if b.Last > before {
		keepInbox(tx, id, b)
	}
}

func keepInbox(tx *durable.Tx, id string, b *Inbox) {
	tx.SQL(`INSERT INTO inbox (id, last, received, received_bytes) VALUES (?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET last = excluded.last, received = excluded.received, received_bytes = excluded.received_bytes`,
		id, b.Last, b.Received, b.ReceivedBytes)
}

// takeKept removes and returns the oldest kept signal of an inbox that has one of some names.
func takeKept(tx *durable.Tx, id string, names []string) (Incoming, bool) {
	b := inbox(tx, id)
	if b.waiting() == 0 {
		return Incoming{}, false
	}
	for _, row := range tx.SQL(`DELETE FROM inbox_signal WHERE seq = (SELECT seq FROM inbox_signal WHERE inbox = ? AND name IN (SELECT value FROM json_each(?))
		ORDER BY seq LIMIT 1) RETURNING n, id, name, payload, at, sender`, id, string(limit.MustMarshal(names))) {
		s := Incoming{N: row.Int(0), ID: row.Text(1), Name: row.Text(2), Payload: row.JSON(3), At: row.Int(4), From: row.Text(5)}
		b.Received, b.ReceivedBytes = b.Received+1, b.ReceivedBytes+int64(len(s.Payload))
		keepInbox(tx, id, b)
		return s, true
	}
	return Incoming{}, false
}

// Unreceived returns the numbers of the signals of an inbox that no code has received, from a number
// on.
func Unreceived(tx *durable.Tx, id string, from int64) (numbers []int64) {
	if inbox(tx, id).waiting() == 0 {
		return nil
	}
	for _, row := range tx.SQL(`SELECT n FROM inbox_signal WHERE inbox = ? AND n >= ? ORDER BY seq`, id, from) {
		numbers = append(numbers, row.Int(0))
	}
	return numbers
}

// DropInbox deletes the signals of an inbox that no code will receive. What the inbox has received
// is still known, so a signal that is sent again is not kept again.
func DropInbox(tx *durable.Tx, id string) { tx.SQL(`DELETE FROM inbox_signal WHERE inbox = ?`, id) }
