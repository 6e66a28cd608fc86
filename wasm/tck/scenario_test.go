package tck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

func TestValues(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		want(t, e, "a", "count", "count 1 steps 2")
		want(t, e, "a", "count", "count 2 steps 3")
		want(t, e, "b", "count", "count 1 steps 2")
		want(t, e, "a", "values", `<nil> <nil> null; int64 0 real; int64 -1 real; int64 9007199254740991 real; float64 1.5 real; float64 -2.5e+300 real; `+
			`string "" text; string "\u00e9\U0001f600" text; []uint8  blob; []uint8 00ff blob; int64 1 real; int64 2 real; `)
	})
}

func TestSizes(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		// Around the size of the buffer for results, far beyond the size of a buffer that is kept, and
		// just below the largest value that storage accepts.
		for _, n := range []string{"2", "16000", "16384", "16400", "1000000", "1999998", "20"} {
			want(t, e, "a", "big "+n, "big "+n+" "+n)
		}
		for _, n := range []int{0, 1, 15000, 17000, 2 << 20, 5 << 20, 10} {
			text := strings.Repeat("x", n)
			want(t, e, "a", "echo "+text, text)
		}
	})
}

func TestEvents(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		for _, event := range []durable.Event{
			durable.SocketOpened{Conn: "d", URL: "/x?y=%20"},
			durable.SocketMessage{Conn: "d", Binary: true, Data: []byte{1, 2}},
			durable.SocketClosed{Conn: "d", Code: 1006},
			durable.AlarmFired{},
			durable.TimerFired{Timer: "t"},
			durable.FetchResponded{Fetch: "f", Status: 200, Header: map[string]string{"b": "2", "a": "1"}},
			durable.FetchChunk{Fetch: "f", Data: []byte("bytes")},
			durable.FetchEnded{Fetch: "f"},
			durable.FetchFailed{Fetch: "f", Error: "broke off"},
		} {
			if _, err := try(e, "a", event); err != nil {
				t.Errorf("%T: %v", event, err)
			}
		}
		if _, err := try(e, "a", durable.RequestReceived{Request: "r", Method: "GET", URL: "/seen", Body: []byte{}}); err != nil {
			t.Error(err)
		}
		for _, word := range []string{"timer 5", "alarm 5", "fetch http://x/", "close"} {
			tell(t, e, "a", word)
		}
		if got := strings.Count(tell(t, e, "a", "seen"), "\n"); got != 9 {
			t.Errorf("events seen: got %d, want 9", got)
		}
	})
}

func TestRandomness(t *testing.T) {
	said := map[string]bool{}
	both(t, func(t *testing.T, e engine) {
		first, second := tell(t, e, "a", "random"), tell(t, e, "a", "random")
		if first == second {
			t.Errorf("the same twice: %q", first)
		}
		said[first] = true
	})
	if len(said) != 1 {
		t.Errorf("one seed brought %d answers, want 1: %v", len(said), said)
	}
}

// TestTraps shows that a trapped event leaves no effect, and that only its own object is told the
// loss when it is opened again.
func TestTraps(t *testing.T) {
	const trap, memory = durable.LostByTrap, durable.LostByMemory
	for word, c := range map[string]struct {
		says string
		// given is the loss that the test puts into the next Opened. lost is the loss that the object
		// receives.
		given, lost durable.Loss
	}{
		"panic":    {"asked to", "", trap},
		"nil":      {"nil pointer dereference", "", trap},
		"exit":     {"3", "", trap},
		"deadlock": {"all goroutines are asleep", "", trap},
		"sleep":    {"tried to wait", "", trap},
		"sql":      {"nowhere", "", trap},
		"stack":    {"stack", trap, trap}, // wazero runs out of memory first
		"oom":      {"out of memory", "", memory},
	} {
		t.Run(word, func(t *testing.T) {
			both(t, func(t *testing.T, e engine) {
				want(t, e, "a", "count", "count 1 steps 2")
				want(t, e, "b", "count", "count 1 steps 2")
				said, err := try(e, "a", durable.SocketMessage{Conn: "c", Text: word})
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got error %v, want one that says %q", err, c.says)
				}
				if said != "" {
					t.Errorf("the commands of the trapped event came out: %q", said)
				}
				if said, err := after(e, "a", c.given, durable.SocketMessage{Conn: "c", Text: "count"}); err != nil || said != "count 2 steps 2" {
					t.Errorf("after the trap: got %q and error %v", said, err)
				}
				tell(t, e, "b", "count")
				want(t, e, "a", "lost", fmt.Sprintf("lost %q", c.lost))
				want(t, e, "b", "lost", `lost ""`)
				e.Evict("a")
				want(t, e, "a", "lost", `lost ""`)
			})
		})
	}
}

// TestTrapWhileOpening shows that the commands of a committed Opened are returned although the
// event after it trapped.
func TestTrapWhileOpening(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		commands, err := e.Step("a", 1, durable.Opened{Class: "Probe"}, durable.SocketMessage{Text: "panic"})
		if err == nil || len(commands) != 1 {
			t.Errorf("got %v and %v, want the opened object's log line and a trap", commands, err)
		}
		want(t, e, "a", "count", "count 1 steps 2")
	})
}

func TestRefusals(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		_, err := e.Step("a", 1, durable.Opened{Class: "Nobody"}, durable.AlarmFired{})
		if err == nil || !strings.Contains(err.Error(), `no class "Nobody"`) {
			t.Errorf("unknown class: got error %v", err)
		}
		want(t, e, "b", "count", "count 1 steps 2")
		want(t, e, "a", "count", "count 1 steps 2")
		if _, err := e.Step("a", 1, durable.Opened{}, durable.Opened{Class: "Probe"}); err == nil {
			t.Error("stepping with an Opened: got nil, want an error")
		}
		want(t, e, "a", "count", "count 2 steps 3")
	})
}

// TestCommits shows that an object whose commit fails continues from storage, and that the other
// objects of its instance lose nothing.
func TestCommits(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		want(t, e, "a", "count", "count 1 steps 2")
		want(t, e, "b", "count", "count 1 steps 2")
		if said, err := try(e, "a", durable.SocketMessage{Conn: "c", Text: "orphan"}); err == nil || said != "" {
			t.Errorf("got %q and error %v, want nothing but an error", said, err)
		}
		want(t, e, "a", "count", "count 2 steps 2")
		want(t, e, "b", "count", "count 2 steps 3")
	})
}

// TestCommitWhileOpening shows that an object can be opened after the commit of an Opened has
// failed.
func TestCommitWhileOpening(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		opened := durable.Opened{Class: "Probe", Vars: map[string]string{"OPENED": "orphan"}}
		commands, err := e.Step("a", 1, opened, durable.AlarmFired{})
		if err == nil || len(commands) != 0 {
			t.Errorf("got %v and error %v, want nothing but an error", commands, err)
		}
		want(t, e, "a", "count", "count 1 steps 2")
	})
}

func TestMemory(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		want(t, e, "a", "count", "count 1 steps 2")
		e.Evict("a")
		e.Evict("nobody")
		want(t, e, "a", "count", "count 2 steps 2")
		if err := e.Restart(); err != nil {
			t.Fatal(err)
		}
		want(t, e, "a", "count", "count 3 steps 2")
		// A busy object stays in an instance whose memory has grown.
		tell(t, e, "a", "busy 1")
		want(t, e, "a", "hold 40000000", "holding 40000000")
		want(t, e, "a", "count", "count 4 steps 5")
		tell(t, e, "a", "busy 0")
		want(t, e, "a", "count", "count 5 steps 2")
	})
}

// TestIdleObjectsAreDroppedToFreeMemory shows that the module drops idle objects when the objects
// of an instance hold more than 16 MiB together.
func TestIdleObjectsAreDroppedToFreeMemory(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		shared := strings.Contains(t.Name(), "one_instance")
		tell(t, e, "a", "hold 9000000")
		tell(t, e, "b", "hold 9000000")
		want(t, e, "b", "count", "count 1 steps 3")
		kept := map[bool]string{true: "count 1 steps 2", false: "count 1 steps 3"}
		want(t, e, "a", "count", kept[shared])
	})
}

// TestCosts shows that both hosts answer the same costs: of the object that asks and of those below
// it, from when each came into memory, and without what the questions themselves use. The costs of a
// helper stay while its root is in memory.
func TestCosts(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		want(t, e, "a", "count", "count 1 steps 2")
		want(t, e, "a/1", "count", "count 1 steps 2")
		want(t, e, "ab", "count", "count 1 steps 2")
		own := tell(t, e, "a", "cost")
		want(t, e, "a", "cost", strings.Replace(own, " 9 up", " 13 up", 1))
		if !strings.HasPrefix(own, `"" 1700000000000: `) || strings.Count(own, "\n") != 2 || !strings.Contains(own, "\n"+`"1" 1700000000000: `) {
			t.Errorf("got %s", own)
		}
		_, helper, _ := strings.Cut(own, "\n")
		e.Evict("a/1")
		if got := tell(t, e, "a", "cost"); !strings.HasSuffix(got, "\n"+helper) {
			t.Errorf("with a helper that sleeps: got %s, want %s", got, helper)
		}
		if e.Awake("a/1") {
			t.Error("the question has woken it")
		}
		if _, err := try(e, "a", durable.SocketMessage{Conn: "c", Text: "panic"}); err == nil {
			t.Error("got no trap")
		}
		// The row of the trapped event was rolled back, but it was written.
		if got := tell(t, e, "a", "cost"); !strings.HasPrefix(got, `"" 1700000000000: 13 statements, 1 read, 2 written, `) {
			t.Errorf("after a trap: got %s", got)
		}
		e.Evict("a")
		if got := tell(t, e, "a", "cost"); strings.Count(got, "\n") != 1 {
			t.Errorf("after a sleep: got %s", got)
		}
	})
}
