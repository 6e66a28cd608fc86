package sdk_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// world is one object of the built module, and the network that its fetches go to.
type world struct {
	t      *testing.T
	engine durabletest.Engine
	now    int64
	mock   string
	// due are the events that follow from the object's commands.
	due []durable.Event
	// alarm is when the alarm goes off, or 0.
	alarm int64
	// said are all frames that the browser was sent.
	said []string
	// asked counts the requests. All of them must go to origin. At the request with the number lose,
	// the object loses its memory.
	origin      string
	asked, lose int
}

// tell delivers an event, and then all events that follow from it.
func (w *world) tell(event durable.Event) {
	w.t.Helper()
	w.due = append(w.due, event)
	for len(w.due) > 0 {
		event, w.due = w.due[0], w.due[1:]
		opened := durable.Opened{Class: "Asker", Name: "room", Conns: []durable.ConnID{"a"}, Secrets: []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY"}}
		commands, err := w.engine.Step("room", w.now, opened, event)
		if err != nil {
			w.t.Fatalf("%T: %v", event, err)
		}
		for _, c := range commands {
			w.perform(c)
		}
	}
}

func (w *world) perform(c durable.Command) {
	switch c := c.(type) {
	case durable.Send:
		w.said = append(w.said, c.Text)
	case durable.StartTimer:
		w.now += c.After
		w.due = append(w.due, durable.TimerFired{Timer: c.Timer})
	case durable.SetAlarm:
		w.alarm = c.At
	case durable.Fetch:
		w.fetch(c)
	}
}

// fetch sends a request to the mock instead of its host, and queues the events of the response. If
// this is the request to lose, the object loses its memory instead.
func (w *world) fetch(c durable.Fetch) {
	r, err := http.NewRequestWithContext(context.Background(), c.Method, c.URL, bytes.NewReader(c.Body))
	if err != nil {
		w.t.Fatal(err)
	}
	if r.URL.Host != w.origin {
		w.t.Fatalf("a request goes to %s, not to %s", r.URL.Host, w.origin)
	}
	if w.asked++; w.asked == w.lose {
		w.engine.Evict("room")
		return
	}
	for _, h := range c.Header {
		r.Header.Add(h.Name, h.Value+strings.ToLower(h.Secret))
	}
	r.URL.Scheme, r.URL.Host = "http", w.mock
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	header := map[string]string{}
	for name := range answer.Header {
		header[strings.ToLower(name)] = answer.Header.Get(name)
	}
	w.due = append(w.due, durable.FetchResponded{Fetch: c.Fetch, Status: answer.StatusCode, Header: header},
		durable.FetchChunk{Fetch: c.Fetch, Data: body}, durable.FetchEnded{Fetch: c.Fetch})
}

// wake fires the object's alarm.
func (w *world) wake() {
	w.t.Helper()
	if w.alarm == 0 {
		w.t.Fatal("no alarm is set")
	}
	w.now = max(w.now, w.alarm)
	w.tell(durable.AlarmFired{})
}
