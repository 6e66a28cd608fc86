package message

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/turn"
)

// TestFits checks how much of a conversation is read, given the size of its newest messages.
func TestFits(t *testing.T) {
	limit := Budget{messages: 10, bytes: 1_000, charged: 2_000, pictured: 500}
	for _, test := range []struct {
		name string
		size Budget
		want bool
	}{
		{"all limits are reached", limit, true},
		{"too many messages", Budget{messages: 11}, false},
		{"too many bytes", Budget{messages: 3, bytes: 1_001}, false},
		{"too much that a model is charged", Budget{messages: 3, charged: 2_001}, false},
		{"too many bytes of pictures", Budget{messages: 3, pictured: 501}, false},
		{"one message, whatever its size", Budget{messages: 1, bytes: 9_000_000, charged: 9_000_000, pictured: 9_000_000}, true},
		{"a question and its answer", Budget{messages: 2, bytes: exchangeBudget, charged: 9_000_000}, true},
		{"a question and its answer that are too long", Budget{messages: 2, bytes: exchangeBudget + 1}, false},
	} {
		if got := test.size.fits(limit); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if huge := (Budget{messages: 1_000, bytes: 1 << 40, charged: 1 << 40, pictured: 1 << 40}); !huge.fits(Budget{}) {
		t.Error("a limit of 0 is one")
	}
}

// TestTranscript checks where the place of the active answer a2 is held, if its place is 4.
func TestTranscript(t *testing.T) {
	stored := map[string]Stored{"u1": {Place: 1}, "a1": {Place: 2}, "u2": {Place: 3}, "a2": {Place: 4}, "u3": {Place: 5}, "u4": {Place: 7}}
	for _, test := range []struct {
		name     string
		messages []string
		speaks   bool
		want     []string
	}{
		{"nothing", nil, true, nil},
		{"the answer comes last", []string{"u1", "a1", "u2"}, true, []string{"u1", "a1", "u2"}},
		{"a question follows", []string{"u1", "a1", "u2", "u3"}, true, []string{"u1", "a1", "u2", held, "u3"}},
		{"two questions follow", []string{"u2", "u3", "u4"}, true, []string{"u2", held, "u3", "u4"}},
		{"only later questions are read", []string{"u3", "u4"}, true, []string{held, "u3", "u4"}},
		{"an answer that goes on is stored", []string{"u2", "a2", "u3"}, true, []string{"u2", "a2", "u3"}},
		{"no turn speaks", []string{"u1", "a1", "u2", "u3"}, false, []string{"u1", "a1", "u2", "u3"}},
	} {
		var messages []Stored
		for _, id := range test.messages {
			messages = append(messages, Stored{ID: id, Body: id, Place: stored[id].Place})
		}
		if got := transcript(messages, turn.Turn{Reply: "a2", Place: 4}, test.speaks); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// held is the message that holds the place of the answer a2.
const held = `{"id":"a2","role":"assistant","parts":[]}`
