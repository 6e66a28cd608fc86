package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
)

// maxTurnBytes is the most that a turn with a short answer may send to the tab that asked.
const maxTurnBytes = 4 << 10

// post is how a client's request names the messages of a conversation.
type post struct {
	name string
	// posted returns the messages that are posted of a list whose last message is new.
	posted func(list []listed) []listed
}

type listed struct {
	ID    string           `json:"id"`
	Role  string           `json:"role"`
	Parts []map[string]any `json:"parts"`
}

var posts = []post{
	{"the whole list", func(list []listed) []listed { return list }},
	{"the new message and the one before", func(list []listed) []listed { return list[len(list)-2:] }},
	{"the new message", func(list []listed) []listed { return list[len(list)-1:] }},
}

// TestBytesOfATurn checks that a turn sends as little in a long conversation as in a short one,
// whatever the client posts: the first turns of a connection, and turns behind a transcript that
// another tab's question has brought.
func TestBytesOfATurn(t *testing.T) {
	for _, turns := range []int{10, 1_000} {
		for _, p := range posts {
			t.Run(fmt.Sprintf("%s, turn %d", p.name, turns), func(t *testing.T) {
				list := conversation(2 * turns)
				w, engine := play(t, "TestAgent", "close a\n")
				defer engine.Close()
				for i, m := range list {
					sql(t, engine, `INSERT INTO message (id, place, role, body) VALUES (?, ?, ?, ?)`, m.ID, i+1, m.Role, string(limit.MustMarshal(m)))
				}
				do(t, w, "evict\nconnect a\nconnect b") // the object knows which tables it has made
				n := 0
				ask := func(tab string, posted func([]listed) []listed) int {
					n++
					list = append(list, message(fmt.Sprint("q", n), "user", "hi chunks=5"))
					body := limit.MustMarshal(map[string]any{"messages": posted(list), "trigger": "submit-message"})
					frame := limit.MustMarshal(map[string]any{"id": fmt.Sprint("R", n), "type": "cf_agent_use_chat_request", "init": map[string]any{"method": "POST", "body": string(body)}})
					said := do(t, w, fmt.Sprintf("frame %s %s\nrun", tab, frame))
					list = append(list, message(replyID(t, said), "assistant", "c0 c1 c2 c3 c4"))
					return sentTo(tab, said)
				}
				for i := range 3 {
					if got := ask("a", p.posted); got > maxTurnBytes {
						t.Errorf("turn %d of a connection sends %d bytes", i+1, got)
					}
				}
				ask("b", posts[1].posted)
				ask("a", p.posted) // it may cross the transcript with the question of b
				for i := range 2 {
					if got := ask("a", p.posted); got > maxTurnBytes {
						t.Errorf("turn %d behind a repeated transcript sends %d bytes", i+1, got)
					}
				}
			})
		}
	}
}

// TestQuestionsThatCrossATranscript checks which questions of a client that posts only its new
// messages are answered with the conversation: the first one behind a question of another tab.
func TestQuestionsThatCrossATranscript(t *testing.T) {
	w, engine := play(t, "TestAgent", "connect b\nsay b R1 u1: hi chunks=1\ntick 1s")
	defer engine.Close()
	for i, want := range []bool{true, false, false} {
		said := do(t, w, fmt.Sprintf("say a A%d a%d: hi chunks=1\ntick 1s", i, i))
		if got := strings.Contains(said, `send a,b {"type":"cf_agent_chat_messages"`); got != want {
			t.Errorf("question %d: the conversation is sent: %v, want %v", i+1, got, want)
		}
	}
}

// TestListIsCutNowAndThen checks that a client whose list has outgrown a transcript is sent one only
// when its list has outgrown it by half.
func TestListIsCutNowAndThen(t *testing.T) {
	w, engine := play(t, "TestAgent", "connect a\ntick 10s") // the greeting has arrived
	defer engine.Close()
	for i, test := range []struct {
		messages int
		cut      bool
	}{{4_500, false}, {5_500, true}} {
		list := append(conversation(test.messages), message(fmt.Sprint("q", i), "user", "hi chunks=1"))
		body := limit.MustMarshal(map[string]any{"messages": list, "trigger": "submit-message"})
		frame := limit.MustMarshal(map[string]any{"id": fmt.Sprint("R", i), "type": "cf_agent_use_chat_request", "init": map[string]any{"method": "POST", "body": string(body)}})
		said := do(t, w, fmt.Sprintf("frame a %s\nrun", frame))
		if got := strings.Contains(said, `send a {"type":"cf_agent_chat_messages"`); got != test.cut {
			t.Errorf("a list of %d bytes: it is cut: %v, want %v", len(body), got, test.cut)
		}
	}
}

// conversation returns n messages, of which every second one answers the one before.
func conversation(n int) (list []listed) {
	for i := range n {
		role := []string{"user", "assistant"}[i%2]
		list = append(list, message(fmt.Sprint("m", i), role, strings.Repeat("word ", 20)))
	}
	return list
}

func message(id, role, text string) listed {
	return listed{ID: id, Role: role, Parts: []map[string]any{{"type": "text", "text": text}}}
}

// replyID returns the id of the answer that a script's transcript begins.
func replyID(t *testing.T, said string) string {
	t.Helper()
	_, rest, found := strings.Cut(said, `{\"type\":\"start\",\"messageId\":\"`)
	if !found {
		t.Fatalf("no answer begins:\n%.2000s", said)
	}
	id, _, _ := strings.Cut(rest, `\"`)
	return id
}

// sentTo counts the bytes of the frames that a tab is sent.
func sentTo(tab, said string) (bytes int) {
	for line := range strings.Lines(said) {
		to, frame, _ := strings.Cut(strings.TrimPrefix(line, "\tsend "), " ")
		if strings.HasPrefix(line, "\tsend ") && strings.Contains(","+to+",", ","+tab+",") {
			bytes += len(strings.TrimSpace(frame))
		}
	}
	return bytes
}
