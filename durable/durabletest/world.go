package durabletest

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// World is one object's surroundings: it delivers events, keeps what the
// object's commands have set up, and notes everything that is sent.
type World struct {
	engine Engine
	object string
	class  string
	vars   map[string]string
	secret []string

	now     int64
	conns   []durable.ConnID
	timers  map[string]int64
	alarm   int64
	fetches []string
	replies map[string]string

	out []string
}

// NewWorld returns a world around one object of a class.
func NewWorld(engine Engine, class, object string) *World {
	return &World{
		engine: engine, class: class, object: object, now: 1_700_000_000_000,
		vars: map[string]string{}, timers: map[string]int64{}, replies: map[string]string{},
	}
}

// deliver lets one event happen and performs what comes of it.
func (w *World) deliver(e durable.Event) {
	opened := durable.Opened{Class: w.class, Name: w.object, Conns: slices.Clone(w.conns), Vars: w.vars, Secrets: w.secret}
	if arriving, ok := e.(durable.SocketOpened); ok { // the object learns of it by this event
		opened.Conns = slices.DeleteFunc(opened.Conns, func(c durable.ConnID) bool { return c == arriving.Conn })
	}
	commands, err := w.engine.Step(w.object, w.now, opened, e)
	if err != nil {
		w.note("trap")
		w.forget()
		return
	}
	for _, c := range commands {
		w.perform(c)
	}
}

// forget loses what lives no longer than the object's in-memory part.
func (w *World) forget() {
	clear(w.timers)
	w.fetches = nil
}

func (w *World) evict() {
	w.engine.Evict(w.object)
	w.forget()
}

// crash takes the sockets too.
func (w *World) crash() {
	w.evict()
	w.conns = nil
}

// next returns when something falls due first, and what: a timer's name, or ""
// for the alarm.
func (w *World) next() (at int64, timer string, ok bool) {
	at, ok = w.alarm, w.alarm > 0
	for _, name := range slices.Sorted(maps.Keys(w.timers)) {
		if due := w.timers[name]; !ok || due < at {
			at, timer, ok = due, name, true
		}
	}
	return at, timer, ok
}

// tick lets the next thing that falls due by a time happen, and says whether
// there was one.
func (w *World) tick(until int64) bool {
	at, timer, ok := w.next()
	if !ok || at > until {
		return false
	}
	w.now = max(w.now, at)
	if timer == "" {
		w.alarm = 0
		w.deliver(durable.AlarmFired{})
		return true
	}
	delete(w.timers, timer)
	w.deliver(durable.TimerFired{Timer: timer})
	return true
}
