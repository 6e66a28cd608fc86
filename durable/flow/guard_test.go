package flow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// guarded runs stretches, with the ring of a bell between two of them. ran are the stretches that have
// run.
func guarded(w *world, ran *[]string, bells ...string) flow.Func {
	return func(c *flow.Context) (json.RawMessage, error) {
		g := flow.NewGuard(c, time.Minute)
		for i := range len(bells) + 1 {
			if !g.NextSlice() {
				return json.RawMessage(`"given up"`), nil
			}
			*ran = append(*ran, fmt.Sprint(i))
			if i == len(bells) {
				break
			}
			if flow.Next(g, c.Await(w.bell(bells[i]))) == 0 {
				return json.RawMessage(`"too long"`), nil
			}
		}
		return json.RawMessage(`"done"`), nil
	}
}

// goOn lets the code go on that has started a timer since the last event of one, in an event of its own. It
// says whether there was any.
func (w *world) goOn() bool {
	commands := w.tx.Commands()[w.handled:]
	w.handled += len(commands)
	for _, c := range commands {
		if start, ok := c.(durable.StartTimer); ok && w.routine.Fired(start.Timer) {
			w.resume()
			return true
		}
	}
	return false
}

func wantRan(t *testing.T, got []string, want string) {
	t.Helper()
	if fmt.Sprint(got) != want {
		t.Errorf("the stretches %v have run, want %s", got, want)
	}
}

// TestStretchRunsInAnEventOfItsOwn checks that no stretch runs in the event that makes it possible.
func TestStretchRunsInAnEventOfItsOwn(t *testing.T) {
	w := open(t)
	var ran []string
	w.start(guarded(w, &ran, "a"))
	wantRan(t, ran, "[]")
	w.goOn()
	wantRan(t, ran, "[0]")
	w.ring("a", "")
	wantRan(t, ran, "[0]")
	w.goOn()
	wantRan(t, ran, "[0 1]")
	w.wants(`"done"`)
	if w.scheduled() != 0 {
		t.Error("something is still scheduled")
	}
}

// TestStretchIsRunAgainAfterALoss checks that stretches which have come to their end are run again at once,
// as often as the instance is lost.
func TestStretchIsRunAgainAfterALoss(t *testing.T) {
	w := open(t)
	var ran []string
	w.start(guarded(w, &ran, "a"))
	w.evict()
	w.goOn()
	for range 10 {
		w.evict()
	}
	wantRan(t, ran, "[0 0 0 0 0 0 0 0 0 0 0]")
	w.ring("a", "")
	ran = nil
	w.evict()
	wantRan(t, ran, "[0]")
	w.goOn()
	w.wants(`"done"`)
}

// TestStretchThatEndsItsInstance checks that a stretch is tried three times. The event of a stretch that
// ends its instance leaves nothing behind.
func TestStretchThatEndsItsInstance(t *testing.T) {
	w := open(t)
	var ran []string
	w.start(guarded(w, &ran, "a"))
	w.evict()
	w.goOn()
	w.ring("a", "")
	for range flow.MaxSliceLosses - 1 {
		if !flow.SliceLost(w.tx) {
			t.Error("the loss of the instance is not the stretch's")
		}
		w.evict()
		if _, _, done := w.routine.Done(); done {
			t.Fatal("the code was given up too early")
		}
	}
	w.evict()
	w.goOn()
	w.wants(`"given up"`)
	wantRan(t, ran[len(ran)-1:], "[0]")
}

// TestLossBesideAStretch checks that code which runs no stretch is no cause of a loss: its object has to
// charge something else.
func TestLossBesideAStretch(t *testing.T) {
	w := open(t)
	var ran []string
	w.start(guarded(w, &ran, "a"))
	w.goOn()
	if flow.SliceLost(w.tx) {
		t.Error("the loss is one of a stretch that has come to its end")
	}
	w.ring("a", "")
	for range flow.MaxSliceLosses {
		w.evict()
	}
	if flow.SliceLost(w.tx) {
		t.Error("the loss is one of a stretch that is not run again")
	}
}

// TestTimeOfGuardedCode checks that the time is limited, and that the time of persons does not count.
func TestTimeOfGuardedCode(t *testing.T) {
	for name, test := range map[string]struct {
		person, evicted bool
		want            string
	}{
		"a minute":                          {want: `"too long"`},
		"a minute, evicted":                 {evicted: true, want: `"too long"`},
		"a person for an hour":              {person: true, want: `"done"`},
		"a person for an hour, and evicted": {person: true, evicted: true, want: `"done"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			step := func() {
				if test.evicted {
					w.evict()
				}
			}
			w.start(func(c *flow.Context) (json.RawMessage, error) {
				g := flow.NewGuard(c, time.Minute)
				bell := w.bell("a")
				bell.Person = test.person
				if flow.Next(g, c.Await(bell)) == 0 {
					return json.RawMessage(`"too long"`), nil
				}
				if flow.Next(g, c.Await(w.bell("b"))) == 0 {
					return json.RawMessage(`"too long"`), nil
				}
				return json.RawMessage(`"done"`), nil
			})
			step()
			w.pass(59 * time.Second)
			step()
			if test.person {
				w.pass(time.Hour)
				step()
			} else {
				w.pass(time.Second)
			}
			if test.person {
				w.ring("a", "")
				step()
				w.ring("b", "")
			}
			w.wants(test.want)
		})
	}
}

// TestTimeGoesOnBehindAPerson checks that the time that was left before a person was waited for is what is
// left behind that.
func TestTimeGoesOnBehindAPerson(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		g := flow.NewGuard(c, time.Minute)
		asked := w.bell("person")
		asked.Person = true
		if flow.Next(g, c.Await(w.bell("before"))) == 0 || flow.Next(g, c.Await(asked)) == 0 || flow.Next(g, c.Await(w.bell("work"))) == 0 {
			return json.RawMessage(`"too long"`), nil
		}
		return json.RawMessage(`"done"`), nil
	})
	w.pass(20 * time.Second)
	w.ring("before", "")
	w.pass(time.Hour)
	w.ring("person", "")
	w.pass(39 * time.Second)
	if _, _, done := w.routine.Done(); done {
		t.Fatal("the time was over too early")
	}
	w.pass(time.Second)
	w.wants(`"too long"`)
}

// TestFinish checks that code ends at once, although its journal has more awaits.
func TestFinish(t *testing.T) {
	w := open(t)
	finish := false
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		if finish {
			flow.Finish(c, json.RawMessage(`"finished"`), nil)
		}
		_, err := c.Await(w.bell("a")).Wait()
		return nil, err
	})
	finish = true
	w.evict()
	w.wants(`"finished"`)
}

// TestGoNoted checks that what is told of a branch is told once.
func TestGoNoted(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		notes := flow.Notes{
			Begin:  func(*durable.Tx) { w.begun = append(w.begun, "noted") },
			Cancel: func(_ *durable.Tx, why flow.Reason) { w.begun = append(w.begun, "noted "+string(why)) },
			Fail:   func(_ *durable.Tx, err error) { t.Error(err) },
		}
		if name, ok := flow.Recorded(c); ok && name != "x" {
			t.Errorf("the journal has %q", name)
		}
		flow.GoNoted(c, "x", notes, func() (string, error) {
			_, err := c.Await(w.bell("a")).Wait()
			return "", err
		})
		_, err := c.Await(w.bell("b")).Wait()
		return json.RawMessage(`1`), err
	})
	w.evict()
	w.ring("b", "")
	w.wants(`1`)
	w.log("noted", "begin b", "begin a", "again b", "again a", "cancel a: left", "noted left")
}

// TestCodeOfABranchIsReplaced checks that a branch whose code was replaced fails alone, or ends earlier.
func TestCodeOfABranchIsReplaced(t *testing.T) {
	for name, test := range map[string]struct{ now, want, failed string }{
		"by other code": {now: "c", want: `"its await`, failed: "diverged"},
		"by none":       {want: `"removed"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			bell, failed := "a", ""
			w.start(func(c *flow.Context) (json.RawMessage, error) {
				b := flow.GoNoted(c, "x", flow.Notes{
					Begin: func(*durable.Tx) {}, Cancel: func(*durable.Tx, flow.Reason) {},
					Fail: func(_ *durable.Tx, err error) { failed = err.Error() },
				}, func() (string, error) {
					if bell == "" {
						return "removed", nil
					}
					_, err := c.Await(w.bell(bell)).Wait()
					return "rung", err
				})
				_, _ = c.Await(w.bell("b")).Wait()
				got, err := b.Wait()
				if err != nil {
					got = err.Error()
				}
				return json.Marshal(got)
			})
			bell = test.now
			w.evict()
			w.ring("b", "")
			got, err, done := w.routine.Done()
			if !done || err != nil || !strings.HasPrefix(strings.Replace(string(got), "the tool test diverged when it was run again: ", "", 1), test.want) {
				t.Errorf("got %s, %v, %v", got, err, done)
			}
			if !strings.Contains(failed, test.failed) || test.failed == "" && failed != "" {
				t.Errorf("failed with %q, want %q", failed, test.failed)
			}
		})
	}
}

// TestWhoIsAskedOfPersons checks that operations which go on elsewhere are asked in the same order each time,
// and not at all if other work goes on: they read storage, and a host counts what is read.
func TestWhoIsAskedOfPersons(t *testing.T) {
	for work, want := range map[bool]string{false: "[e d c b a]", true: "[]"} {
		w := open(t)
		var asked []string
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			g := flow.NewGuard(c, time.Minute)
			all := []flow.Waitable{g}
			for _, name := range []string{"a", "b", "c", "d", "e"} {
				bell := w.bell(name)
				bell.Asks = func(*durable.Tx) bool { asked = append(asked, name); return true }
				all = append(all, c.Await(bell))
			}
			if work {
				all = append(all, c.Await(w.bell("work")))
			}
			flow.Next(all...)
			return nil, nil
		})
		for range 20 {
			asked = nil
			w.routine.Flush(w.tx, false)
			if got := fmt.Sprint(asked); got != want {
				t.Fatalf("work goes on: %t: %s are asked, want %s", work, got, want)
			}
		}
	}
}
