package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// two returns branches of two awaits each, with equal names in both branches.
func two(w *world) flow.Func {
	return func(c *flow.Context) (json.RawMessage, error) {
		branch := func(name string) *flow.Branch[string] {
			return flow.Go(c, name, func() (string, error) {
				all := name
				for i := range 2 {
					op := w.bell(fmt.Sprint(name, i))
					op.Name = "bell"
					data, err := c.Await(op).Wait()
					if err != nil {
						return "", err
					}
					all += string(data)
				}
				return all, nil
			})
		}
		all, err := flow.All(branch("a"), branch("b"))
		if err != nil {
			return nil, err
		}
		return json.Marshal(all)
	}
}

// TestBranchesDoNotDependOnTheirOrder rings the bells in every order, with memory lost before each,
// and expects the same result.
func TestBranchesDoNotDependOnTheirOrder(t *testing.T) {
	orders := [][]string{
		{"a0", "a1", "b0", "b1"},
		{"a0", "b0", "a1", "b1"},
		{"a0", "b0", "b1", "a1"},
		{"b0", "b1", "a0", "a1"},
		{"b0", "a0", "b1", "a1"},
		{"b0", "a0", "a1", "b1"},
	}
	for _, order := range orders {
		for lost := range 1 << len(order) {
			t.Run(fmt.Sprintf("%v lost %04b", order, lost), func(t *testing.T) {
				w := open(t)
				w.start(two(w))
				for i, name := range order {
					if lost>>i&1 == 1 {
						w.evict()
					}
					w.ring(name, name[1:])
				}
				w.wants(`["a01","b01"]`)
			})
		}
	}
}

// TestBranchThatHasReturnedIsNotRunAgain.
func TestBranchThatHasReturnedIsNotRunAgain(t *testing.T) {
	w := open(t)
	ran := 0
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		b := flow.Go(c, "b", func() (int, error) { ran++; return ran, nil })
		if _, err := c.Await(w.bell("a")).Wait(); err != nil {
			return nil, err
		}
		n, err := b.Wait()
		return json.RawMessage(fmt.Sprint(n)), err
	})
	w.evict()
	w.ring("a", "")
	w.wants("1")
	if ran != 1 {
		t.Errorf("it ran %d times", ran)
	}
}

// TestBranchThatFails keeps the error's text.
func TestBranchThatFails(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		_, err := flow.All(flow.Go(c, "b", func() (int, error) { return 0, errors.New("no luck") }))
		return nil, err
	})
	_, err, done := w.routine.Done()
	if !done {
		t.Fatal("it is not done")
	}
	wantWords(t, err, "no luck")
}

// TestBranchThatDivergesEndsTheCode ends the code whatever its branches wait for.
func TestBranchThatDivergesEndsTheCode(t *testing.T) {
	w := open(t)
	name := "a"
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		flow.Go(c, "b", func() (int, error) {
			_, err := c.Await(w.bell(name)).Wait()
			return 0, err
		})
		return c.Await(w.bell("main")).Wait()
	})
	name = "other"
	w.evict()
	_, err, done := w.routine.Done()
	var diverged *flow.DivergedError
	if !done || !errors.As(err, &diverged) {
		t.Errorf("got %v, done %v", err, done)
	}
}

// TestFirst keeps its choice, even if the other bell has rung too before the code is run again.
func TestFirst(t *testing.T) {
	for _, first := range []string{"a", "b"} {
		t.Run(first, func(t *testing.T) {
			w := open(t)
			branch := func(c *flow.Context, name string) *flow.Branch[string] {
				return flow.Go(c, name, func() (string, error) {
					_, err := c.Await(w.bell(name)).Wait()
					return name, err
				})
			}
			w.start(func(c *flow.Context) (json.RawMessage, error) {
				won, err := flow.First(branch(c, "a"), branch(c, "b"))
				if err != nil {
					return nil, err
				}
				if _, err := c.Await(w.bell("behind")).Wait(); err != nil {
					return nil, err
				}
				return json.Marshal(won)
			})
			w.ring(first, "")
			w.ring(map[string]string{"a": "b", "b": "a"}[first], "")
			w.evict()
			w.ring("behind", "")
			w.wants(fmt.Sprintf("%q", first))
		})
	}
}

// TestCancelledBranch brings ErrCancelled, also to a branch that cancels itself: it ends at its
// next await.
func TestCancelledBranch(t *testing.T) {
	for name, cancel := range map[string]func(c *flow.Context, self, other *flow.Branch[int]){
		"from outside": func(_ *flow.Context, self, _ *flow.Branch[int]) { self.Cancel() },
		"by itself": func(c *flow.Context, self, other *flow.Branch[int]) {
			if _, err := other.Wait(); err != nil {
				panic(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(func(c *flow.Context) (json.RawMessage, error) {
				var self *flow.Branch[int]
				self = flow.Go(c, "self", func() (int, error) {
					c.Await(w.bell("inside"))
					if _, err := flow.Go(c, "inner", func() (int, error) { return 0, nil }).Wait(); err != nil {
						return 0, err
					}
					if name == "by itself" {
						self.Cancel()
						t.Error("it goes on")
					}
					return 0, flow.Sleep(c, hour)
				})
				other := flow.Go(c, "other", func() (int, error) { return 0, nil })
				cancel(c, self, other)
				_, err := self.Wait()
				if !errors.Is(err, flow.ErrCancelled) {
					return nil, err
				}
				return json.RawMessage(`1`), nil
			})
			w.wants("1")
			if w.scheduled() != 0 {
				t.Error("its sleep is still scheduled")
			}
		})
	}
}

// TestRandomProgramsSurviveRandomEvictions runs programs of branches, limits, steps with attempts
// and bells twice, once with memory lost at random, and expects the same result.
func TestRandomProgramsSurviveRandomEvictions(t *testing.T) {
	for seed := range uint32(80) {
		want := runProgram(t, seed, false)
		if got := runProgram(t, seed, true); got != want {
			t.Fatalf("seed %d: got %s, want %s", seed, got, want)
		}
	}
}

// program is random code: at every depth it awaits, runs steps, branches and limits its time.
func program(w *world, c *flow.Context, dice *dice, depth int, path string) (string, error) {
	out := path
	for i := range 2 + dice.roll(2) {
		at := fmt.Sprintf("%s.%d", path, i)
		switch kind := dice.roll(8); {
		case kind == 0 || depth == 0:
			data, err := c.Await(w.bell(at)).Wait()
			out += fmt.Sprint(" ", string(data), err != nil)
		case kind == 1:
			n, err := flow.Step(c, "s", func(tx *durable.Tx) (string, error) { return tx.NewID()[:0] + at, nil })
			out += fmt.Sprint(" ", n, err)
		case kind == 2:
			v, err := flow.Within(c, hour, func() (string, error) { return program(w, c, dice.child(), depth-1, at) })
			out += fmt.Sprint(" (", v, err, ")")
		case kind == 3:
			one, other := dice.child(), dice.child()
			v, err := flow.First(
				flow.Go(c, at, func() (string, error) { return program(w, c, one, depth-1, at+"x") }),
				flow.Go(c, at, func() (string, error) { return program(w, c, other, depth-1, at+"y") }))
			out += fmt.Sprint(" {", v, err, "}")
		case kind == 4:
			one, other := dice.child(), dice.child()
			v, err := flow.All(
				flow.Go(c, at, func() (string, error) { return program(w, c, one, depth-1, at+"x") }),
				flow.Go(c, at, func() (string, error) { return program(w, c, other, depth-1, at+"y") }))
			out += fmt.Sprint(" [", v, err, "]")
		case kind == 5:
			all, failures := dice.child(), dice.roll(3)
			v, err := flow.Do(c, "do", func(a *flow.Attempt) (string, error) {
				each := *all // the code of an attempt that has ended is not run again
				v, err := program(w, c, &each, depth-1, fmt.Sprint(at, "t", a.Number()))
				if err == nil && a.Number() <= failures {
					err = errors.New("no luck")
				}
				return v, err
			}, flow.Retry{Attempts: 2, First: hour, Timeout: 2 * hour})
			out += fmt.Sprint(" <", v, err, ">")
		default:
			out += fmt.Sprint(" ", flow.Sleep(c, hour/2))
		}
	}
	return out, nil
}

func runProgram(t *testing.T, seed uint32, evictions bool) string {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		out, err := program(w, c, &dice{seed*2 + 1}, 3, "")
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	})
	world, evict := &dice{seed + 77}, &dice{seed + 99}
	for range 2000 {
		if result, err, done := w.routine.Done(); done {
			if err != nil {
				t.Fatalf("seed %d, evictions %v: %v", seed, evictions, err)
			}
			return fmt.Sprint(string(result), w.tx.Now)
		}
		if evictions && evict.roll(3) == 0 {
			w.evict()
			continue
		}
		open := w.tx.SQL(`SELECT position, name FROM await WHERE ended = 0 AND name LIKE '.%' ORDER BY position`)
		if n := world.roll(len(open) + 1); n < len(open) {
			flow.Complete(w.tx, flow.Key{Routine: routine, Position: int(open[n].Int(0))}, []byte(open[n].Text(1)), "")
			w.routine.Resume(w.tx)
			continue
		}
		w.pass(hour / 4)
	}
	t.Fatalf("seed %d does not end", seed)
	return ""
}

// dice is a small seeded random generator.
type dice struct{ state uint32 }

func (d *dice) roll(n int) int {
	d.state ^= d.state << 13
	d.state ^= d.state >> 17
	d.state ^= d.state << 5
	return int(d.state>>8) % n
}

func (d *dice) child() *dice { return &dice{uint32(d.roll(1<<24))*2 + 1} }
