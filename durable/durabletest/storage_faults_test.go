package durabletest_test

import (
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// subject sets an alarm when a socket opens, fetches for a request, traps when its alarm goes off
// or on command, and answers everything else.
type subject struct{}

func (subject) Load() durable.Load { return durable.Load{} }

func (subject) Step(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.SocketOpened:
		tx.Do(durable.SetAlarm{At: tx.Now + 1_000})
		tx.Do(durable.Send{To: []durable.ConnID{e.Conn}, Text: "hello"})
	case durable.SocketMessage:
		if e.Text == "trap" {
			panic("on purpose")
		}
		tx.Do(durable.Send{To: []durable.ConnID{e.Conn}, Text: e.Text})
	case durable.RequestReceived:
		tx.Do(durable.Fetch{Fetch: e.Request})
	case durable.AlarmFired:
		panic("on purpose")
	}
}

func world(t *testing.T) *durabletest.World {
	t.Helper()
	engine := durabletest.NewNative(1,
		durable.Class{Name: "Subject", New: func() durable.Object { return subject{} }},
		durable.Class{Name: "Busy", New: func() durable.Object { return busy{} }})
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return durabletest.NewWorld(engine, "Subject", "room")
}

// TestAlarmIsGivenUp shows what the platform does with an alarm that fails.
func TestAlarmIsGivenUp(t *testing.T) {
	w := world(t)
	w.GiveUp()
	w.Tell(durable.SocketOpened{Conn: "a"})
	var waits []int64
	for w.Alarm() > 0 {
		waits = append(waits, w.Alarm()-w.Now())
		w.Tick()
	}
	if want := []int64{1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000}; !slices.Equal(waits, want) {
		t.Errorf("it is tried after %v ms, want %v and then no more", waits, want)
	}
}

// TestCommandsAreLost lets a process die after a commit.
func TestCommandsAreLost(t *testing.T) {
	w := world(t)
	w.Lose("", 1)
	var said []int
	w.Hold(func(h durabletest.HandledEvent) { said = append(said, len(h.Commands), h.Performed) })
	w.Tell(durable.SocketOpened{Conn: "a"})
	w.Tell(durable.SocketMessage{Conn: "a", Text: "hello"})
	if want := []int{2, 1, 1, 1}; !slices.Equal(said, want) || w.Alarm() == 0 {
		t.Errorf("said and performed is %v, want %v; the alarm is at %d", said, want, w.Alarm())
	}
}

// busy is never idle, and traps on command.
type busy struct{ subject }

func (busy) Load() durable.Load { return durable.Load{Busy: true} }

// TestDrainedInstanceEnds has a tree that has not trapped for ten minutes and is always busy. A
// minute later it loses its memory, and with it the work that it has begun.
func TestDrainedInstanceEnds(t *testing.T) {
	w := world(t)
	hello := durable.SocketMessage{Conn: "a", Text: "hello"}
	for range 2 {
		w.Tell(durable.SocketMessage{Conn: "a", Text: "trap"})
	}
	helper := w.Beside("Busy", "room/helper")
	var opened, besideOpened []bool
	w.Hold(func(h durabletest.HandledEvent) { opened = append(opened, h.Opened) })
	helper.Hold(func(h durabletest.HandledEvent) { besideOpened = append(besideOpened, h.Opened) })
	helper.Tell(durable.RequestReceived{Request: "begin"})
	for _, ms := range []int64{0, 600_000, 59_999, 1} {
		w.Advance(w.Now() + ms)
		w.Tell(hello)
	}
	if want := []bool{true, true, false, false}; !slices.Equal(opened, want) {
		t.Errorf("who rests is opened %v, want %v", opened, want)
	}
	if want := []bool{true, true}; !slices.Equal(besideOpened, want) {
		t.Errorf("who is busy is opened %v, want %v", besideOpened, want)
	}
	if held := helper.Holding(); len(held) > 0 {
		t.Errorf("who was opened anew holds %v", held)
	}
}

// TestContainment shows that an object that traps again no longer affects the other objects.
func TestContainment(t *testing.T) {
	w := world(t)
	beside := w.Beside("Subject", "beside")
	var opened []bool
	w.Hold(func(h durabletest.HandledEvent) { opened = append(opened, h.Opened) })
	hello := durable.SocketMessage{Conn: "a", Text: "hello"}
	w.Tell(hello)
	for _, ms := range []int64{0, 60_000, 59_999, 1, 599_999, 600_000, 1, 1} {
		w.Advance(w.Now() + ms)
		beside.Tell(durable.SocketMessage{Conn: "b", Text: "trap"})
		w.Tell(hello)
	}
	if want := []bool{true, true, true, true, false, false, true, true, false}; !slices.Equal(opened, want) {
		t.Errorf("the neighbour is opened %v, want %v", opened, want)
	}
}
