package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/internal/heap"
)

// pushed is a frame that sets a client's list of messages. posted is one that sends it with a
// request.
func pushed(n int, word string) durable.Event {
	return durable.SocketMessage{Conn: "a", Text: `{"type":"cf_agent_chat_messages","messages":` + listOf(n, word) + `}`}
}

func posted(n int, word string) durable.Event {
	body := encoded(`{"messages":` + listOf(n, word) + `,"trigger":"submit-message"}`)
	return durable.SocketMessage{Conn: "a", Text: `{"type":"cf_agent_use_chat_request","id":"R1","init":{"method":"POST","body":` + body + `}}`}
}

func encoded(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// listOf is a client's list of user messages, with a word in each.
func listOf(n int, word string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`{"parts":[{"type":"text","text":"%s %0340d"}],"id":"u%d","role":"user"}`, word, i, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// fillWith stores such a list.
func (r *room) fillWith(n int, word string) {
	_, err := r.m.SQLite.SQL(`WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n + 1 < ?)
		INSERT INTO message (id, place, role, body) SELECT 'u' || n, n + 1, 'user',
		'{"id":"u' || n || '","role":"user","parts":[{"type":"text","text":"' || ? || ' ' || printf('%0340d', n) || '"}]}' FROM c`, []any{n, word})
	if err != nil {
		r.m.t.Fatal(err)
	}
}

// TestLongPushIsBounded checks a list of maximal length. No message is decoded that is stored as it
// is. Of the others, no more are decoded than may be new or changed at once.
func TestLongPushIsBounded(t *testing.T) {
	const most = limit.Messages - 1
	frame := pushed(most, "first").(durable.SocketMessage)
	for name, test := range map[string]struct {
		stored string
		// read is the limit of bytes read from storage, and allocated of bytes allocated in memory.
		read, allocated int
		told            string
	}{
		"all are stored as they are": {"first", 5_000_000, 40_000_000, ""},
		"all are changed":            {"other", 1_500_000, 20_000_000, "more than 256 messages are new or changed"},
		"all are new":                {"", 1_000, 6_000_000, "more than 256 messages are new or changed"},
	} {
		t.Run(name, func(t *testing.T) {
			var read int
			var commands []durable.Command
			allocated := int(heap.AllocatedBehind(func() func() {
				r := roomOf(t)
				r.step(durable.Opened{Name: "room"})
				r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
				if test.stored != "" {
					r.fillWith(most, test.stored)
				}
				return func() { read, commands = r.step(frame) }
			}))
			t.Logf("of %d bytes, %d were read and %d allocated", len(frame.Text), read, allocated)
			if told := fmt.Sprint(commands); !strings.Contains(told, test.told) || test.told == "" && len(commands) > 0 {
				t.Errorf("got %.400s", told)
			}
			if read > test.read {
				t.Errorf("%d bytes were read, at most %d", read, test.read)
			}
			if allocated > test.allocated {
				t.Errorf("%d bytes were allocated, at most %d", allocated, test.allocated)
			}
		})
	}
}

// TestManyQuestionsWithoutAnAnswer checks that they do not block the next question. At the end of a
// list, only the messages that are new count against the limit.
func TestManyQuestionsWithoutAnAnswer(t *testing.T) {
	const most = 2 * limit.Fresh
	for name, test := range map[string]struct {
		fresh int
		taken bool
	}{"one is new": {1, true}, "as many as may be": {limit.Fresh, true}, "one more": {limit.Fresh + 1, false}} {
		t.Run(name, func(t *testing.T) {
			r := roomOf(t)
			r.step(durable.Opened{Name: "room"})
			r.fillWith(most-test.fresh, "chunks=1")
			r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
			_, commands := r.step(posted(most, "chunks=1"))
			told := fmt.Sprint(commands)
			if refused := strings.Contains(told, fmt.Sprint(most, " messages behind the last answer, at most 256 can be new")); refused == test.taken {
				t.Errorf("got %.200s … %s", told, told[max(0, len(told)-300):])
			}
			rows, err := r.m.SQLite.SQL(`SELECT COUNT(*) FROM message WHERE role = 'user'`, nil)
			want := int64(most)
			if !test.taken {
				want -= int64(test.fresh)
			}
			if err != nil || rows[0].Int(0) != want {
				t.Errorf("%v messages are stored, %v, want %d", rows, err, want)
			}
		})
	}
}
