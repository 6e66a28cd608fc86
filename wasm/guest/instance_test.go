package guest

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// stub answers each event with a log line. Its size in bytes is the length of a timer's name. A
// name in capitals makes it busy.
type stub struct {
	load    durable.Load
	dropped bool
}

func (s *stub) Step(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.TimerFired:
		s.load = durable.Load{Bytes: len(e.Timer), Busy: e.Timer != "" && e.Timer == strings.ToUpper(e.Timer)}
	case durable.AlarmFired:
		panic("asked to")
	}
	tx.Log(durable.Info, reflect.TypeOf(event).Name())
}

func (s *stub) Load() durable.Load { return s.load }

func (s *stub) Drop() { s.dropped = true }

func newInstance() *Instance {
	return NewInstance(Ports{}, 10, durable.Class{Name: "Stub", New: func() durable.Object { return &stub{} }})
}

func decode(t *testing.T, framed []byte) abi.Reply {
	t.Helper()
	if n := binary.LittleEndian.Uint32(framed); int(n) != len(framed)-4 {
		t.Fatalf("length %d before %d bytes", n, len(framed)-4)
	}
	r, err := abi.DecodeReply(framed[4:])
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t *testing.T, in *Instance, handle uint32) {
	t.Helper()
	r := decode(t, in.Open(handle, abi.Occurrence{Event: durable.Opened{Class: "Stub"}}.Encode()))
	if r.Status != abi.Done || len(r.Commands) != 1 {
		t.Fatalf("open: got %+v", r)
	}
}

func step(t *testing.T, in *Instance, handle uint32, event durable.Event) abi.Reply {
	t.Helper()
	return decode(t, in.Step(handle, abi.Occurrence{Event: event}.Encode()))
}

func TestStep(t *testing.T) {
	in := newInstance()
	if got := step(t, in, 1, durable.FetchEnded{}).Status; got != abi.Unopened {
		t.Errorf("before open: got status %d, want unopened", got)
	}
	open(t, in, 1)
	got := step(t, in, 1, durable.FetchEnded{})
	want := abi.Reply{Commands: []durable.Command{durable.Log{Level: durable.Info, Message: "FetchEnded"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	in.Close(1)
	in.Close(1)
	if got := step(t, in, 1, durable.FetchEnded{}).Status; got != abi.Unopened {
		t.Errorf("after close: got status %d, want unopened", got)
	}
}

func TestRefusals(t *testing.T) {
	in := newInstance()
	open(t, in, 1)
	opened := func(class string) []byte { return abi.Occurrence{Event: durable.Opened{Class: class}}.Encode() }
	event := abi.Occurrence{Event: durable.FetchEnded{}}.Encode()
	other := append([]byte(nil), event...)
	other[1] = abi.Version + 1
	for _, test := range []struct {
		name   string
		call   func(uint32, []byte) []byte
		handle uint32
		data   []byte
		want   string
	}{
		{"an unknown class", in.Open, 2, opened("Nobody"), `no class "Nobody"`},
		{"opened twice", in.Open, 1, opened("Stub"), "object 1 is open already"},
		{"open with another event", in.Open, 2, event, "open with durable.FetchEnded"},
		{"step with opened", in.Step, 1, opened("Stub"), "step with durable.Opened"},
		{"no bytes", in.Step, 1, nil, "malformed"},
		{"broken bytes", in.Open, 2, event[:3], "malformed"},
		{"another version", in.Step, 1, other, "the host speaks version 5"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := decode(t, test.call(test.handle, test.data))
			if got.Status != abi.Refused || !strings.Contains(got.Error, test.want) || got.Commands != nil {
				t.Errorf("got %+v, want a refusal with %q", got, test.want)
			}
		})
	}
}

func TestPanicIsNotRecovered(t *testing.T) {
	in := newInstance()
	open(t, in, 1)
	defer func() {
		if got := recover(); got != "asked to" {
			t.Errorf("got panic %v", got)
		}
	}()
	step(t, in, 1, durable.AlarmFired{})
}

func TestBusy(t *testing.T) {
	in := newInstance()
	open(t, in, 1)
	open(t, in, 2)
	for _, test := range []struct {
		handle uint32
		timer  string
		want   bool
	}{{1, "A", true}, {2, "b", false}, {1, "a", false}, {2, "B", true}} {
		if got := step(t, in, test.handle, durable.TimerFired{Timer: test.timer}).Busy; got != test.want {
			t.Errorf("%d %s: got busy %v, want %v", test.handle, test.timer, got, test.want)
		}
	}
	if step(t, in, 1, durable.FetchEnded{}).Busy {
		t.Error("busy for another object")
	}
}

// TestBudget shows which object is dropped when 10 bytes are exceeded: the least recently used one,
// but neither a busy one nor the one that just ran.
func TestBudget(t *testing.T) {
	in := newInstance()
	for handle := range uint32(4) {
		open(t, in, handle)
	}
	one := in.objects.byID[1].Value.(*entry).object.(*stub)
	step(t, in, 0, durable.TimerFired{Timer: "AAAA"})
	step(t, in, 1, durable.TimerFired{Timer: "bbbb"})
	step(t, in, 2, durable.TimerFired{Timer: "cc"})
	step(t, in, 3, durable.TimerFired{Timer: "ddd"})
	held := func(handle uint32) bool { return in.objects.byID[handle] != nil }
	if !one.dropped {
		t.Error("1 was not told that it is dropped")
	}
	if !held(0) || held(1) || !held(2) || !held(3) {
		t.Errorf("after 13 bytes: got %v %v %v %v, want only 1 dropped", held(0), held(1), held(2), held(3))
	}
	step(t, in, 2, durable.TimerFired{Timer: "cccccccccccc"})
	if !held(0) || !held(2) || held(3) {
		t.Errorf("after one that is too large alone: got %v %v %v, want only 3 dropped", held(0), held(2), held(3))
	}
}
