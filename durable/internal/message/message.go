// Package message keeps what has been said: the messages of a conversation, in the order of their
// places. It bounds how much of them is read.
package message

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// settingPlace is the key of the last place that was assigned, JSON.
const settingPlace = "place"

// TakePlaces assigns the next n places in the conversation and returns the last. If the last
// assigned place is not known, the places of answers that are still to come count as assigned.
func TakePlaces(tx *durable.Tx, n int) int64 {
	var last int64
	if !setting.Read(tx, settingPlace, &last) {
		last = turn.PlaceBefore(tx, turn.Turn{Seq: 1 << 53})
	}
	last = max(last, tx.Number(`SELECT MAX(place) FROM message WHERE place < ?`, int64(1<<53))) + int64(n)
	setting.Write(tx, settingPlace, last)
	return last
}

// Put stores a message at a place. If a message with its id exists, it is replaced and keeps
// its place. Put returns the message as it was stored, compacted if it would not fit into a
// row. If another message has the place, which only damage can cause, the message gets a place at
// the end. The message belongs to claims from then on: package admission says who may change it.
func Put(tx *durable.Tx, place int64, m protocol.Message, claims string) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	indexPictures(tx, pictures)
	body := string(m.Encode())
	for len(tx.SQL(`INSERT INTO message (id, place, role, body, pictures, picture_bytes, claims) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET body = excluded.body, pictures = excluded.pictures, picture_bytes = excluded.picture_bytes,
			claims = excluded.claims
		ON CONFLICT (place) DO NOTHING RETURNING 1`, m.ID, place, m.Role, body, pictures, bytes, claims)) == 0 {
		tx.Log(durable.Error, "a message's place is taken, and it stands at the end", "message", m.ID, "place", strconv.FormatInt(place, 10))
		place = TakePlaces(tx, 1)
	}
	durable.Kept[recent](tx).forget(place)
	durable.Kept[recent](tx).forgetMessage(m.ID)
	return m
}

// Amend replaces the body of a stored message, and returns the message as it was stored,
// like [Put].
func Amend(tx *durable.Tx, m protocol.Message) protocol.Message {
	m = protocol.Compact(m, protocol.Limits.Message)
	pictures, bytes := picturesOf(m)
	indexPictures(tx, pictures)
	durable.Kept[recent](tx).forgetMessage(m.ID)
	tx.SQL(`UPDATE message SET body = ?, pictures = ?, picture_bytes = ? WHERE id = ?`, string(m.Encode()), pictures, bytes, m.ID)
	return m
}

// pictureIndex finds the messages that have pictures. It is made before the first of them.
const pictureIndex = "message_pictures"

func indexPictures(tx *durable.Tx, pictures int) {
	if pictures > 0 {
		tx.Make("message", pictureIndex)
	}
}

// Load returns one stored message.
func Load(tx *durable.Tx, id string) (protocol.Message, bool) {
	for _, row := range tx.SQL(`SELECT body FROM message WHERE id = ?`, id) {
		return Parse(tx, id, row.Text(0))
	}
	return protocol.Message{}, false
}

// Parse decodes a message from storage. A damaged message is set aside.
func Parse(tx *durable.Tx, id, body string) (protocol.Message, bool) {
	m, err := protocol.ReadMessage(body)
	if err != nil {
		keepDamaged(tx, Stored{ID: id, Body: body}, err)
		return protocol.Message{}, false
	}
	return m, true
}

func keepDamaged(tx *durable.Tx, m Stored, err error) {
	tx.KeepDamaged("message "+m.ID, m.Body, err)
	Delete(tx, m.ID)
}
