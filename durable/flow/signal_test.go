package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

const inbox = "run-1"

// signalled is a world whose routine has an inbox. After every action its memory may be lost.
type signalled struct {
	*world
	evicting bool
	sent     int64
}

func openSignalled(t *testing.T, evicting bool, code flow.Func) *signalled {
	w := &signalled{world: open(t), evicting: evicting}
	w.code = code
	w.begin()
	return w
}

func (w *signalled) begin() {
	w.routine = flow.Start(w.tx, routine, "the program test", w.code, flow.Options{Inbox: inbox})
}

// pause loses the memory, if this world does.
func (w *signalled) pause() {
	if w.evicting {
		w.routine.Drop()
		w.begin()
	}
}

// send delivers signals, of the form "name payload", in one batch.
func (w *signalled) send(signals ...string) {
	w.pause()
	w.quietly(signals...)
	w.routine.Resume(w.tx)
	w.pause()
}

func (w *signalled) quietly(signals ...string) {
	var batch []flow.Incoming
	for _, s := range signals {
		w.sent++
		name, payload, _ := strings.Cut(s, " ")
		batch = append(batch, flow.Incoming{N: w.sent, ID: "s" + strconv.FormatInt(w.sent, 10), Name: name, Payload: json.RawMessage(payload), At: w.tx.Now, From: "me"})
	}
	flow.Deliver(w.tx, inbox, batch)
}

func (w *signalled) keeps(want ...int64) {
	w.t.Helper()
	if got := flow.Unreceived(w.tx, inbox, 0); !slices.Equal(got, want) {
		w.t.Errorf("kept are %v, want %v", got, want)
	}
}

// bothWays runs a test with and without the loss of memory between all events.
func bothWays(t *testing.T, code flow.Func, test func(w *signalled)) {
	t.Helper()
	for _, evicting := range []bool{false, true} {
		t.Run(fmt.Sprint("evicted ", evicting), func(t *testing.T) { test(openSignalled(t, evicting, code)) })
	}
}

// receiveAll receives n signals of a name, and returns their payloads.
func receiveAll(c *flow.Context, name string, n int) ([]int, error) {
	var all []int
	for range n {
		s, err := flow.Receive[int](c, name)
		if err != nil {
			return all, err
		}
		all = append(all, s.Payload)
	}
	return all, nil
}

func TestReceiveWaitsForASignal(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		s, err := flow.Receive[map[string]int](c, "go")
		if err != nil {
			return nil, err
		}
		return json.Marshal(s)
	}, func(w *signalled) {
		if !w.routine.Receives() {
			t.Error("the code does not wait for a signal")
		}
		w.send(`other 1`)
		w.keeps(1)
		w.send(`go {"n":2}`)
		w.wants(`{"ID":"s2","Payload":{"n":2},"At":"2023-11-14T22:13:20Z","From":"me"}`)
		w.keeps(1)
		if got, want := flow.InboxOf(w.tx, inbox), (flow.Inbox{Last: 2, Received: 1, ReceivedBytes: 7}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	})
}

// TestSignalsAreReceivedInOrderAndOnce sends some before anybody waits, some in one batch with
// others, and all of them again.
func TestSignalsAreReceivedInOrderAndOnce(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		if err := flow.Sleep(c, hour); err != nil {
			return nil, err
		}
		a, err := receiveAll(c, "a", 4)
		if err != nil {
			return nil, err
		}
		b, err := receiveAll(c, "b", 2)
		if err != nil {
			return nil, err
		}
		return json.Marshal(append(a, b...))
	}, func(w *signalled) {
		w.send("a 1", "b 2", "a 3")
		w.keeps(1, 2, 3)
		w.pause()
		w.pass(hour)
		w.keeps(2)
		w.sent = 0 // the owner has lost the answer
		w.send("a 1", "b 2", "a 3", "b 4")
		w.send("a 5")
		w.keeps(2, 4)
		w.send("a 6")
		w.wants("[1,3,5,6,2,4]")
		w.keeps()
	})
}

// TestOldestReceiveGetsTheSignal has three branches wait for one name.
func TestOldestReceiveGetsTheSignal(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		branch := func(name string) *flow.Branch[string] {
			return flow.Go(c, name, func() (string, error) {
				s, err := flow.Receive[int](c, "go")
				return fmt.Sprint(name, s.Payload), err
			})
		}
		got, err := flow.All(branch("a"), branch("b"), branch("c"))
		if err != nil {
			return nil, err
		}
		return json.Marshal(got)
	}, func(w *signalled) {
		w.send("go 1")
		w.send("go 2", "go 3")
		w.wants(`["a1","b2","c3"]`)
	})
}

// TestReceiveWithinALimitLeavesTheSignal is over before the signal comes, which the next Receive
// gets.
func TestReceiveWithinALimitLeavesTheSignal(t *testing.T) {
	code := func(c *flow.Context) (json.RawMessage, error) {
		_, err := flow.Within(c, hour, func() (int, error) {
			s, err := flow.Receive[int](c, "go")
			return s.Payload, err
		})
		if err != nil && !errors.Is(err, flow.ErrTimeout) {
			return nil, err
		}
		if err := flow.Sleep(c, hour); err != nil {
			return nil, err
		}
		s, failed := flow.Receive[int](c, "go")
		return json.RawMessage(fmt.Sprintf(`"%v %v"`, errors.Is(err, flow.ErrTimeout), s.Payload)), failed
	}
	t.Run("too late", func(t *testing.T) {
		bothWays(t, code, func(w *signalled) {
			w.pass(hour)
			w.send("go 7")
			w.keeps(1)
			w.pass(hour)
			w.wants(`"true 7"`)
		})
	})
	t.Run("in time", func(t *testing.T) {
		bothWays(t, code, func(w *signalled) {
			w.send("go 6")
			w.pass(hour)
			w.send("go 7")
			w.wants(`"false 7"`)
		})
	})
	// The limit is over in the journal, and the code has not gone on yet: it may be quarantined.
	t.Run("in between", func(t *testing.T) {
		bothWays(t, code, func(w *signalled) {
			w.tx.Now += hour.Milliseconds()
			for _, due := range durable.TakeDue(w.tx) {
				flow.Wake(w.tx, due.ID)
			}
			w.quietly("go 7")
			w.pause()
			w.routine.Resume(w.tx)
			w.keeps(1)
			w.pass(hour)
			w.wants(`"true 7"`)
		})
	})
}

// TestFirstTakesOneSignal sends signals for both branches in one batch. The branch that is cancelled
// takes none.
func TestFirstTakesOneSignal(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		receive := func(name string) *flow.Branch[string] {
			return flow.Go(c, name, func() (string, error) {
				s, err := flow.Receive[string](c, name)
				return name + s.Payload, err
			})
		}
		won, err := flow.First(receive("a"), receive("b"))
		if err != nil {
			return nil, err
		}
		if err := flow.Sleep(c, hour); err != nil {
			return nil, err
		}
		s, err := flow.Receive[string](c, "a")
		return json.RawMessage(`"` + won + s.Payload + `"`), err
	}, func(w *signalled) {
		w.send(`b "1"`, `a "2"`)
		w.keeps(2)
		w.pass(hour)
		w.wants(`"b12"`)
	})
}

func TestCancelledBranchLeavesTheSignal(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		b := flow.Go(c, "b", func() (int, error) {
			s, err := flow.Receive[int](c, "go")
			return s.Payload, err
		})
		if err := flow.Sleep(c, time.Minute); err != nil {
			return nil, err
		}
		b.Cancel()
		if _, err := b.Wait(); !errors.Is(err, flow.ErrCancelled) {
			return nil, fmt.Errorf("the branch ended with %w", err)
		}
		s, err := flow.Receive[int](c, "go")
		return json.RawMessage(strconv.Itoa(s.Payload)), err
	}, func(w *signalled) {
		w.pass(time.Minute)
		w.send("go 3")
		w.wants("3")
	})
}

// TestPayloadThatDoesNotFit is an error for the code, and the next signal is received.
func TestPayloadThatDoesNotFit(t *testing.T) {
	bothWays(t, func(c *flow.Context) (json.RawMessage, error) {
		s, err := flow.Receive[int](c, "go")
		if err == nil || s.ID != "s1" {
			return nil, fmt.Errorf("received %+v, %w", s, err)
		}
		words := err.Error()
		next, err := flow.Receive[int](c, "go")
		return json.RawMessage(fmt.Sprintf("%q", fmt.Sprint(words[:30], next.Payload))), err
	}, func(w *signalled) {
		w.send(`go "text"`)
		w.send(`go 4`)
		w.wants(`"the payload of the signal go, 4"`)
	})
}

func TestReceiveRefusals(t *testing.T) {
	for _, name := range []string{"", strings.Repeat("x", 129), "a\nb", "\xff"} {
		w := openSignalled(t, false, func(c *flow.Context) (json.RawMessage, error) {
			_, err := flow.Receive[int](c, name)
			return nil, err
		})
		_, err, _ := w.routine.Done()
		wantWords(t, err, "the name of a signal has 1 to 128 bytes of text without control characters")
	}
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		_, err := flow.Receive[int](c, "go")
		return nil, err
	})
	_, err, _ := w.routine.Done()
	wantWords(t, err, "the tool test receives no signals")
}

// TestDroppedInbox keeps no signal, and still knows which have come.
func TestDroppedInbox(t *testing.T) {
	w := openSignalled(t, false, func(c *flow.Context) (json.RawMessage, error) { return []byte("1"), nil })
	w.send("a 1", "b 2")
	flow.DropInbox(w.tx, inbox)
	w.keeps()
	w.sent = 0
	w.send("a 1")
	w.keeps()
	if got := flow.InboxOf(w.tx, inbox); got.Last != 2 || got.Received != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestThousandSignalsAreReceived sends them one by one, to code that sleeps, and receives them.
func TestThousandSignalsAreReceived(t *testing.T) {
	const n = 1_000
	w := openSignalled(t, false, func(c *flow.Context) (json.RawMessage, error) {
		if err := flow.Sleep(c, hour); err != nil {
			return nil, err
		}
		all, err := receiveAll(c, "n", n)
		if err != nil {
			return nil, err
		}
		for i, v := range all {
			if v != i {
				return nil, fmt.Errorf("signal %d is %d", i, v)
			}
		}
		return json.Marshal(len(all))
	})
	for i := range n {
		w.send("n " + strconv.Itoa(i))
	}
	w.pass(hour)
	w.wants("1000")
}
