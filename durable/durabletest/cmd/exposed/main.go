// Command exposed serves the agent of the tests at http://127.0.0.1:PORT/agents/everything/x/mcp in this
// process, so that the conformance suite can be run without a platform. It is no host for anything
// else: it knows requests, timers and the alarm of one object.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/e2e/mcp/agents"
)

// host hosts the object.
type host struct {
	sync.Mutex
	engine   durabletest.Engine
	requests int
	waiting  map[string]*answer
	timers   map[string]*time.Timer
}

// answer is the answer to a request.
type answer struct {
	w    http.ResponseWriter
	done chan struct{}
}

func main() {
	address := "127.0.0.1:" + strings.Join(os.Args[1:], "")
	h := &host{engine: durabletest.NewNative(1, agents.Classes()...), waiting: map[string]*answer{}, timers: map[string]*time.Timer{}}
	fmt.Println("http://" + address + "/agents/everything/x/mcp")
	fmt.Fprintln(os.Stderr, http.ListenAndServe(address, h))
}

// ServeHTTP gives a request to the object, and waits until it is answered.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 2<<20))
	if err != nil {
		return
	}
	header := map[string]string{"host": r.Host}
	for name, values := range r.Header {
		header[strings.ToLower(name)] = values[0]
	}
	h.Lock()
	h.requests++
	name := fmt.Sprint("request-", h.requests)
	a := &answer{w: w, done: make(chan struct{})}
	h.waiting[name] = a
	h.happen(durable.RequestReceived{Request: name, Method: r.Method, URL: r.URL.RequestURI(), Header: header, Body: body})
	h.Unlock()
	select {
	case <-a.done:
	case <-r.Context().Done():
		h.Lock()
		defer h.Unlock()
		if h.waiting[name] == a {
			delete(h.waiting, name)
			h.happen(durable.StreamCancelled{Stream: name})
		}
	}
}

// happen has an event happen, and performs what the object commands.
func (h *host) happen(e durable.Event) {
	opened := durable.Opened{Class: "Everything", Name: "x", Vars: map[string]string{"TRIBUTARY_ENV": "development"}}
	commands, err := h.engine.Step("x", time.Now().UnixMilli(), opened, e)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	for _, c := range commands {
		h.perform(c)
	}
}

func (h *host) perform(c durable.Command) {
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
	case durable.StartTimer:
		h.start(c.Timer, c.After, durable.TimerFired{Timer: c.Timer})
	case durable.StopTimer:
		h.stop(c.Timer)
	case durable.SetAlarm:
		if h.stop("the alarm"); c.At > 0 {
			h.start("the alarm", c.At-time.Now().UnixMilli(), durable.AlarmFired{})
		}
	case durable.Log:
		fmt.Fprintln(os.Stderr, c.Message, c.Fields)
	}
}

// respond sends a part of an answer: its head if there is a status, and its body.
func (h *host) respond(request string, status int, header map[string]string, body []byte) {
	a := h.waiting[request]
	if a == nil {
		return
	}
	for name, value := range header {
		a.w.Header().Set(name, value)
	}
	if status > 0 {
		a.w.WriteHeader(status)
	}
	_, _ = a.w.Write(body) // a client that is gone is noticed by its request
	_ = http.NewResponseController(a.w).Flush()
}

func (h *host) end(request string) {
	if a := h.waiting[request]; a != nil {
		close(a.done)
		delete(h.waiting, request)
	}
}

func (h *host) start(timer string, after int64, e durable.Event) {
	h.stop(timer)
	var t *time.Timer
	t = time.AfterFunc(time.Duration(after)*time.Millisecond, func() {
		h.Lock()
		defer h.Unlock()
		if h.timers[timer] == t {
			delete(h.timers, timer)
			h.happen(e)
		}
	})
	h.timers[timer] = t
}

func (h *host) stop(timer string) {
	if t := h.timers[timer]; t != nil {
		t.Stop()
		delete(h.timers, timer)
	}
}
