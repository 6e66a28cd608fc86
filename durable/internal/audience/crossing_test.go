package audience

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestLacksMessages checks when a tab that asks is sent the transcript, although it shows its
// question already. The answer a2 began after the last transcript.
func TestLacksMessages(t *testing.T) {
	const now = 1_000_000
	user := []protocol.Message{{ID: "u3", Role: protocol.RoleUser}}
	list := func(ids ...string) (listed []protocol.Listed) {
		for _, id := range ids {
			listed = append(listed, protocol.Listed{ID: id})
		}
		return listed
	}
	current := protocol.ChatBody{List: list("u1", "a1", "u2", "a2", "u3"), UserMessages: user}
	old := protocol.ChatBody{List: list("u1", "a1", "u3"), UserMessages: user}
	for _, test := range []struct {
		name string
		body protocol.ChatBody
		// age is how long ago the last transcript was sent.
		age   int64
		fresh int
		want  bool
	}{
		{"a question behind an answer that followed the transcript", current, 0, 1, false},
		{"a question behind an older answer", old, 0, 1, true},
		{"a question behind an older answer, at the last moment", old, maxTransit - 1, 1, true},
		{"a question when the transcript has arrived", old, maxTransit, 1, false},
		{"an edit", current, 0, 0, false},
		{"a question behind one that never arrived", current, maxTransit, 2, true},
		{"a request for another answer", protocol.ChatBody{List: list("u1"), UserMessages: user, Regenerate: true}, maxTransit, 0, true},
		{"the first question", protocol.ChatBody{List: list("u3"), UserMessages: user}, 0, 1, true},
	} {
		c := &Audience{transcript: &sentTranscript{At: now - test.age, SeenAnswer: "a2"}}
		if got := c.LacksMessages(durable.NewTx(now, nil, nil), test.body, test.fresh); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestNoteAnswer checks which answers show that a client has received the last transcript: those
// that begin while the transcript may still be on its way.
func TestNoteAnswer(t *testing.T) {
	for age, want := range map[int64]string{0: "a2", maxTransit - 1: "a2", maxTransit: "a1"} {
		c := &Audience{transcript: &sentTranscript{At: 1_000_000 - age, SeenAnswer: "a1"}}
		c.NoteAnswer(durable.NewTx(1_000_000, nil, nil), "a2")
		if got := c.transcript.SeenAnswer; got != want || c.transcriptChanged != (want == "a2") {
			t.Errorf("%d ms after the transcript: got %s, want %s", age, got, want)
		}
	}
}
