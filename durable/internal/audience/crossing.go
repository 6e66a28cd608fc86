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

// shortGreeting is how long the transcript of a greeting may be to be sent again with a first
// question, in bytes.
const shortGreeting = 1 << 10

// sentTranscript is the last transcript that was sent.
type sentTranscript struct {
	// At is when it was sent, or 0.
	At int64 `json:"at"`
	// SeenAnswer is an answer that began after the transcript was sent, or "". A client that knows
	// this answer has received the transcript, whichever connection it was sent to.
	SeenAnswer string `json:"witness,omitempty"`
}

// transit is what may be on its way to one connection.
type transit struct {
	// at is when a transcript was sent that did not greet the connection, or 0. reply says that it was
	// sent because of the connection's own request.
	at    int64
	reply bool
	// greeted is when the connection was greeted, or 0. short says that the greeting's transcript is
	// at most [shortGreeting] long.
	greeted int64
	short   bool
}

// NoteTranscript notes that a transcript is on its way to some connections. The note becomes a row
// at the end of the event, because the object may lose its memory before the transcript arrives.
func (c *Audience) NoteTranscript(tx *durable.Tx, to ...durable.ConnID) {
	c.transcript, c.transcriptChanged = &sentTranscript{At: tx.Now}, true
	c.noteMoved(to)
	for _, id := range to {
		before := c.transitOf(tx, id)
		c.transits[id] = &transit{at: tx.Now, greeted: before.greeted, short: before.short}
	}
}

// NoteReply notes that the transcript that a connection was just sent has the question of its own
// request. It notes nothing if the connection is still owed it.
func (c *Audience) NoteReply(id durable.ConnID) {
	if t := c.transits[id]; t != nil && !c.Owes(id, Transcript) {
		t.reply = true
	}
}

// NoteGreeting does the same for the transcript that greets a connection, of a number of bytes, but
// only in memory: a greeting does not wait for the disk.
func (c *Audience) NoteGreeting(tx *durable.Tx, id durable.ConnID, size int) {
	c.transits[id] = &transit{greeted: tx.Now, short: size <= shortGreeting}
}

// transitOf returns what may be on its way to a connection. For a connection of an earlier life of
// the object, that is the last transcript that was sent to anybody.
func (c *Audience) transitOf(tx *durable.Tx, id durable.ConnID) *transit {
	if t := c.transits[id]; t != nil {
		return t
	}
	return &transit{at: c.lastTranscript(tx).At}
}

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
	if isRecent(tx, c.lastTranscript(tx).At) {
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

// isRecent says whether something that was sent at a time may still have been on its way to a tab
// when the tab sent the frame that is being handled.
func isRecent(tx *durable.Tx, sent int64) bool { return tx.Now-sent < maxTransit }

// LacksMessages says whether a client that has sent its list must be sent the transcript although
// it shows its question already. fresh is how many messages of the list were not stored before. An
// earlier question of the list may never have arrived, a request for a new answer or an edit has
// changed the list, or a transcript that is on its way removes the question.
func (c *Audience) LacksMessages(tx *durable.Tx, id durable.ConnID, body protocol.ChatBody, fresh int) bool {
	return fresh > 1 || body.Regenerate || c.listMayHaveCrossed(tx, id, body, fresh)
}

// listMayHaveCrossed says whether a transcript that a connection was sent may have been on its way
// when the client sent its list. If the list has an answer that began after the last transcript, none
// is on its way.
//
// A greeting brings the old text of an edited message back. It removes a new question only if the
// client has sent the question in the instant between the opening of its socket and the greeting,
// because the client keeps what it sent before. A long conversation is not sent twice for that: the
// client shows the question again with the next transcript.
//
// A list of one message says nothing of what its client knows. The client has received a transcript
// that replied to its last request, or it has asked twice before a word of an answer arrived.
func (c *Audience) listMayHaveCrossed(tx *durable.Tx, id durable.ConnID, body protocol.ChatBody, fresh int) bool {
	t, before, witness := c.transitOf(tx, id), len(body.List)-len(body.UserMessages)-1, c.lastTranscript(tx).SeenAnswer
	switch {
	case isRecent(tx, t.greeted) && (fresh == 0 || t.short && t.at == 0):
		return true
	case len(body.List) == 1 && t.reply, before >= 0 && witness != "" && body.List[before].ID == witness:
		return false
	}
	return isRecent(tx, t.at)
}
