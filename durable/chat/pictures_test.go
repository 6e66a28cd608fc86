package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/model"
)

// gallery is an agent that notes what its model was told, and how often messages were left out.
type gallery struct {
	compacted, messages, pictures, bytes int
}

func (g *gallery) Name() string { return "gallery" }

func (g *gallery) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	g.messages, g.pictures, g.bytes = len(r.Messages), 0, 0
	for _, m := range r.Messages {
		for _, c := range m.Content {
			if image, ok := c.(model.Image); ok {
				g.pictures++
				g.bytes += len(image.Data)
			}
		}
	}
	return g, nil
}

func (*gallery) Take(*durable.Tx, durable.Event) ([]model.Delta, error) {
	return []model.Delta{model.TextDelta{Text: "nice"}, model.Finished{Reason: model.Stop}}, nil
}

func (*gallery) Cancel(*durable.Tx) {}

func (g *gallery) agent() agent.Agent {
	return agent.Agent{
		Name: "Gallery", Model: g,
		Hooks: agent.Hooks{Compact: func(*agent.Conversation, agent.LeftOut) ([]model.Message, error) {
			g.compacted++
			return []model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: "(there was more)"}}}}, nil
		}},
	}
}

func galleryOf(t *testing.T) (*gallery, *durabletest.World) {
	t.Helper()
	g := &gallery{}
	class := chattest.Class(g.agent())
	w := durabletest.NewWorld(durabletest.NewNative(1, class), class.Name, "room")
	act(t, w, "connect a")
	return g, w
}

// picture is the frame of a question with a picture of a given size in bytes.
func picture(t *testing.T, n, size int) string {
	t.Helper()
	body := asBrowser(t, fmt.Sprintf(`{"messages":[{"id":"p%d","role":"user","parts":[{"type":"text","text":"look"},`+
		`{"type":"file","mediaType":"image/png","url":"data:image/png;base64,%s"}]}],"trigger":"submit-message"}`, n, strings.Repeat("AAAA", size/4)))
	return fmt.Sprintf(`{"type":"cf_agent_use_chat_request","id":"P%d","init":{"method":"POST","body":%s}}`, n, body)
}

// look posts a picture and waits for the answer.
func look(t *testing.T, w *durabletest.World, n, size int) {
	t.Helper()
	act(t, w, "frame a "+picture(t, n, size), "run")
	if out := transcriptOf(t, w); !strings.Contains(out, `"outcome":"completed"`) {
		t.Fatalf("it was not answered: %.300s", out)
	}
}

// TestPicturesCountAsWhatTheModelIsCharged checks that pictures count by what the model is charged,
// not by their bytes. A few pictures leave the conversation as it is, up to the limit for reading
// pictures. Beyond that, half is left out at once, so that the hook is not called in each turn.
func TestPicturesCountAsWhatTheModelIsCharged(t *testing.T) {
	for size, most := range map[int]struct{ whole, compacted int }{100_000: {18, 0}, 300_000: {13, 1}, 1_000_000: {4, 7}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			g, w := galleryOf(t)
			last, grown := 0, 0
			for n := range 18 {
				look(t, w, n, size)
				if n < most.whole && (g.messages != 2*n+1 || g.pictures != n+1 || g.compacted > 0) {
					t.Errorf("turn %d: the model is told %d messages with %d pictures", n, g.messages, g.pictures)
				}
				if g.pictures*size > 4<<20 {
					t.Errorf("turn %d: the model is told %d bytes of pictures", n, g.pictures*size)
				}
				if g.pictures == last+1 {
					grown++
				}
				last = g.pictures
			}
			if g.compacted > most.compacted || grown+g.compacted != 18 {
				t.Errorf("something was left out %d times, want %d at most; the pictures grew in %d turns of 18", g.compacted, most.compacted, grown)
			}
		})
	}
}

// TestPicturesAreChargedAtAll checks that the oldest pictures are left out if there are more than
// the model may be told, however small they are.
func TestPicturesAreChargedAtAll(t *testing.T) {
	g, w := galleryOf(t)
	for n := range 80 {
		look(t, w, n, 400)
	}
	if g.pictures < 80/4 || g.pictures > 100_000/1_600 || g.compacted != 1 {
		t.Errorf("the model is told %d pictures, and something was left out %d times", g.pictures, g.compacted)
	}
}

// TestManyShortMessagesAreLeftOutRarely checks a conversation of more messages than are read.
func TestManyShortMessagesAreLeftOutRarely(t *testing.T) {
	g, r := &gallery{}, roomOf(t)
	r.agent = g.agent()
	r.step(durable.Opened{Name: "room"})
	_, err := r.m.SQLite.SQL(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 12000)
		INSERT INTO message (id, place, role, body) SELECT 'm' || n, n, iif(n % 2, 'user', 'assistant'),
		'{"id":"m' || n || '","role":"' || iif(n % 2, 'user', 'assistant') || '","parts":[{"type":"text","text":"y"}]}' FROM c`, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	for n := range 5 {
		r.ask(n)
	}
	if g.compacted != 1 || g.messages < 4_000 {
		t.Errorf("something was left out %d times, and the model is told %d messages", g.compacted, g.messages)
	}
}

// TestReadingPicturesIsBounded checks that the bound does not depend on the number of pictures.
func TestReadingPicturesIsBounded(t *testing.T) {
	r := roomOf(t)
	r.agent = (&gallery{}).agent()
	r.step(durable.Opened{Name: "room"})
	r.step(durable.SocketOpened{Conn: "a", URL: "/agents/x/room?_pk=a"})
	for n := range 18 {
		r.step(durable.SocketMessage{Conn: "a", Text: picture(t, n, 300_000)})
		read, _ := r.step(durable.TimerFired{Timer: fmt.Sprintf("turn-%d-0-0", n+1)})
		if read > 1_000_000 {
			t.Errorf("the end of turn %d reads %d bytes", n, read)
		}
	}
	if read, _ := r.step(question(1)); read > 6_000_000 {
		t.Errorf("a question reads %d bytes", read)
	}
}
