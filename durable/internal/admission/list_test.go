package admission

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// listed returns the messages with some ids. The first letter is the role: u is a user, a an
// assistant. Other ids are a user's.
func listed(ids string) []protocol.Listed {
	var list []protocol.Listed
	for id := range strings.FieldsSeq(ids) {
		role := protocol.RoleUser
		if id[0] == 'a' {
			role = protocol.RoleAssistant
		}
		list = append(list, protocol.Listed{ID: id, Role: role})
	}
	return list
}

// body is a request with a list of messages, and for another answer if it ends with "again".
func body(t *testing.T, ids string) protocol.ChatBody {
	t.Helper()
	ids, again := strings.CutSuffix(ids, " again")
	request := map[string]any{"trigger": "submit-message"}
	if again {
		request["trigger"] = "regenerate-message"
	}
	var messages []protocol.Message
	for _, m := range listed(ids) {
		messages = append(messages, protocol.Message{ID: m.ID, Role: m.Role, Parts: []json.RawMessage{[]byte(`{"type":"text","text":"` + m.ID + `"}`)}})
	}
	request["messages"] = messages
	encoded, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	b, err := protocol.ParseChatBody(string(encoded))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stored looks up messages in a conversation, in which the first one has place 1.
func stored(ids string) lookup {
	all := map[string]message.Head{}
	for i, m := range listed(ids) {
		all[m.ID] = message.Head{Place: int64(i + 1), Role: m.Role}
	}
	return func(messages []protocol.Listed) map[string]message.Head {
		have := map[string]message.Head{}
		for _, m := range messages {
			if head, ok := all[m.ID]; ok {
				have[m.ID] = head
			}
		}
		return have
	}
}

// String is what the tests below expect of a list.
func (l list) String() string {
	var words []string
	for _, q := range l.questions {
		switch {
		case !q.stored:
			words = append(words, "adds "+q.ID)
		case q.changed:
			words = append(words, fmt.Sprintf("writes %s at %d", q.ID, q.place))
		default:
			words = append(words, fmt.Sprintf("keeps %s at %d", q.ID, q.place))
		}
	}
	if l.continued != "" {
		words = append(words, "continues "+l.continued)
	}
	if l.cut != "" {
		words = append(words, "cuts behind "+l.cut)
	}
	return strings.Join(append(words, fmt.Sprintf("%d fresh", l.fresh)), ", ")
}

// TestReadList checks what is taken of a client's list, given the messages that are stored.
func TestReadList(t *testing.T) {
	for _, test := range []struct{ name, stored, list, want string }{
		{"the first message", "", "u1", "adds u1, 1 fresh"},
		{"the next message", "u1 a1", "u1 a1 u2", "adds u2, 1 fresh"},
		{"a list that misses the last answer", "u1 a1 u2 a2", "u1 a1 u3", "adds u3, 1 fresh"},
		{"a message behind one that never arrived", "u1 a1", "u1 a1 u2 u3", "adds u2, adds u3, 2 fresh"},
		{"a message behind one that is not answered yet", "u1 a1 u2", "u1 a1 u2 u3", "keeps u2 at 3, adds u3, 1 fresh"},
		{"an edit", "u1 a1 u2 a2", "u1 a1 u2", "writes u2 at 3, cuts behind u2, 0 fresh"},
		{"an edit of one of two", "u1 u2 a2", "u1 u2", "keeps u1 at 1, writes u2 at 2, cuts behind u2, 0 fresh"},
		{"an edit in a list with an unknown message", "u2 a2", "a9 u2", "writes u2 at 1, 0 fresh"},
		{"another answer", "u1 a1", "u1 again", "writes u1 at 1, cuts behind u1, 0 fresh"},
		{"another answer behind an answer", "u1 a1 a2", "u1 a1 again", "cuts behind a1, 0 fresh"},
		{"an answer that goes on", "u1 a1", "u1 a1", "continues a1, cuts behind a1, 0 fresh"},
		{"an answer that goes on in a list with an unknown message", "a1", "u9 a1", "continues a1, 0 fresh"},
		{"another answer in a list with an unknown message", "a1", "u9 a1 again", "continues a1, 0 fresh"},
		{"a notice that was taken back", "u1 a1", "u1 a1 notice-1 u2", "adds u2, 2 fresh"},
		{"a notice that is there", "u1 a1 notice-1", "u1 a1 notice-1 u2", "keeps notice-1 at 3, adds u2, 1 fresh"},
		{"the same message twice", "", "u1 u1", "adds u1, 2 fresh"},
	} {
		l, err := readList(body(t, test.list), nil, stored(test.stored))
		if got := l.String(); err != nil || got != test.want {
			t.Errorf("%s: got %s and %v, want %s", test.name, got, err, test.want)
		}
	}
}

// TestReadListWithMerged checks what is taken of a list in which a page posts a message again that
// was merged into another one.
func TestReadListWithMerged(t *testing.T) {
	for _, test := range []struct{ name, stored, list, want string }{
		{"before the message that holds it", "a0 u2", "a0 u1 u2", "writes u2 at 2, 1 fresh"},
		{"before a new message", "a0 u2", "a0 u1 u3", "adds u3, 2 fresh"},
		{"as the last message", "a0 u2", "a0 u1", "adds u1, 1 fresh"},
	} {
		l, err := readList(body(t, test.list), map[string]string{"u1": "u2"}, stored(test.stored))
		if got := l.String(); err != nil || got != test.want {
			t.Errorf("%s: got %s and %v, want %s", test.name, got, err, test.want)
		}
	}
}

// TestReadListRefuses checks which lists are refused, and with which words.
func TestReadListRefuses(t *testing.T) {
	if l, err := readList(body(t, numbered(protocol.Limits.Fresh)), nil, stored("")); err != nil || l.fresh != protocol.Limits.Fresh {
		t.Errorf("as many messages as can be new: got %d and %v", l.fresh, err)
	}
	link := body(t, "u1 a1 u2")
	link.UserMessages[0].Parts = []json.RawMessage{[]byte(`{"type":"file","mediaType":"image/png","url":"https://example.com/a.png"}`)}
	reused := body(t, "u1 a1 u2")
	reused.List[2].ID, reused.UserMessages[0].ID = "a1", "a1"
	for _, test := range []struct {
		name string
		body protocol.ChatBody
		want string
	}{
		{"an answer that is not known", body(t, "u1 a9"), "the last message is neither the user's nor known"},
		{"another answer to an unknown one", body(t, "u1 a9 again"), "the last message is neither the user's nor known"},
		{"the id of an answer", reused, `message "a1" is not the user's`},
		{"an attachment that is a link", link, `message "u2": an attachment has to be a data URL in base64`},
		{
			"more messages than can be new", body(t, numbered(protocol.Limits.Fresh+1)),
			fmt.Sprintf("%d messages behind the last answer, at most %d can be new", protocol.Limits.Fresh+1, protocol.Limits.Fresh),
		},
	} {
		if _, err := readList(test.body, nil, stored("u1 a1")); err == nil || err.Error() != test.want {
			t.Errorf("%s: got the error %v, want %s", test.name, err, test.want)
		}
	}
}

// numbered returns the ids of some users' messages that are not stored.
func numbered(n int) string {
	var ids []string
	for i := range n {
		ids = append(ids, fmt.Sprintf("u%d", 1000+i))
	}
	return strings.Join(ids, " ")
}
