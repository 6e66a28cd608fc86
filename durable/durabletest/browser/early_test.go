package browser_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/browser"
)

// room is a conversation with the demo model, and the tabs that show it. Frames arrive at once.
type room struct {
	t     *testing.T
	world *durabletest.World
	tabs  map[string]*browser.Tab
	// seen are the lists of messages that a tab has shown, by the tab.
	seen map[string][]string
}

func newRoom(t *testing.T) *room {
	w := durabletest.NewWorld(durabletest.NewNative(1, agents.Classes()...), agents.Assistant.Name, "room")
	return &room{t, w, map[string]*browser.Tab{}, map[string][]string{}}
}

func (r *room) do(action string) {
	r.t.Helper()
	if err := r.world.Do(action); err != nil {
		r.t.Fatalf("%.80s: %v", action, err)
	}
	for _, line := range r.world.Take() {
		to, frame, _ := strings.Cut(strings.TrimPrefix(line, "send "), " ")
		for name, tab := range r.tabs {
			if strings.HasPrefix(line, "send ") && slices.Contains(strings.Split(to, ","), name) {
				tab.Frame(frame)
				r.seen[name] = append(r.seen[name], shown(tab))
			}
		}
	}
}

// settle has the tabs' frames arrive until none is sent.
func (r *room) settle() {
	for sent := true; sent; {
		sent = false
		for name, tab := range r.tabs {
			for _, frame := range tab.Out() {
				r.do("frame " + name + " " + frame)
				sent = true
			}
		}
	}
}

// after lets time pass, in steps in which frames arrive.
func (r *room) after(ms int) {
	for ; ms > 0; ms -= 10 {
		r.do("tick 10ms")
		r.settle()
	}
}

// open mounts a page, which may send a text as it mounts.
func (r *room) open(name, first string) *browser.Tab {
	tab := browser.New(name, r.world.Now, json.RawMessage("[]"))
	if first != "" {
		tab = browser.NewAsking(name, r.world.Now, json.RawMessage("[]"), first)
	}
	tab.Connect()
	r.tabs[name] = tab
	r.do("connect " + name)
	tab.Opened()
	return tab
}

// shown is what a tab shows: who has said what.
func shown(tab *browser.Tab) string {
	var all []string
	for _, m := range tab.Messages {
		text := ""
		for _, part := range m.Parts {
			text += part.Text
		}
		text, _, _ = strings.Cut(text, " ")
		all = append(all, fmt.Sprintf("%.1s:%s", m.Role, text))
	}
	return strings.Join(all, " ")
}

// TestFirstMessageBeforeTheSocketIsOpen has a page send its first message as it mounts, in front of its probe, which
// arrives at any moment of the answer. A second message follows within the time in which a transcript may be on its
// way. The page shows what was said in order, at every moment and without an empty bubble at rest.
func TestFirstMessageBeforeTheSocketIsOpen(t *testing.T) {
	for _, words := range []string{"chunks=1 delay=0", "chunks=3 delay=20", "chunks=40 delay=50"} {
		for _, late := range []int{0, 20, 40, 60, 200} {
			for _, pause := range []int{0, 100, 1_000, 3_000, 8_000, 9_990, 12_000} {
				t.Run(fmt.Sprintf("%s, the probe %d ms later, %d ms", words, late, pause), func(t *testing.T) {
					r := newRoom(t)
					tab := r.open("a", "one "+words)
					out := tab.Out()
					r.do("frame a " + out[0])
					for range late / 10 {
						r.do("tick 10ms")
					}
					r.do("frame a " + out[1])
					r.after(2_500)
					if got := shown(tab); got != "u:one a:c0" || tab.Status != browser.Ready {
						t.Fatalf("shows %s, and is %s", got, tab.Status)
					}
					r.after(pause)
					tab.Send("two " + words)
					r.settle()
					r.after(2_500)
					if got := shown(tab); got != "u:one a:c0 u:two a:c0" || tab.Status != browser.Ready {
						t.Errorf("shows %s, and is %s", got, tab.Status)
					}
					for _, list := range r.seen["a"] {
						if !strings.HasPrefix("u:one a:c0 u:two a:c0", list) && !strings.HasPrefix("u:one a: u:two a:", list) && list != "u:one a:c0 u:two a:" {
							t.Errorf("has shown %s", list)
						}
					}
				})
			}
		}
	}
}

// TestFirstMessageBesideAnotherTab has another tab ask behind the first answer of such a page. When that is answered,
// both show everything in order, and so does a page that is loaded then.
func TestFirstMessageBesideAnotherTab(t *testing.T) {
	for _, pause := range []int{0, 3_000, 12_000} {
		t.Run(fmt.Sprint(pause), func(t *testing.T) {
			r := newRoom(t)
			a := r.open("a", "one chunks=3 delay=20")
			out := a.Out()
			r.do("frame a " + out[0])
			r.do("tick 30ms")
			r.do("frame a " + out[1])
			r.after(1_000)
			b := r.open("b", "")
			r.settle()
			r.after(pause)
			b.Send("two chunks=3 delay=20")
			r.settle()
			r.after(1_000)
			a.Send("three chunks=3 delay=20")
			r.settle()
			r.after(1_000)
			want := "u:one a:c0 u:two a:c0 u:three a:c0"
			for name, tab := range r.tabs {
				if got := shown(tab); got != want || tab.Status != browser.Ready {
					t.Errorf("%s shows %s, and is %s", name, got, tab.Status)
				}
			}
		})
	}
}
