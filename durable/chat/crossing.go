package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about transcripts that cross a request. A transcript that was sent before the request
// came removes the question from its client's list. The client is sent another one then.

// crossing is how long a transcript may be on its way to a tab, in milliseconds.
const crossing = 10_000

// sentTranscript is the last transcript that was sent.
type sentTranscript struct {
	// At is when it was sent, or 0.
	At int64 `json:"at"`
	// Witness is an answer that began after it, or "". A client that knows this answer has
	// received the transcript.
	Witness string `json:"witness,omitempty"`
}

// shownNow notes that a transcript is on its way. The note becomes a row when the event is
// over: the object may lose its memory before the transcript arrives.
func (h *Host) shownNow(tx *durable.Tx) {
	h.greetedNow(tx)
	h.shownMoved = true
}

// greetedNow notes the same of the transcript that greets a connection, in memory alone: a
// greeting does not wait for the disk, and the client keeps what was typed before it was
// connected.
func (h *Host) greetedNow(tx *durable.Tx) { h.shown = &sentTranscript{At: tx.Now} }

// lastShown returns the last transcript that was sent.
func (h *Host) lastShown(tx *durable.Tx) *sentTranscript {
	if h.shown == nil {
		h.shown = &sentTranscript{}
		readSetting(tx, settingShown, h.shown)
	}
	return h.shown
}

// answerBegins notes an answer that can be a witness.
func (h *Host) answerBegins(tx *durable.Tx, id string) {
	if h.crosses(tx) {
		h.lastShown(tx).Witness = id
		h.shownMoved = true
	}
}

// keepShown writes the note, once an event.
func (h *Host) keepShown(tx *durable.Tx) {
	if h.shownMoved {
		set(tx, settingShown, string(encode(h.shown)))
		h.shownMoved = false
	}
}

// crosses says whether a transcript may arrive at a tab only after what has just come
// from there was sent.
func (h *Host) crosses(tx *durable.Tx) bool { return tx.Now-h.lastShown(tx).At < crossing }

// crossesList is [Host.crosses] for a client that has sent its list: if the list has the witness,
// no transcript is on its way.
func (h *Host) crossesList(tx *durable.Tx, body protocol.ChatBody) bool {
	before, witness := len(body.List)-len(body.Asked)-1, h.lastShown(tx).Witness
	heard := before >= 0 && witness != "" && body.List[before].ID == witness
	return h.crosses(tx) && !heard
}
