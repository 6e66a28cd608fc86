package chat_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/limit"
)

// busiest is the most that was counted in a second, and in an event.
type busiest struct {
	since                     int64
	frames, up, down          int
	mostFrames, mostUp, most  int
	mostOfEvent, mostOfSocket int
	// framesOfEvent is the most frames of an event, and said the last words that were sent.
	framesOfEvent int
	said          string
	sockets       map[durable.ConnID]int
}

func (b *busiest) add(at int64, frames, up int, commands []durable.Command) {
	if b.sockets == nil || at >= b.since+1_000 {
		b.since, b.frames, b.up, b.down, b.sockets = at, 0, 0, 0, map[durable.ConnID]int{}
	}
	event, sent := 0, 0
	for _, command := range commands {
		if send, ok := command.(durable.Send); ok {
			event += len(send.Text) * len(send.To)
			if sent += len(send.To); strings.Contains(send.Text, "text-delta") {
				b.said = send.Text
			}
			for _, id := range send.To {
				b.sockets[id] += len(send.Text)
				b.mostOfSocket = max(b.mostOfSocket, b.sockets[id])
			}
		}
	}
	b.frames, b.up, b.down = b.frames+frames, b.up+up, b.down+event
	b.mostFrames, b.mostUp, b.most = max(b.mostFrames, b.frames), max(b.mostUp, b.up), max(b.most, b.down)
	b.mostOfEvent, b.framesOfEvent = max(b.mostOfEvent, event), max(b.framesOfEvent, sent)
}

// metered is an engine that counts what goes over sockets.
type metered struct {
	durabletest.Engine
	busiest
}

func (m *metered) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	commands, err := m.Engine.Step(object, at, opened, event)
	frames, up := 0, 0
	if e, ok := event.(durable.SocketMessage); ok {
		frames, up = 1, len(e.Text)
	}
	m.add(at, frames, up, commands)
	return commands, err
}

func below(t *testing.T, what string, got, most int) {
	t.Helper()
	if t.Logf("%s: %d, at most %d", what, got, most); got == 0 || 3*got > most {
		t.Errorf("%s: %d, which is not between 0 and a third of %d", what, got, most)
	}
}

// TestRecordedClientStaysBelowAThird counts what the published client sends in its recorded traffic. A
// recording has all that happens at once at one time.
func TestRecordedClientStaysBelowAThird(t *testing.T) {
	files, err := filepath.Glob("../durabletest/browser/testdata/*.json")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d recordings, %v", len(files), err)
	}
	var all busiest
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var recording struct {
			Steps []struct {
				At   int64
				Sent []json.RawMessage
			}
		}
		if err := json.Unmarshal(text, &recording); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		one := busiest{}
		for _, step := range recording.Steps {
			for _, frame := range step.Sent {
				one.add(step.At, 1, len(frame), nil)
			}
		}
		all.mostFrames, all.mostUp = max(all.mostFrames, one.mostFrames), max(all.mostUp, one.mostUp)
	}
	below(t, "frames of a tab in a second", all.mostFrames, limit.SocketFrames)
	below(t, "bytes of a tab in a second", all.mostUp, limit.SocketUp)
}

// TestSixteenHelpersStayBelowAThird counts what goes over the sockets of three tabs while sixteen
// helpers speak, a word every five milliseconds each, and when a tab is loaded again afterwards.
func TestSixteenHelpersStayBelowAThird(t *testing.T) {
	engine := &metered{Engine: durabletest.NewNative(1, chattest.Classes()...)}
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Chief", "room")
	probe := func(tab string) []string { return []string{"connect " + tab, "probe " + tab + " p"} }
	for _, tab := range []string{"a", "b", "c"} {
		act(t, w, probe(tab)...)
	}
	act(t, w, `frame a {"type":"cf_agent_state","state":{"n":1}}`, "say a R1 u1: tool=fan n=16 chunks=600 size=20 delay=5", "run")
	live := engine.busiest
	act(t, w, probe("d")...)
	act(t, w, "run")
	below(t, "frames of all tabs in a second", engine.mostFrames, limit.ConversationFrames)
	below(t, "bytes of all tabs in a second", engine.mostUp, limit.ConversationUp)
	below(t, "bytes that are sent in a second, live", live.most, limit.ConversationDown)
	below(t, "bytes that are sent in a second", engine.most, limit.ConversationDown)
	below(t, "bytes that an event sends", engine.mostOfEvent, limit.EventDown)
	below(t, "bytes that a socket is sent in a second", engine.mostOfSocket, limit.SocketDown)
}

// TestWordsForManySockets checks that the words of a model, however many come at once, do not become more frames in an event
// than the isolate can send beside others, and that none is lost.
func TestWordsForManySockets(t *testing.T) {
	engine := &metered{Engine: durabletest.NewNative(1, chattest.Classes()...)}
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Chief", "room")
	for n := range 400 {
		act(t, w, fmt.Sprint("connect t", n))
	}
	engine.framesOfEvent = 0
	act(t, w, "say t0 R1 u1: tool=none chunks=5000 size=20", "run")
	if engine.framesOfEvent == 0 || engine.framesOfEvent > 5_000 {
		t.Errorf("an event sends %d frames", engine.framesOfEvent)
	}
	if last := "c4999 "; !strings.Contains(engine.said, last) {
		t.Errorf("%q was not said: %.200s", last, engine.said)
	}
}
