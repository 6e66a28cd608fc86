package admission

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// TestIsPlain checks which requests the policy applies to, given the messages that are stored.
func TestIsPlain(t *testing.T) {
	policies := []turn.Policy{turn.Latest, turn.Merge, turn.Drop, turn.Debounce}
	for _, test := range []struct {
		name, stored, list string
		want               bool
	}{
		{"a new message", "u1 a1", "u1 a1 u2", true},
		{"a new message in an old list", "u1 a1 u2 a2", "u1 a1 u3", true},
		{"an edit", "u1 a1 u2 a2", "u1 a1 u2", false},
		{"another answer", "u1 a1", "u1 again", false},
		{"another answer to an unknown message", "", "u1 again", false},
		{"an answer that goes on", "u1 a1", "u1 a1", false},
		{"an answer that goes on in a list with an unknown message", "a1", "u1 a1", false},
	} {
		for _, p := range policies {
			if got := isPlain(p, body(t, test.list), stored(test.stored)); got != test.want {
				t.Errorf("%s with the policy %s: got %v, want %v", test.name, p, got, test.want)
			}
		}
		if isPlain(turn.Queue, body(t, test.list), stored(test.stored)) {
			t.Errorf("%s gives way although every message is answered", test.name)
		}
	}
}

// TestQuietUntil checks when a plain message may begin.
func TestQuietUntil(t *testing.T) {
	tx := durable.NewTx(5000, nil, nil)
	for p, want := range map[turn.Policy]int64{turn.Queue: 0, turn.Latest: 0, turn.Merge: 0, turn.Drop: 0, turn.Debounce: 5750} {
		if got := QuietUntil(tx, p); got != want {
			t.Errorf("the policy %q: got %d, want %d", p, got, want)
		}
	}
}

// TestCombine checks how messages are merged into the last of them.
func TestCombine(t *testing.T) {
	user := func(id, metadata string, texts ...string) protocol.Message {
		m := protocol.Message{ID: id, Role: protocol.RoleUser, Metadata: json.RawMessage(metadata)}
		for _, text := range texts {
			m.Parts = append(m.Parts, json.RawMessage(`{"type":"text","text":"`+text+`"}`))
		}
		return m
	}
	big := strings.Repeat("x", protocol.Limits.Message/2)
	many := make([]string, protocol.Limits.Parts)
	for _, test := range []struct {
		name    string
		earlier []protocol.Message
		last    protocol.Message
		// texts are the parts' texts, and merged the messages that the metadata names. No texts
		// mean that the messages do not fit into one.
		texts, merged string
	}{
		{"two messages", []protocol.Message{user("u1", "", "a")}, user("u2", "", "b"), "a b", "u1"},
		{"three messages with more parts", []protocol.Message{user("u1", "", "a", "b"), user("u2", "", "c")}, user("u3", "", "d"), "a b c d", "u1 u2"},
		{"a message that holds others", []protocol.Message{user("u2", `{"merged":["u1"]}`, "a", "b")}, user("u3", "", "c"), "a b c", "u1 u2"},
		{"a message that the last one holds", []protocol.Message{user("u1", "", "a")}, user("u2", `{"merged":["u1"]}`, "a", "b"), "a b", "u1"},
		{"a last message that holds others", []protocol.Message{user("u1", "", "a")}, user("u3", `{"merged":["u2"]}`, "b", "c"), "a b c", "u1 u2"},
		{"a message that an earlier one holds", []protocol.Message{user("u1", "", "a"), user("u2", `{"merged":["u1"]}`, "a", "b")}, user("u3", "", "c"), "a b c", "u1 u2"},
		{"a damaged message", []protocol.Message{{ID: "u1"}}, user("u2", "", "b"), "b", "u1"},
		{"metadata that is no object", []protocol.Message{user("u1", "[1]", "a")}, user("u2", "7", "b"), "a b", "u1"},
		{"too many bytes", []protocol.Message{user("u1", "", big)}, user("u2", "", big), "", ""},
		{"too many parts", []protocol.Message{user("u1", "", "a")}, user("u2", "", many...), "", ""},
	} {
		m, ok := combine(test.earlier, test.last)
		if ok != (test.texts != "") {
			t.Errorf("%s: they fit %v, want %v", test.name, ok, test.texts != "")
		}
		if !ok {
			continue
		}
		var texts []string
		for _, p := range m.Parts {
			texts = append(texts, protocol.TextOf(p))
		}
		var metadata struct{ Merged []string }
		if err := json.Unmarshal(m.Metadata, &metadata); err != nil {
			t.Errorf("%s: the metadata is %s: %v", test.name, m.Metadata, err)
		}
		if got := strings.Join(texts, " "); m.ID != test.last.ID || got != test.texts {
			t.Errorf("%s: got %q in %s, want %q in %s", test.name, got, m.ID, test.texts, test.last.ID)
		}
		if got := strings.Join(metadata.Merged, " "); got != test.merged {
			t.Errorf("%s: names %q, want %q", test.name, got, test.merged)
		}
	}
}

// TestWaits checks when a turn waits for the schedule: because it has crashed the instance, or
// because more messages may come.
func TestWaits(t *testing.T) {
	for _, test := range []struct {
		name    string
		retries int
		wait    int64
		want    bool
	}{
		{"before the retry", 3, 500, true},
		{"when the retry is due", 3, 0, false},
		{"when the retry is overdue", 3, -1, false},
		{"with the first retry", 1, 1, false},
		{"after the clock was set back", 3, 501, false},
	} {
		if got := isBackingOff(test.retries, test.wait); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	for _, test := range []struct {
		name  string
		until int64
		want  bool
	}{
		{"a turn that waits for nothing", 0, false},
		{"a message that has just come", 5000 + turn.DebounceDelay, true},
		{"the last moment", 5001, true},
		{"when the time is over", 5000, false},
		{"after the clock was set back", 5001 + turn.DebounceDelay, false},
	} {
		if got := isDebounced(turn.Turn{QuietUntil: test.until}, 5000); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
