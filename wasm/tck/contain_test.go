package tck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

const (
	second = 1000
	minute = 60 * second
)

// isolate is the objects of one host, and the time in milliseconds.
type isolate struct {
	t   *testing.T
	e   engine
	now int64
}

// say sends a message to an object, which gets the variables if it is opened first.
func (i *isolate) say(object, text string, vars map[string]string) (string, error) {
	opened := durable.Opened{Class: "Probe", Name: object, Conns: []durable.ConnID{"c"}, Vars: vars}
	commands, err := i.e.Step(object, i.now, opened, durable.SocketMessage{Conn: "c", Text: text})
	var said string
	for _, c := range commands {
		if send, ok := c.(durable.Send); ok {
			said += send.Text
		}
	}
	return said, err
}

// trap makes an event of an object trap.
func (i *isolate) trap(object string) {
	i.t.Helper()
	if _, err := i.say(object, "panic", nil); err == nil {
		i.t.Fatalf("%s did not trap", object)
	}
}

// lives checks how many events an object's in-memory part has seen, including its Opened. A new
// part has seen two.
func (i *isolate) lives(object string, want int) {
	i.t.Helper()
	said, err := i.say(object, "count", nil)
	if _, steps, _ := strings.Cut(said, " steps "); err != nil || steps != fmt.Sprint(want) {
		i.t.Errorf("%s: got %q and error %v, want %d steps", object, said, err, want)
	}
}

// sharing runs a scenario on both hosts, where all objects begin in one instance.
func sharing(t *testing.T, scenario func(i *isolate)) {
	t.Helper()
	both(t, func(t *testing.T, e engine) {
		if !strings.Contains(t.Name(), "one_instance") {
			// Where each object has an instance of its own, there is nothing to contain.
			if _, err := try(e, "a", durable.SocketMessage{Conn: "c", Text: "count"}); err != nil {
				t.Error(err)
			}
			return
		}
		scenario(&isolate{t: t, e: e, now: 1_700_000_000_000})
	})
}

// TestContainment shows that an object which traps repeatedly costs a neighbour two lives, and that
// it returns to the shared instance after ten minutes without a trap.
func TestContainment(t *testing.T) {
	sharing(t, func(i *isolate) {
		i.lives("neighbour", 2)
		for range 2 {
			i.trap("bad")
			i.lives("neighbour", 2)
			i.now += 59 * second
		}
		for n := range 20 {
			i.trap("bad")
			i.lives("bad", 2)
			i.lives("neighbour", 3+n)
			i.now += 9 * minute
		}
		i.now += minute
		i.lives("bad", 2) // back in the shared instance
		i.trap("bad")
		i.lives("neighbour", 2)
	})
}

// TestRareTrapsDoNotMoveAnObject shows that an object which traps once a minute is not moved.
func TestRareTrapsDoNotMoveAnObject(t *testing.T) {
	sharing(t, func(i *isolate) {
		for range 5 {
			i.lives("neighbour", 2)
			i.trap("unlucky")
			i.now += minute
		}
	})
}

// TestContainmentOfOpening shows that traps of the Opened count like any other.
func TestContainmentOfOpening(t *testing.T) {
	sharing(t, func(i *isolate) {
		open := func() {
			if _, err := i.say("bad", "count", map[string]string{"OPENED": "panic"}); err == nil {
				i.t.Fatal("it did not trap")
			}
		}
		i.lives("neighbour", 2)
		for range 2 {
			open()
			i.lives("neighbour", 2)
		}
		open()
		i.lives("neighbour", 3)
	})
}

// TestContainmentOfTrees shows that the traps of a tree's objects are counted together, and that
// the whole tree moves.
func TestContainmentOfTrees(t *testing.T) {
	sharing(t, func(i *isolate) {
		i.lives("neighbour", 2)
		i.trap("bad/1")
		i.trap("bad/2/1")
		i.lives("neighbour", 2)
		i.lives("bad", 2)
		i.trap("bad/3")
		i.lives("neighbour", 3)
		i.lives("bad", 2)
	})
}

// TestContainmentIsBounded shows that many objects that trap share a few instances, which no other
// object uses.
func TestContainmentIsBounded(t *testing.T) {
	sharing(t, func(i *isolate) {
		for n := range 4 {
			i.trap(fmt.Sprint("bad", n))
			i.trap(fmt.Sprint("bad", n))
			i.now += minute
		}
		i.lives("neighbour", 2)
		for n := range 4 {
			i.lives(fmt.Sprint("bad", n), 2)
		}
		i.trap("bad3")
		i.lives("bad0", 2) // it shares an instance with the fourth
		i.lives("bad1", 3)
		i.lives("bad2", 3)
		i.lives("neighbour", 3)
	})
}

// TestContainmentOfManyNames shows that one trap moves an object when the shared instance has died
// four times within a minute.
func TestContainmentOfManyNames(t *testing.T) {
	sharing(t, func(i *isolate) {
		for n := range 5 {
			i.trap(fmt.Sprint("bad", n))
		}
		i.lives("neighbour", 2)
		i.trap("bad4")
		i.lives("neighbour", 3)
		i.trap("bad3") // the second time
		i.lives("neighbour", 2)
		i.trap("bad3")
		i.lives("neighbour", 3)
	})
}

// TestGrowth shows when objects leave an instance whose memory has grown: an idle object at its
// next event, a busy one when it becomes idle, or after a minute.
func TestGrowth(t *testing.T) {
	const grow = "hold 33000000"
	for name, end := range map[string]func(i *isolate){
		"until it is at rest": func(i *isolate) {
			if _, err := i.say("busy", "busy 0", nil); err != nil {
				i.t.Error(err)
			}
		},
		"for a minute": func(i *isolate) {
			i.now += minute - 1
			i.lives("busy", 5)
			i.now++
		},
		"until the next memory has grown": func(i *isolate) {
			if _, err := i.say("other", grow, nil); err != nil {
				i.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			sharing(t, func(i *isolate) {
				i.lives("calm", 2)
				for _, order := range []string{"busy 1", grow} {
					if _, err := i.say("busy", order, nil); err != nil {
						i.t.Fatal(err)
					}
				}
				i.lives("calm", 2)
				i.lives("busy", 4)
				end(i)
				i.lives("busy", 2)
			})
		})
	}
}

// TestTooMuchGrowth shows that an object loses its memory, although it is busy, if its own event
// takes more than the limit of all instances together, and that its next Opened gives the reason.
func TestTooMuchGrowth(t *testing.T) {
	sharing(t, func(i *isolate) {
		i.lives("neighbour", 2)
		for _, order := range []string{"busy 1", "hold 70000000"} {
			if _, err := i.say("large", order, nil); err != nil {
				i.t.Fatal(err)
			}
		}
		said, err := i.say("large", "lost", nil)
		if want := fmt.Sprintf("lost %q", durable.LostByMemory); err != nil || said != want {
			i.t.Errorf("got %q and error %v, want %q", said, err, want)
		}
		i.lives("neighbour", 2)
	})
}

// TestGrowthIsContained shows that an object whose events make the shared memory too large twice
// within a minute is moved like one that has trapped.
func TestGrowthIsContained(t *testing.T) {
	sharing(t, func(i *isolate) {
		i.lives("neighbour", 2)
		for n := range 4 {
			if _, err := i.say("large", "hold 33000000", nil); err != nil {
				i.t.Fatal(err)
			}
			if n < 2 {
				i.lives("neighbour", 2)
			} else {
				i.lives("neighbour", n+1)
			}
		}
	})
}
