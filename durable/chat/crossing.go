package chat

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

// sentTranscript is the last transcript that was sent.
type sentTranscript struct {
	// At is when it was sent, or 0.
	At int64 `json:"at"`
	// SeenAnswer is an answer that began after the transcript was sent, or "". A client that knows
	// this answer has received the transcript.
	SeenAnswer string `json:"witness,omitempty"`
}

// noteTranscript notes that a transcript is on its way. The note becomes a row at the end of the
// event, because the object may lose its memory before the transcript arrives.
func (o *Object) noteTranscript(tx *durable.Tx) {
	o.noteGreeting(tx)
	o.transcriptChanged = true
}

// noteGreeting does the same for the transcript that greets a connection, but only in memory: a
// greeting does not wait for the disk. The client keeps what was typed before it was connected. It
// does not keep what a request for a new answer has changed: see [Object.acceptRequest].
func (o *Object) noteGreeting(tx *durable.Tx) { o.transcript = &sentTranscript{At: tx.Now} }

// lastTranscript returns the last transcript that was sent.
func (o *Object) lastTranscript(tx *durable.Tx) *sentTranscript {
	if o.transcript == nil {
		o.transcript = &sentTranscript{}
		setting.Read(tx, settingShown, o.transcript)
	}
	return o.transcript
}

// noteAnswer notes an answer that begins. A client that knows this answer has received the last
// transcript.
func (o *Object) noteAnswer(tx *durable.Tx, id string) {
	if o.mayHaveCrossed(tx) {
		o.lastTranscript(tx).SeenAnswer = id
		o.transcriptChanged = true
	}
}

// storeTranscript writes the note, at most once an event.
func (o *Object) storeTranscript(tx *durable.Tx) {
	if o.transcriptChanged {
		setting.Write(tx, settingShown, o.transcript)
		o.transcriptChanged = false
	}
}

// mayHaveCrossed says whether a transcript may still have been on its way to a tab when the tab
// sent the frame that is being handled.
func (o *Object) mayHaveCrossed(tx *durable.Tx) bool {
	return tx.Now-o.lastTranscript(tx).At < maxTransit
}

// listMayHaveCrossed does what [Object.mayHaveCrossed] does, for a client that has sent its list.
// If the list has an answer that began after the transcript, no transcript is on its way.
func (o *Object) listMayHaveCrossed(tx *durable.Tx, body protocol.ChatBody) bool {
	before, witness := len(body.List)-len(body.UserMessages)-1, o.lastTranscript(tx).SeenAnswer
	heard := before >= 0 && witness != "" && body.List[before].ID == witness
	return o.mayHaveCrossed(tx) && !heard
}
