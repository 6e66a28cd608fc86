package chat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/internal/draw"
)

// This file loses memory before each event of a run that is paused, resumed or restarted.

// lossy is a control that loses the memory of one object, or all of it, before an event.
type lossy struct {
	*control
	engine *losing
	// loss is the slot that loses its memory, "crash", or "commands": the process dies between the
	// commit of an event and its commands. n is the event.
	loss   string
	n      int
	events int
	// reached says that there were that many events.
	reached bool
	// serving says that the server answers, with the last part of the URL.
	serving bool
}

func newLossy(t *testing.T, loss string, n int) *lossy {
	t.Helper()
	classes := chattest.Classes()
	for _, a := range []agent.Agent{controller, patient, listener, idle, relay, stepper} {
		classes = append(classes, chattest.Class(a))
	}
	engine := &losing{Native: durabletest.NewNative(1, classes...), dies: -1}
	t.Cleanup(func() { engine.Close() })
	w := durabletest.NewWorld(engine, "Controller", "room")
	return &lossy{control: &control{t: t, w: w, made: map[string]int{}}, engine: engine, loss: loss, n: n}
}

// lossesBegin begins the losses.
func (l *lossy) lossesBegin() {
	l.w.Hold(func(durabletest.HandledEvent) {})
	if l.loss == "commands" {
		l.engine.dies = l.n
	} else if l.n == 0 {
		l.lose()
	}
}

func (l *lossy) lose() {
	l.reached = true
	switch l.loss {
	case "crash":
		l.w.Crash()
	case "commands":
	default:
		l.w.Evict(l.loss)
	}
}

// event counts an event that has passed.
func (l *lossy) event() {
	l.t.Helper()
	l.take()
	if l.engine.hit {
		l.engine.hit, l.reached = false, true
		l.w.Crash()
		l.do("connect again") // the alarm may be lost, too
	}
	if l.events++; l.loss != "commands" && l.events == l.n {
		l.lose()
	}
}

// rest lets everything happen that happens within two minutes.
func (l *lossy) rest() {
	l.t.Helper()
	until := l.w.Now() + 120_000
	for range 2000 {
		lanes := l.w.Lanes()
		at, due := l.w.Due()
		switch {
		case len(lanes) > 0:
			l.w.Deliver(lanes[0])
		case l.serving && l.serveNext():
		case due && at <= until:
			l.w.Tick()
		default:
			return
		}
		l.event()
	}
	l.t.Fatalf("%s, loss %d: it does not come to rest", l.loss, l.n)
}

// serveNext answers the oldest request, if there is one.
func (l *lossy) serveNext() bool {
	l.t.Helper()
	url := ""
	for i := len(l.out) - 1; i >= 0 && url == ""; i-- {
		if found := fetched.FindStringSubmatch(l.out[i]); found != nil {
			url = found[1]
		}
	}
	if l.w.Do("respond 200") != nil {
		return false
	}
	for _, line := range []string{"data " + strings.TrimPrefix(url, "https://server.test/"), "end"} {
		l.event()
		if l.w.Do(line) != nil { // the request was lost
			return true
		}
	}
	return true
}

// until calls a method until a run has a status. The answer may be lost, and so may the call.
func (l *lossy) until(id string, want func(run.Status) bool, method string, args ...any) {
	l.t.Helper()
	for range 5 {
		if strings.HasPrefix(l.tell(method, args...), "!") && !want(l.statusOf(id)) {
			break
		}
		l.rest()
		if want(l.statusOf(id)) {
			return
		}
	}
	l.t.Fatalf("%s, loss %d: %s brings the run to %s", l.loss, l.n, method, l.statusOf(id))
}

// tell is [control.call] whose answer may be lost.
func (l *lossy) tell(method string, args ...any) string {
	l.t.Helper()
	defer l.event()
	l.w.Do("connect teller")
	l.event()
	result, _ := l.ask(method, args...)
	return result
}

// statusOf returns the status of a run, or "". Nothing is lost by it.
func (l *lossy) statusOf(id string) run.Status {
	l.t.Helper()
	dies := l.engine.dies
	l.engine.dies = -1
	defer func() { l.engine.dies = dies }()
	if _, ok := l.ask("run", id); !ok {
		return ""
	}
	return l.info(id).Status
}

func is(s run.Status) func(run.Status) bool { return func(have run.Status) bool { return have == s } }

// finish compares the run and what the handler was told.
func (l *lossy) finish(id, summary, ends string) {
	l.t.Helper()
	l.loss, l.engine.dies = "over", -1
	if r := l.info(id); r.Status != run.Completed || r.Summary != summary {
		l.t.Errorf("loss %d: the run is %s: %q %s", l.n, r.Status, r.Summary, r.Failure)
	}
	if got := l.call("ends"); got != ends {
		l.t.Errorf("loss %d: the handler was told %s, want %s", l.n, got, ends)
	}
	if held := l.w.Holding(); len(held) > 0 {
		l.t.Errorf("loss %d: in the end there is %v", l.n, held)
	}
}

// TestLossesBetweenAllEventsOfAPause pauses a run with helpers of its own and resumes it after an
// hour.
func TestLossesBetweenAllEventsOfAPause(t *testing.T) {
	for _, loss := range []string{"", "helper-1", "helper-1/helper-1", "crash", "commands"} {
		t.Run("of "+loss, func(t *testing.T) {
			for n := range draw.Moments(t) {
				if !pauseThough(t, loss, n) || t.Failed() {
					break
				}
			}
		})
	}
}

func pauseThough(t *testing.T, loss string, n int) bool {
	t.Helper()
	l := newLossy(t, loss, n)
	l.do("connect a")
	l.must("begin", errand{ID: "r", Class: "Relay"})
	l.do("tick 1s")
	l.lossesBegin()
	l.until("r", is(run.Paused), "pause", "r", "lunch")
	l.serving = true
	l.rest()
	if held := l.w.Holding(); len(held) > 0 {
		t.Errorf("%s, loss %d: the pause holds %v", loss, n, held)
	}
	l.w.Advance(l.w.Now() + time.Hour.Milliseconds())
	l.rest()
	if got := l.statusOf("r"); got != run.Paused {
		t.Fatalf("%s, loss %d: after an hour the run is %s", loss, n, got)
	}
	l.until("r", is(run.Completed), "resume", "r")
	l.rest()
	l.finish("r", "answer, rested", `["r completed"]`)
	return l.reached
}

// TestLossesBetweenAllEventsOfARestart restarts a run from the third of its steps.
func TestLossesBetweenAllEventsOfARestart(t *testing.T) {
	for _, loss := range []string{"", "helper-1", "helper-2", "crash", "commands"} {
		t.Run("of "+loss, func(t *testing.T) {
			for n := range draw.Moments(t) {
				if !restartThough(t, loss, n) || t.Failed() {
					break
				}
			}
		})
	}
}

func restartThough(t *testing.T, loss string, n int) bool {
	t.Helper()
	l := newLossy(t, loss, n)
	l.do("connect a")
	l.must("begin", errand{ID: "r", Class: "Stepper"})
	l.do("tick 1s")
	l.parts("200", "200", "200", "500")
	clear(l.made)
	l.lossesBegin()
	l.serving = true
	l.until("r.1", is(run.Completed), "restart", "r", map[string]string{"from": "part 3"})
	l.rest()
	for part := 1; part <= 2; part++ {
		if got := l.made[fmt.Sprintf("https://server.test/part%d", part)]; got != 0 {
			t.Errorf("%s, loss %d: part %d was asked for %d times", loss, n, part, got)
		}
	}
	l.finish("r.1", "0 1 p p p rested", `["r error","r.1 completed"]`)
	return l.reached
}
