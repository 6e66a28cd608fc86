package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestRoutineSurvivesEveryEviction discards the routine at every point and expects the same result,
// with every step run once.
func TestRoutineSurvivesEveryEviction(t *testing.T) {
	w := open(t)
	steps := 0
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		a, b := c.Await(w.bell("a")), c.Await(w.bell("b"))
		n, err := flow.Step(c, "count", func(*durable.Tx) (int, error) { steps++; return steps, nil })
		if err != nil {
			return nil, err
		}
		first, err := a.Wait()
		if err != nil {
			return nil, err
		}
		_, failure := b.Wait()
		return json.Marshal(fmt.Sprint(n, string(first), failure))
	})
	w.evict()
	if !flow.Complete(w.tx, flow.Key{Routine: routine, Position: 1}, []byte("x"), "broken") {
		t.Fatal("nobody awaits")
	}
	if flow.Complete(w.tx, flow.Key{Routine: routine, Position: 1}, []byte("y"), "") {
		t.Fatal("completed twice")
	}
	w.evict()
	w.ring("a", "x")
	w.evict()
	w.wants(`"1xbroken"`)
	if steps != 1 {
		t.Errorf("the step ran %d times", steps)
	}
	w.log("begin a", "begin b", "again a", "again b", "again a")
}

// TestResumeGoesOnInPlace is the same without an eviction.
func TestResumeGoesOnInPlace(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		for _, name := range []string{"a", "b"} {
			if _, err := c.Await(w.bell(name)).Wait(); err != nil {
				return nil, err
			}
		}
		return json.RawMessage(`1`), nil
	})
	w.log("begin a")
	w.ring("a", "")
	w.log("begin a", "begin b")
	w.ring("b", "")
	w.wants("1")
}

// TestDivergence is the error of code that depends on something that is not journaled.
func TestDivergence(t *testing.T) {
	for name, names := range map[string]struct {
		first, then []string
		want        string
	}{
		"another await": {[]string{"a"}, []string{"b"}, `its await 0 was "a" and is "b" now`},
		"an end":        {[]string{"a", "b"}, []string{"a"}, `its await 1 was "b" and is "its end" now`},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			awaits := names.first
			w.start(func(c *flow.Context) (json.RawMessage, error) {
				var last *flow.Pending
				for _, name := range awaits {
					last = c.Await(w.bell(name))
				}
				_, err := last.Wait()
				return nil, err
			})
			awaits = names.then
			w.ringQuietly("a", "")
			w.evict()
			_, err, done := w.routine.Done()
			var diverged *flow.DivergedError
			if !done || !errors.As(err, &diverged) || diverged.Code != "the tool test" {
				t.Fatalf("got %v, %v", err, done)
			}
			wantWords(t, err, names.want)
		})
	}
}

// TestPanicsGoOn shows that a panic of code is a trap and not an error, also in a branch.
func TestPanicsGoOn(t *testing.T) {
	for name, code := range map[string]flow.Func{
		"the code": func(*flow.Context) (json.RawMessage, error) { panic("bug") },
		"a branch": func(c *flow.Context) (json.RawMessage, error) {
			_, err := flow.Go(c, "b", func() (int, error) { panic("bug") }).Wait()
			return nil, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != "bug" {
					t.Errorf("recovered %v", p)
				}
			}()
			open(t).start(code)
		})
	}
}

// TestStopCancelsAllOperations cancels the last operation first, each after its row is closed.
// Deferred functions cannot await.
func TestStopCancelsAllOperations(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		defer func() { _, _ = c.Await(w.bell("too late")).Wait() }()
		c.Await(w.bell("a"))
		b := flow.Go(c, "b", func() (int, error) {
			defer flow.Random(c, 4)
			_, err := c.Await(w.bell("inside")).Wait()
			return 0, err
		})
		_, err := b.Wait()
		return nil, err
	})
	w.routine.Stop(w.tx)
	w.log("begin a", "begin inside", "cancel inside: stopped", "cancel a: stopped")
	if n := w.tx.SQL(`SELECT COUNT(*) FROM await`)[0].Int(0); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestCodeCannotRecoverFromItsEnd shows that code cannot recover from its end.
func TestCodeCannotRecoverFromItsEnd(t *testing.T) {
	w := open(t)
	stubborn := func(wait func() error) (n int, err error) {
		defer func() { _ = recover() }()
		return 1, wait()
	}
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		b := flow.Go(c, "b", func() (int, error) { return stubborn(func() error { return flow.Sleep(c, hour) }) })
		_, err := stubborn(func() error { _, err := b.Wait(); return err })
		return json.RawMessage(`1`), err
	})
	w.routine.Drop()
	if _, _, done := w.routine.Done(); done || w.scheduled() != 1 {
		t.Errorf("done %v, %d entries, when only its memory was lost", done, w.scheduled())
	}
	w.start(w.code)
	w.routine.Stop(w.tx)
	if n := w.tx.SQL(`SELECT COUNT(*) FROM await`)[0].Int(0); n != 0 || w.scheduled() != 0 {
		t.Errorf("%d rows and %d entries are left", n, w.scheduled())
	}
}

// TestCodeThatStopsItself ends where it awaits next.
func TestCodeThatStopsItself(t *testing.T) {
	w := open(t)
	var r *flow.Routine
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		if _, err := c.Await(w.bell("a")).Wait(); err != nil {
			return nil, err
		}
		if _, err := flow.Step(c, "stop", func(tx *durable.Tx) (int, error) { r.Stop(tx); return 1, nil }); err != nil {
			return nil, err
		}
		flow.Now(c)
		t.Error("it goes on")
		return nil, nil
	})
	r = w.routine
	w.ring("a", "")
	if _, _, done := r.Done(); done {
		t.Error("it has returned")
	}
}

// TestUnawaitedOperationsEndWithTheCode.
func TestUnawaitedOperationsEndWithTheCode(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		c.Await(w.bell("a"))
		flow.Go(c, "b", func() (int, error) { return 0, flow.Sleep(c, hour) })
		if _, err := c.Await(w.bell("c")).Wait(); err != nil {
			return nil, err
		}
		return json.RawMessage(`1`), nil
	})
	w.ring("c", "")
	w.wants("1")
	w.log("begin a", "begin c", "cancel a: left")
	if due := w.scheduled(); due != 0 {
		t.Errorf("%d entries are scheduled", due)
	}
}

// TestLimits tests the limits of a journal.
func TestLimits(t *testing.T) {
	for name, c := range map[string]struct {
		code flow.Func
		want string
	}{
		"awaits": {func(c *flow.Context) (json.RawMessage, error) {
			for range flow.MaxAwaits + 1 {
				flow.Now(c)
			}
			return nil, nil
		}, "the tool test awaits more than 10000 times"},
		"results": {func(c *flow.Context) (json.RawMessage, error) {
			for {
				if _, err := flow.Step(c, "large", func(*durable.Tx) ([]byte, error) { return make([]byte, 1_000_000), nil }); err != nil {
					return nil, err
				}
			}
		}, "what the tool test has awaited holds"},
		"a result": {func(c *flow.Context) (json.RawMessage, error) {
			_, err := flow.Step(c, "large", func(*durable.Tx) ([]byte, error) { return make([]byte, flow.MaxResult), nil })
			return nil, err
		}, "what it brought has 2000002 bytes, at most 1500000"},
		"a step that awaits": {func(c *flow.Context) (json.RawMessage, error) {
			unseen := func() error { return flow.Sleep(c, hour) }
			_, err := flow.Step(c, "s", func(*durable.Tx) (int, error) { return 0, unseen() })
			return nil, err
		}, "the tool test awaits inside of step s, and a step must not"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(c.code)
			_, err, done := w.routine.Done()
			if !done {
				t.Fatal("it is not done")
			}
			wantWords(t, err, c.want)
		})
	}
}

// TestNowAndRandomStayTheSame.
func TestNowAndRandomStayTheSame(t *testing.T) {
	w := open(t)
	var seen []string
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		seen = append(seen, fmt.Sprint(flow.Now(c).UnixMilli(), flow.Random(c, 8)))
		return nil, flow.Sleep(c, hour)
	})
	w.tx.Now += 1000
	w.evict()
	if len(seen) != 2 || seen[0] != seen[1] {
		t.Errorf("got %v", seen)
	}
}

// TestDamagedAwaitsBeginAgain shows that a missing row discards only the rows behind it in its
// branch.
func TestDamagedAwaitsBeginAgain(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		for _, name := range []string{"a", "b", "c"} {
			if _, err := c.Await(w.bell(name)).Wait(); err != nil {
				return nil, err
			}
		}
		return json.RawMessage(`1`), nil
	})
	w.ring("a", "")
	w.ring("b", "")
	w.tx.SQL(`DELETE FROM await WHERE position = 1`)
	w.evict()
	w.ring("b", "")
	w.ring("c", "")
	w.wants("1")
	w.log("begin a", "begin b", "begin c", "begin b", "begin c")
}
