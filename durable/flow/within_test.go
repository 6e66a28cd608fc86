package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// limited waits for a bell for an hour, and reports the outcome.
func limited(w *world) flow.Func {
	return func(c *flow.Context) (json.RawMessage, error) {
		got, err := flow.Within(c, hour, func() (string, error) {
			data, err := c.Await(w.bell("a")).Wait()
			return string(data), err
		})
		if _, err := c.Await(w.bell("behind")).Wait(); err != nil {
			return nil, err
		}
		return json.Marshal(fmt.Sprint(got, errors.Is(err, flow.ErrTimeout)))
	}
}

// TestWithin ends in time or not, with and without memory lost at each point.
func TestWithin(t *testing.T) {
	for _, evicted := range []bool{false, true} {
		t.Run(fmt.Sprint("in time, evicted ", evicted), func(t *testing.T) {
			w := open(t)
			pause := func() {
				if evicted {
					w.evict()
				}
			}
			w.start(limited(w))
			pause()
			w.pass(59 * time.Minute)
			pause()
			w.ring("a", "x")
			pause()
			if w.scheduled() != 0 {
				t.Error("the limit is still there")
			}
			w.ring("behind", "")
			w.wants(`"xfalse"`)
		})
		t.Run(fmt.Sprint("too late, evicted ", evicted), func(t *testing.T) {
			w := open(t)
			w.start(limited(w))
			if evicted {
				w.evict()
			}
			w.pass(hour)
			if evicted {
				w.evict()
			}
			w.ring("a", "too late")
			w.pass(hour)
			w.ring("behind", "")
			w.wants(`"true"`)
		})
	}
}

// TestWithinCancelsOperationsInside cancels operations in branches too, and nothing else.
func TestWithinCancelsOperationsInside(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		outside := c.Await(w.bell("outside"))
		_, err := flow.Within(c, hour, func() (int, error) {
			c.Await(w.bell("a"))
			b := flow.Go(c, "b", func() (int, error) {
				_, err := c.Await(w.bell("inside")).Wait()
				return 0, err
			})
			if _, err := outside.Wait(); !errors.Is(err, flow.ErrTimeout) {
				t.Errorf("what was begun outside brought %v", err)
			}
			if _, err := c.Await(w.bell("late")).Wait(); !errors.Is(err, flow.ErrTimeout) {
				t.Errorf("what came too late brought %v", err)
			}
			n, err := flow.Step(c, "tidy up", func(*durable.Tx) (int, error) { return 7, nil })
			if n != 7 || err != nil {
				t.Errorf("the step brought %d, %v", n, err)
			}
			return b.Wait()
		})
		if !errors.Is(err, flow.ErrTimeout) {
			t.Errorf("the branch brought %v", err)
		}
		return outside.Wait()
	})
	w.pass(hour)
	w.evict()
	w.ring("outside", `"x"`)
	w.wants(`"x"`)
	w.log("begin outside", "begin a", "begin inside", "cancel inside: timeout", "cancel a: timeout", "again outside")
}

// TestWithinThatIsOverBeforeTheCodeGoesOn loses the instance between the end of the limit and the
// code behind it. The operations under the limit are cancelled before the code goes on all the
// same, also those of a branch, and a request is not made again.
func TestWithinThatIsOverBeforeTheCodeGoesOn(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		_, err := flow.Within(c, hour, func() (int, error) {
			c.Await(w.bell("a"))
			flow.Go(c, "b", func() ([]byte, error) { return c.Await(w.bell("inside")).Wait() })
			_, err := flow.Fetch(c, flow.Request{URL: "http://slow.test/"})
			return 0, err
		})
		w.begun = append(w.begun, "behind")
		return json.Marshal(errors.Is(err, flow.ErrTimeout))
	})
	w.routine.Drop()
	w.pass(hour)
	before := len(w.tx.Commands())
	w.start(w.code)
	w.wants("true")
	w.log("begin a", "begin inside", "again a", "again inside", "cancel inside: timeout", "cancel a: timeout", "behind")
	if slices.ContainsFunc(w.tx.Commands()[before:], func(c durable.Command) bool { _, made := c.(durable.Fetch); return made }) {
		t.Error("the request is made again")
	}
}

// TestWithinWithin shows that the shorter limit counts inside, and the longer one after it.
func TestWithinWithin(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		var inner error
		_, outer := flow.Within(c, hour, func() (int, error) {
			_, inner = flow.Within(c, time.Minute, func() (int, error) { return 0, flow.Sleep(c, 2*hour) })
			return 0, flow.Sleep(c, 2*hour)
		})
		return json.Marshal(fmt.Sprint(inner, ", ", outer, ", ", flow.Now(c).UnixMilli()))
	})
	w.pass(time.Minute)
	if _, _, done := w.routine.Done(); done {
		t.Error("the inner limit has ended both")
	}
	w.pass(hour)
	w.wants(`"the time is over, the time is over, ` + fmt.Sprint(w.tx.Now) + `"`)
	if w.scheduled() != 0 {
		t.Error("something is still scheduled")
	}
}

// TestResultBeforeTheLimitCounts keeps a result from before the limit, even if both are seen at
// once.
func TestResultBeforeTheLimitCounts(t *testing.T) {
	for name, c := range map[string]struct {
		bellFirst bool
		want      string
	}{"the bell": {true, `"xfalse"`}, "the limit": {false, `"true"`}} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(limited(w))
			if c.bellFirst {
				w.ringQuietly("a", "x")
			}
			w.tx.Now += hour.Milliseconds()
			for _, due := range durable.TakeDue(w.tx) {
				flow.Wake(w.tx, due.ID)
			}
			if !c.bellFirst {
				w.ringQuietly("a", "x")
			}
			w.routine.Resume(w.tx)
			w.evict()
			w.ring("behind", "")
			w.wants(c.want)
		})
	}
}
