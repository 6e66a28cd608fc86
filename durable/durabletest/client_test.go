package durabletest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// desk answers requests as their URLs say, and says whose messages it gets.
type desk struct{ pages map[string]int }

func (*desk) Load() durable.Load { return durable.Load{} }

func (d *desk) Step(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.Opened:
		d.pages = map[string]int{}
	case durable.SocketMessage:
		tx.Do(durable.Send{To: []durable.ConnID{e.Conn}, Text: e.Claims})
	case durable.RequestReceived:
		d.receive(tx, e)
	case durable.StreamDrained:
		if d.pages[e.Stream]--; d.pages[e.Stream] == 0 {
			tx.Do(durable.EndStream(e))
			return
		}
		tx.Do(durable.Emit{Stream: e.Stream, Data: fmt.Appendf(nil, "page %d", d.pages[e.Stream])})
	case durable.StreamCancelled:
		tx.Log(durable.Info, "left", "request", e.Stream)
	}
}

func (d *desk) receive(tx *durable.Tx, e durable.RequestReceived) {
	switch e.URL {
	case "/who":
		tx.Do(durable.Respond{Request: e.Request, Status: 200, Body: []byte(e.Claims)})
	case "/twice":
		tx.Do(durable.Begin{Request: e.Request, Status: 200})
		tx.Do(durable.Begin{Request: e.Request, Status: 201})
		tx.Do(durable.Respond{Request: e.Request, Status: 202})
		tx.Do(durable.EndStream{Stream: e.Request})
	case "/trap":
		tx.Do(durable.Begin{Request: e.Request, Status: 200})
		panic("asked to")
	case "/pages":
		tx.Do(durable.Begin{Request: e.Request, Status: 200, Header: map[string]string{"a": "b"}})
		tx.Do(durable.Emit{Stream: e.Request, Data: []byte("first")})
		d.pages[e.Request] = 2
	default:
		tx.Do(durable.Begin{Request: e.Request, Status: 200})
	}
}

func TestClient(t *testing.T) {
	w := NewWorld(NewNative(1, durable.Class{Name: "Desk", New: func() durable.Object { return &desk{} }}), "Desk", "room")
	for _, step := range []struct {
		do   string
		want []string
	}{
		{"ask r GET /pages", []string{`begin r 200 a="b"`, "client: read r first", "client: read r page 1", "client: end r"}},
		{"ask s GET /twice", []string{"begin s 200 ", "client: end s"}},
		{"ask t GET /silent", []string{"begin t 200 "}},
		{"leave t", []string{`log info "left" request t`}},
		{"ask u GET /silent", []string{"begin u 200 "}},
		{"evict", []string{"client: broken u"}},
		{"ask v GET /silent", []string{"begin v 200 "}},
		{"ask x GET /trap", []string{"trap", "client: broken v"}},
		{"as {}", nil},
		{"ask w GET /who", []string{"respond w 200  {}"}},
		{"connect tab", nil},
		{"as", nil},
		{"evict", nil},
		{"frame tab hello", []string{"send tab {}"}},
		{"connect other", nil},
		{"frame other hello", []string{"send other "}},
	} {
		if err := w.Do(step.do); err != nil {
			t.Fatal(err)
		}
		if got := w.Take(); !slices.Equal(got, step.want) {
			t.Errorf("%s: got %q, want %q", step.do, got, step.want)
		}
	}
	if err := w.Do("leave nobody"); err == nil {
		t.Error("somebody has left who was not there")
	}
}
