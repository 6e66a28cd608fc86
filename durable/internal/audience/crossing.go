package audience

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about transcripts that cross a request. If a transcript was sent before a request
// came, the transcript removes the question from the client's list. The client is then sent another
// one.

// maxTransit is how long a transcript may be on its way to a tab, in milliseconds.
const maxTransit = 10_000

// settingShown is the key of the last transcript that was sent, JSON.
const settingShown = "shown"

// sentTranscript is the last transcript that was sent.
type sentTranscript struct {
	// At is when it was sent, or 0.
	At int64 `json:"at"`
	// SeenAnswer is an answer that began after the transcript was sent, or "". A client that knows
	// this answer has received the transcript.
	SeenAnswer string `json:"witness,omitempty"`
}

// NoteTranscript notes that a transcript is on its way. The note becomes a row at the end of the
// event, because the object may lose its memory before the transcript arrives.
func (c *Audience) NoteTranscript(tx *durable.Tx) {
	c.NoteGreeting(tx)
	c.transcriptChanged = true
}

// NoteGreeting does the same for the transcript that greets a connection, but only in memory: a
// greeting does not wait for the disk. The client keeps what was typed before it was connected. It
// does not keep what a request for a new answer has changed: see acceptRequest in package chat.
func (c *Audience) NoteGreeting(tx *durable.Tx) { c.transcript = &sentTranscript{At: tx.Now} }

// lastTranscript returns the last transcript that was sent.
func (c *Audience) lastTranscript(tx *durable.Tx) *sentTranscript {
	if c.transcript == nil {
		c.transcript = &sentTranscript{}
		setting.Read(tx, settingShown, c.transcript)
	}
	return c.transcript
}

// NoteAnswer notes an answer that begins. A client that knows this answer has received the last
// transcript.
func (c *Audience) NoteAnswer(tx *durable.Tx, id string) {
	if c.mayHaveCrossed(tx) {
		c.lastTranscript(tx).SeenAnswer = id
		c.transcriptChanged = true
	}
}

// StoreTranscript writes the note, at most once an event.
func (c *Audience) StoreTranscript(tx *durable.Tx) {
	if c.transcriptChanged {
		setting.Write(tx, settingShown, c.transcript)
		c.transcriptChanged = false
	}
}

// mayHaveCrossed says whether a transcript may still have been on its way to a tab when the tab
// sent the frame that is being handled.
func (c *Audience) mayHaveCrossed(tx *durable.Tx) bool {
	return tx.Now-c.lastTranscript(tx).At < maxTransit
}

// LacksMessages says whether a client that has sent its list must be sent the transcript although
// it shows its question already. fresh is how many messages of the list were not stored before. An
// earlier question of the list may never have arrived, a request for a new answer has changed the
// list, or a transcript that is on its way removes the question.
func (c *Audience) LacksMessages(tx *durable.Tx, body protocol.ChatBody, fresh int) bool {
	return fresh > 1 || body.Regenerate || c.listMayHaveCrossed(tx, body)
}

// listMayHaveCrossed does what [Audience.mayHaveCrossed] does, for a client that has sent its list.
// If the list has an answer that began after the transcript, no transcript is on its way.
func (c *Audience) listMayHaveCrossed(tx *durable.Tx, body protocol.ChatBody) bool {
	before, witness := len(body.List)-len(body.UserMessages)-1, c.lastTranscript(tx).SeenAnswer
	heard := before >= 0 && witness != "" && body.List[before].ID == witness
	return c.mayHaveCrossed(tx) && !heard
}
