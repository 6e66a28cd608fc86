package tck

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// tree is a root with the facets that its commands reach. It delivers their calls and streams at
// once, in order.
type tree struct {
	*testing.T
	engine
	// said are the texts that the root has sent to its sockets.
	said []string
	// streams are the facets that write the open streams.
	streams map[string]durable.Facet
}

const root = "root"

func newTree(t *testing.T, e engine) *tree {
	return &tree{T: t, engine: e, streams: map[string]durable.Facet{}}
}

func path(f durable.Facet) string { return root + "/" + f.Slot }

// tell sends the root a message and returns all texts that the root sends.
func (w *tree) tell(text string) string {
	w.Helper()
	w.said = nil
	w.happen(root, "Probe", durable.SocketMessage{Conn: "c", Text: text})
	return strings.Join(w.said, "; ")
}

func (w *tree) want(text, want string) {
	w.Helper()
	if got := w.tell(text); got != want {
		w.Errorf("%s: got %q, want %q", text, got, want)
	}
}

func (w *tree) happen(object, class string, event durable.Event) {
	w.Helper()
	opened := durable.Opened{Class: class, Name: object}
	if object == root {
		opened.Conns = []durable.ConnID{"c"}
	}
	commands, err := w.Step(object, 1_700_000_000_000, opened, event)
	if err != nil {
		w.Fatalf("%T to %s: %v", event, object, err)
	}
	for _, c := range commands {
		w.perform(object, c)
	}
}

func (w *tree) perform(object string, command durable.Command) {
	w.Helper()
	switch c := command.(type) {
	case durable.Send:
		w.said = append(w.said, c.Text)
	case durable.Call:
		w.happen(path(c.To), c.To.Class, durable.CallReceived{Call: c.Call, Data: c.Data})
	case durable.Answer:
		if c.Error != "" {
			w.happen(root, "Probe", durable.CallFailed{Call: c.Call, Error: c.Error})
			return
		}
		w.happen(root, "Probe", durable.CallAnswered{Call: c.Call, Data: c.Data})
	case durable.OpenStream:
		w.streams[c.Stream] = c.From
		w.happen(path(c.From), c.From.Class, durable.StreamRequested{Stream: c.Stream, Data: c.Data})
	case durable.Emit:
		w.emitted(object, c)
	case durable.EndStream:
		delete(w.streams, c.Stream)
		w.happen(root, "Probe", durable.StreamEnded(c))
	case durable.CancelStream:
		from := w.streams[c.Stream]
		delete(w.streams, c.Stream)
		w.happen(path(from), from.Class, durable.StreamCancelled(c))
	}
}

func (w *tree) emitted(object string, c durable.Emit) {
	w.Helper()
	if from, open := w.streams[c.Stream]; open {
		w.happen(root, "Probe", durable.StreamData(c))
		w.happen(object, from.Class, durable.StreamDrained{Stream: c.Stream})
	}
}

func TestCalls(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		w := newTree(t, e)
		w.want("call 1 Source echo hello", "call; echo: hello")
		w.want("call 1 Source echo ", "call; echo: ")
		w.want("call 1 Source name", "call; name: root/1")
		w.want("call 1 Source count", "call; count: count 1")
		w.want("call 1 Source count", "call; count: count 2")
		w.want("call 2 Source count", "call; count: count 1")
		w.want("call 1 Source refuse not today", "call; refuse failed: not today")
		w.want("call 1 Source hang", "call")
		w.Evict(path(durable.Facet{Slot: "1"}))
		w.want("call 1 Source count", "call; count: count 3")
		w.want("delete 1", "delete")
		large := strings.Repeat("x", 3<<20)
		if got := w.tell("call 1 Source echo " + large); got != "call; echo: "+large {
			t.Errorf("a large answer: got %d bytes", len(got))
		}
	})
}

func TestStreams(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		w := newTree(t, e)
		w.want("open 1 Source 100 1 0", "open; ended after 100 numbers")
		w.want("until 1 Source 7 100 1 0", "until; cancelled after 7 numbers")
		w.want("open 1 Source 100 0 0", "open")
		w.happen(root, "Probe", durable.StreamFailed{Stream: "probe", Error: "broke off"})
		w.want("count", "count 1 steps 114")
		w.want("open 1 Source 100 0 0", "open")
		w.Evict(root)
		w.want("count", "lost after 0 numbers; count 2 steps 2")
	})
}
