package httphost

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// Config says what is hosted.
type Config struct {
	// Engine runs the object. The caller closes it behind [Host.Close].
	Engine durabletest.Engine
	// Class is the object's, and Name what it is addressed by.
	Class, Name string
	Vars        map[string]string
	// Transport sends the object's own requests. Nil sends them to the network.
	Transport http.RoundTripper
	// Log is told what the object logs, and the errors of its events. Nil drops them.
	Log func(words string)
}

// Host hosts an object. It is an [http.Handler].
type Host struct {
	config Config

	mu       sync.Mutex
	requests int
	waiting  map[string]*answer
	timers   map[string]*time.Timer
	fetches  map[string]func()
	closed   bool
}

// New returns the host of an object.
func New(c Config) *Host {
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	if c.Log == nil {
		c.Log = func(string) {}
	}
	return &Host{config: c, waiting: map[string]*answer{}, timers: map[string]*time.Timer{}, fetches: map[string]func(){}}
}

// Close ends everything that goes on. The object has no event any more.
func (h *Host) Close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.forget()
}

// Kill throws away the object's memory with all that goes on, as a process that dies does, and opens the
// object again.
func (h *Host) Kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.config.Engine.Evict(h.config.Name)
	h.forget()
	h.happen(nil)
}

// forget ends the timers, the fetches and the requests.
func (h *Host) forget() {
	for _, t := range h.timers {
		t.Stop()
	}
	for _, cancel := range h.fetches {
		cancel()
	}
	clear(h.timers)
	clear(h.fetches)
	for request := range h.waiting {
		h.end(request)
	}
}

// happen has an event happen, and performs what the object commands.
func (h *Host) happen(e durable.Event) {
	if h.closed {
		return
	}
	opened := durable.Opened{Class: h.config.Class, Name: h.config.Name, Vars: h.config.Vars}
	commands, err := h.config.Engine.Step(h.config.Name, time.Now().UnixMilli(), opened, e)
	if err != nil {
		h.config.Log(err.Error())
		h.forget()
	}
	for _, c := range commands {
		h.perform(c)
	}
}

func (h *Host) perform(c durable.Command) {
	switch c := c.(type) {
	case durable.Respond:
		h.respond(c.Request, c.Status, c.Header, c.Body)
		h.end(c.Request)
	case durable.Begin:
		h.respond(c.Request, c.Status, c.Header, nil)
	case durable.Emit:
		h.respond(c.Stream, 0, nil, c.Data)
	case durable.EndStream:
		h.end(c.Stream)
	case durable.Fetch:
		h.fetch(c)
	case durable.CancelFetch:
		if cancel := h.fetches[c.Fetch]; cancel != nil {
			cancel()
			delete(h.fetches, c.Fetch)
		}
	case durable.StartTimer:
		h.start(c.Timer, c.After, durable.TimerFired{Timer: c.Timer})
	case durable.StopTimer:
		h.stop(c.Timer)
	case durable.SetAlarm:
		if h.stop(alarm); c.At > 0 {
			h.start(alarm, max(c.At-time.Now().UnixMilli(), 0), durable.AlarmFired{})
		}
	case durable.Log:
		h.config.Log(fmt.Sprint(c.Message, " ", c.Fields))
	}
}

// alarm is the name of the timer of the alarm. No timer of an object has it.
const alarm = "the alarm"

func (h *Host) start(timer string, after int64, e durable.Event) {
	h.stop(timer)
	var t *time.Timer
	t = time.AfterFunc(time.Duration(after)*time.Millisecond, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.timers[timer] == t {
			delete(h.timers, timer)
			h.happen(e)
		}
	})
	h.timers[timer] = t
}

func (h *Host) stop(timer string) {
	if t := h.timers[timer]; t != nil {
		t.Stop()
		delete(h.timers, timer)
	}
}
