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
	alone := protocol.ChatBody{List: list("u3"), UserMessages: user}
	behindQuestion := protocol.ChatBody{List: list("u2", "u3"), UserMessages: append(user, user...)}
	sent := func(ago int64) transit { return transit{at: now - ago} }
	reply, greeting := transit{at: now, reply: true}, transit{greeted: now}
	for _, test := range []struct {
		name    string
		body    protocol.ChatBody
		transit transit
		fresh   int
		want    bool
	}{
		{"a question behind an answer that followed the transcript", current, sent(0), 1, false},
		{"a question behind an older answer", old, sent(0), 1, true},
		{"a question behind an older answer, at the last moment", old, sent(maxTransit - 1), 1, true},
		{"a question when the transcript has arrived", old, sent(maxTransit), 1, false},
		{"a question of a tab that was sent none", old, transit{}, 1, false},
		{"a question behind the greeting", old, greeting, 1, false},
		{"a question behind a short greeting", old, transit{greeted: now, short: true}, 1, true},
		{"a question behind a short greeting, at the last moment", old, transit{greeted: now - maxTransit + 1, short: true}, 1, true},
		{"a question when a short greeting has arrived", old, transit{greeted: now - maxTransit, short: true}, 1, false},
		{"a second question behind a short greeting", current, transit{greeted: now, short: true, at: now}, 1, false},
		{"an edit", current, sent(0), 0, false},
		{"an edit behind the greeting", current, greeting, 0, true},
		{"an edit when the greeting has arrived", current, transit{greeted: now - maxTransit}, 0, false},
		{"a question behind one that never arrived", current, sent(maxTransit), 2, true},
		{"a request for another answer", protocol.ChatBody{List: list("u1"), UserMessages: user, Regenerate: true}, sent(maxTransit), 0, true},
		{"a question alone", alone, sent(0), 1, true},
		{"a question alone behind a reply", alone, reply, 1, false},
		{"a question behind an older answer and a reply", old, reply, 1, true},
		{"two questions behind a reply to the first", behindQuestion, reply, 1, true},
	} {
		c := &Audience{
			transcript: &sentTranscript{At: now - maxTransit + 1, SeenAnswer: "a2"},
			transits:   map[durable.ConnID]*transit{"tab": &test.transit},
		}
		if got := c.LacksMessages(durable.NewTx(now, nil, nil), "tab", test.body, test.fresh); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// TestTransitOf checks that a connection of an earlier life counts as sent what anybody was sent, and
// that what a connection was sent is noted for it alone.
func TestTransitOf(t *testing.T) {
	tx := durable.NewTx(1_000_000, nil, nil)
	c := &Audience{transcript: &sentTranscript{At: 999_999}, transits: map[durable.ConnID]*transit{}}
	c.NoteGreeting(tx, "new", shortGreeting+1)
	if got := []transit{*c.transitOf(tx, "old"), *c.transitOf(tx, "new")}; got[0] != (transit{at: 999_999}) || got[1] != (transit{greeted: tx.Now}) {
		t.Errorf("at first: got %+v", got)
	}
	c.NoteGreeting(tx, "short", shortGreeting)
	if got := *c.transitOf(tx, "short"); got != (transit{greeted: tx.Now, short: true}) {
		t.Errorf("behind a short greeting: got %+v", got)
	}
	c.NoteTranscript(tx, "new")
	c.NoteReply("new")
	if got := *c.transitOf(tx, "new"); got != (transit{at: tx.Now, reply: true, greeted: tx.Now}) {
		t.Errorf("behind a reply: got %+v", got)
	}
	c.NoteTranscript(tx, "new", "other")
	if got := []transit{*c.transitOf(tx, "new"), *c.transitOf(tx, "other")}; got[0].reply || got[1] != (transit{at: tx.Now}) {
		t.Errorf("behind another transcript: got %+v", got)
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
