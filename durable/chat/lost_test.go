package chat_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// losing is an engine whose process dies after the commit of an event and before its commands are
// performed. It chooses the commands that are lost.
type losing struct {
	*durabletest.Native
	// lost says whether a command is lost. hit says that one was.
	lost func(durable.Command) bool
	hit  bool
	// dies counts down to the event at which the process dies. It is negative after that event. The
	// commands of the event are lost, unless it keeps them.
	dies  int
	keeps bool
	// every is asked whether all commands of an event are lost. It may be nil.
	every func() bool
	// claims are those of every frame of a browser, or "" to leave them as they are.
	claims string
}

func (l *losing) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	if m, ok := event.(durable.SocketMessage); ok && l.claims != "" {
		m.Claims = l.claims
		event = m
	}
	commands, err := l.Native.Step(object, at, opened, event)
	if weighs(commands) {
		if l.dies--; l.dies == -1 {
			l.hit = true
			if !l.keeps {
				return nil, err
			}
		}
	}
	if l.every != nil && len(commands) > 0 && l.every() {
		l.hit = true
		return nil, err
	}
	var kept []durable.Command
	for _, c := range commands {
		if l.lost != nil && l.lost(c) {
			l.hit = true
			continue
		}
		kept = append(kept, c)
	}
	return kept, err
}

func losingWorld(t *testing.T, class string) (*durabletest.World, *losing, func(...string) string) {
	engine := &losing{Native: durabletest.NewNative(1, chattest.Classes()...), dies: -1}
	w := durabletest.NewWorld(engine, class, "room")
	return w, engine, func(lines ...string) string {
		t.Helper()
		for _, line := range lines {
			if err := w.Do(line); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		return strings.Join(w.Take(), "\n")
	}
}

func isDelete(c durable.Command) bool { _, ok := c.(durable.DeleteFacet); return ok }

// TestWipedHelperIsWipedInTheNextLife loses the command that wipes the helper of a cleared
// conversation.
func TestWipedHelperIsWipedInTheNextLife(t *testing.T) {
	_, engine, do := losingWorld(t, "Boss")
	do("connect a", "say a R1 u1: Research otters", "run")
	engine.lost = isDelete
	do("clear a")
	engine.lost = nil
	if out := do("crash", "connect a"); strings.Count(out, "delete helper-1") != 1 {
		t.Errorf("the next life did not wipe the helper:\n%s", out)
	}
	if out := do("evict", "connect b", "evict", "connect c"); strings.Contains(out, "delete") {
		t.Errorf("what was wiped is wiped again:\n%s", out)
	}
}

// TestHelperKnowsTheUseOfItsSlot loses every wipe, also in the next life. The next run in the slot
// finds the old helper, and must not learn what that helper was asked.
func TestHelperKnowsTheUseOfItsSlot(t *testing.T) {
	_, engine, do := losingWorld(t, "Boss")
	do("connect a", "say a R1 u1: Research otters", "run")
	engine.lost = isDelete
	do("clear a", "crash", "connect a", "probe a p")
	engine.lost = nil
	out := do("say a R2 u2: Research seals", "run")
	if !engine.hit || !strings.Contains(out, "a helper that was to be wiped is still there") {
		t.Fatalf("there was no helper to be found:\n%.2000s", out)
	}
	id := regexp.MustCompile(`open tail/(\S+) helper-1`).FindStringSubmatch(out)[1]
	told := do("get /agents/boss/room/sub/helper/" + id + "/get-messages")
	if !strings.Contains(told, "seals") || strings.Contains(told, "otters") {
		t.Errorf("the helper knows what was cleared:\n%s", told)
	}
	if !strings.Contains(out, `"id":"R2","body":"","done":true`) {
		t.Errorf("the run came to no end:\n%.2000s", out)
	}
}

// TestHelperOfAnEarlierUseIsWipedByACancellation loses every wipe. The next run in the slot is
// cancelled before the old helper hears of it. A tab that looks at the run arrives even earlier.
func TestHelperOfAnEarlierUseIsWipedByACancellation(t *testing.T) {
	_, engine, do := losingWorld(t, "Boss")
	do("connect a", "say a R1 u1: Research otters", "run")
	engine.lost = isDelete
	do("clear a", "crash", "connect a", "probe a p")
	engine.lost = nil
	out := do("say a R2 u2: Research seals", "hold", "tick 1s")
	id := regexp.MustCompile(`open tail/(\S+) helper-1`).FindStringSubmatch(out)[1]
	do("cancel a R2", "drill b helper "+id, "arrive helper-1:drill/b")
	if out := do("arrive :drill/b"); !engine.hit || !strings.Contains(out, "close b 1012") {
		t.Errorf("the tab stays with the old helper:\n%s", out)
	}
	do("arrive helper-1:cancel/" + id)
	if out := do("arrive :cancel/" + id); !strings.Contains(out, "delete helper-1") || !strings.Contains(out, "call cancel/"+id) {
		t.Errorf("the old helper is not wiped, or the new one not told:\n%s", out)
	}
	out = do("release", "run", "get /agents/boss/room/sub/helper/"+id+"/get-messages")
	if !strings.Contains(out, "respond http 200") || strings.Contains(out, "otters") || strings.Contains(out, "seals") {
		t.Errorf("the helper has begun what was cancelled:\n%s", out)
	}
}

// weighs says whether commands do anything but write to browsers, streams or the log, or set
// timers.
func weighs(commands []durable.Command) bool {
	return slices.ContainsFunc(commands, func(c durable.Command) bool {
		switch c.(type) {
		case durable.Send, durable.Log, durable.StartTimer, durable.StopTimer, durable.Emit:
			return false
		}
		return true
	})
}

// TestNoLostCommandIsMissed loses the commands of each event of a conversation in turn, and
// connects a tab afterwards. Whatever was lost, the conversation comes to the same end: a helper
// was asked, a person approved, the model was told, and nothing is armed or overdue.
func TestNoLostCommandIsMissed(t *testing.T) {
	for n := 0; conversesThough(t, n); n++ {
	}
}

// conversesThough runs a conversation that loses the commands of the nth event for which [weighs]
// is true. It says whether there were that many events.
func conversesThough(t *testing.T, n int) bool {
	w, engine, do := losingWorld(t, "Asker")
	w.Hold(func(durabletest.HandledEvent) {})
	engine.dies = n
	said := ""
	rest := func() {
		for range 2000 {
			lanes := w.Lanes()
			_, due := w.Due()
			switch {
			case engine.hit:
				engine.hit = false
				w.Crash()
				said += do("connect again")
			case len(lanes) > 0:
				w.Deliver(lanes[0])
			case due:
				w.Tick()
			default:
				return
			}
			said += strings.Join(w.Take(), "\n")
		}
		t.Fatalf("loss %d: it does not come to rest", n)
	}
	do("connect a")
	said += do("say a R1 u1: Compare otters and seals")
	rest()
	call := askedFor.FindStringSubmatch(said)
	if call == nil {
		t.Fatalf("loss %d: nobody was asked", n)
	}
	do("connect b", "approve b "+call[1])
	rest()
	reached := engine.dies < 0
	engine.dies = -1
	shown := do("get /agents/asker/room/get-messages")
	if strings.Count(shown, `"output-available"`) != 1 || !strings.Contains(shown, "Here is what came back") {
		t.Errorf("loss %d: the conversation did not come to its end\n%s", n, shown)
	}
	if held := w.Holding(); len(held) > 0 {
		t.Errorf("loss %d: it holds %v", n, held)
	}
	return reached
}

var askedFor = regexp.MustCompile(`tool-approval-request[^}]*toolCallId\\*":\\*"(call_[^"\\]+)`)

// TestHelperThatLostItsRunEndsIt deletes everything that a helper knows. Otherwise the parent would
// ask for its run for ever.
func TestHelperThatLostItsRunEndsIt(t *testing.T) {
	w, engine, do := losingWorld(t, "Boss")
	do("connect a", "say a R1 u1: Research otters", "tick 300ms")
	query(t, engine.Native, w.Object("helper-1"), `DELETE FROM task`)
	w.Evict("helper-1")
	out := do("evict", "tick 1m")
	for _, want := range []string{"the helper knows nothing of its run", `"id":"R1","body":"","done":true`} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q in\n%.3000s", want, out)
		}
	}
}
