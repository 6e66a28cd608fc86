package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// post is code with one step, which makes a request that must not be repeated.
func post(w *world, seen *[]string, retry flow.Retry) {
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		return flow.Do(c, "post", func(a *flow.Attempt) (json.RawMessage, error) {
			at, err := flow.Step(a, "see", func(*durable.Tx) (string, error) {
				line := fmt.Sprintf("%d %v", a.Number(), a.Interrupted())
				*seen = append(*seen, line)
				return line, nil
			})
			if err != nil {
				return nil, err
			}
			_, err = flow.Fetch(a, flow.Request{Method: "POST", URL: "https://x.test"})
			return json.RawMessage(`"` + at + `"`), err
		}, retry)
	})
}

func (w *world) posts() int { return strings.Count(w.commands(), "POST") }

// lastFetch is the name of the request that was made last.
func (w *world) lastFetch() (name string) {
	for _, c := range w.tx.Commands() {
		if f, ok := c.(durable.Fetch); ok {
			name = f.Fetch
		}
	}
	return name
}

// TestAttemptThatIsLost is made again under its number, and is told so. An attempt that failed by
// itself is counted.
func TestAttemptThatIsLost(t *testing.T) {
	w := open(t)
	var seen []string
	post(w, &seen, flow.Retry{Attempts: 2})
	for range 3 {
		w.evict()
		w.evict() // in the pause
		w.pass(time.Hour)
	}
	w.routine.Fetched(w.tx, w.lastFetch(), durable.FetchFailed{Error: "reset"})
	w.routine.Resume(w.tx)
	w.pass(time.Hour)
	w.evict()
	w.pass(time.Hour)
	w.routine.Fetched(w.tx, w.lastFetch(), durable.FetchResponded{Status: 200})
	w.routine.Fetched(w.tx, w.lastFetch(), durable.FetchEnded{})
	w.routine.Resume(w.tx)
	w.wants(`"2 true"`)
	if want := []string{"1 false", "1 true", "1 true", "1 true", "2 false", "2 true"}; !slices.Equal(seen, want) {
		t.Errorf("got %v, want %v", seen, want)
	}
	if w.rows() != 1 || w.scheduled() != 0 || w.posts() != 6 {
		t.Errorf("%d rows, %d entries, %d requests", w.rows(), w.scheduled(), w.posts())
	}
}

// TestOneAttemptIsNotMadeAgain, whatever became of it.
func TestOneAttemptIsNotMadeAgain(t *testing.T) {
	w := open(t)
	var seen []string
	post(w, &seen, flow.Retry{Attempts: 1})
	w.evict()
	_, err, done := w.routine.Done()
	if !done || w.posts() != 1 {
		t.Errorf("done %v, %d requests", done, w.posts())
	}
	wantWords(t, err, "post: attempt 1 of 1: POST https://x.test: its instance was lost; it may or may not have happened")
}

// TestStepInDoubt shows that the error of a step says so if one of its attempts may have had an
// effect, also to code that is run again, and to a step around it.
func TestStepInDoubt(t *testing.T) {
	refused := durable.FetchFailed{Error: "refused", Unsent: true}
	reset := durable.FetchFailed{Error: "reset"}
	for name, c := range map[string]struct {
		events []durable.Event
		want   bool
	}{
		"the last attempt":      {[]durable.Event{refused, reset}, true},
		"the attempt before it": {[]durable.Event{reset, refused}, true},
		"an attempt was lost":   {[]durable.Event{nil, refused, refused}, true},
		"none":                  {[]durable.Event{refused, refused}, false},
	} {
		for _, around := range []bool{false, true} {
			for _, evicted := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, around %v, evicted %v", name, around, evicted), func(t *testing.T) {
					w := open(t)
					w.start(func(c *flow.Context) (json.RawMessage, error) {
						step := func(c flow.Awaiter) (json.RawMessage, error) {
							return flow.Do(c, "post", func(a *flow.Attempt) (json.RawMessage, error) {
								_, err := flow.Fetch(a, flow.Request{Method: "POST", URL: "https://x.test"})
								return nil, err
							}, flow.Retry{Attempts: 2})
						}
						code := func() (json.RawMessage, error) { return step(c) }
						if around {
							code = func() (json.RawMessage, error) {
								return flow.Do(c, "around", func(a *flow.Attempt) (json.RawMessage, error) { return step(a) }, flow.Retry{Attempts: 1, Timeout: 24 * time.Hour})
							}
						}
						_, err := code()
						return json.RawMessage(fmt.Sprint(errors.Is(err, flow.ErrDoubtful))), nil
					})
					for _, e := range c.events {
						if e == nil {
							w.evict()
						} else {
							w.routine.Fetched(w.tx, w.lastFetch(), e)
							w.routine.Resume(w.tx)
						}
						if _, _, done := w.routine.Done(); !done && evicted {
							w.evict() // in the pause
						}
						w.pass(time.Hour)
					}
					w.wants(fmt.Sprint(c.want))
				})
			}
		}
	}
}

// TestKeyOfRequest checks by which key a server recognises a request: inside of a step that of the
// step, in each attempt and also if the code asks for it by another context; elsewhere one that no
// other request has, and that is the same when the code is run again.
func TestKeyOfRequest(t *testing.T) {
	w := open(t)
	var keys []string
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		keys = append(keys, flow.KeyOf(c), flow.KeyOf(c))
		return flow.Do(c, "post", func(a *flow.Attempt) (json.RawMessage, error) {
			if flow.KeyOf(c) != a.Key() || flow.KeyOf(a) != a.Key() {
				t.Errorf("got %s and %s, want %s", flow.KeyOf(c), flow.KeyOf(a), a.Key())
			}
			keys = append(keys, flow.KeyOf(c))
			return nil, errors.New("503")
		}, flow.Retry{Attempts: 2})
	})
	w.evict()
	w.pass(time.Hour)
	if len(keys) != 6 || keys[0] == keys[1] || keys[0] != keys[3] || keys[1] != keys[4] || keys[2] != keys[5] || slices.Contains(keys[:2], keys[2]) {
		t.Errorf("got %q", keys)
	}
}

// TestLostAttemptsEnd shows that an attempt which is lost every time is counted at last.
func TestLostAttemptsEnd(t *testing.T) {
	w := open(t)
	var seen []string
	post(w, &seen, flow.Retry{Attempts: 2})
	for n := 1; ; n++ {
		w.evict()
		w.pass(time.Hour)
		if _, err, done := w.routine.Done(); done {
			wantWords(t, err, "post: attempt 2 of 2: POST https://x.test: its instance was lost")
			if n != 102 {
				t.Errorf("it was lost %d times", n)
			}
			return
		}
	}
}

// TestUsualPauses checks the pauses: each twice as long as the one before, and a fifth more or less
// by chance, which differs.
func TestUsualPauses(t *testing.T) {
	var chances []int64
	for range 20 {
		w := &trial{world: open(t), script: map[string][]string{"pay": {"!503"}}, rung: map[string]int{}}
		w.tx.Random(make([]byte, len(chances)+1))
		w.code = func(c *flow.Context) (json.RawMessage, error) {
			_, err := charge(w, c, flow.Retry{Attempts: 16})
			return nil, err
		}
		w.life()
		for n := 0; ; n++ {
			if _, _, done := w.routine.Done(); done {
				if n != 31 {
					t.Errorf("%d events", n)
				}
				break
			}
			before := w.tx.Now
			w.event()
			pause, usual := w.tx.Now-before, min(int64(1000)<<(n/2), 3_600_000)
			switch {
			case n%2 == 0 && pause != 0:
				t.Errorf("the bell rings after %d ms", pause)
			case n%2 == 1 && (pause < usual*8/10 || pause > min(usual*12/10, 3_600_000)):
				t.Errorf("pause %d is %d ms, usually %d", n/2+1, pause, usual)
			}
			if n == 1 {
				chances = append(chances, pause)
			}
		}
	}
	slices.Sort(chances)
	if len(slices.Compact(chances)) < 15 {
		t.Errorf("the pauses are always the same: %v", chances)
	}
}

// TestKeys are the same in every attempt and life, and differ between steps and routines.
func TestKeys(t *testing.T) {
	keys := func(evicted bool) (all []string) {
		w := open(t)
		if evicted {
			w.tx.Random(make([]byte, 1)) // another object has other chance
		}
		note := func(a *flow.Attempt) { all = append(all, a.Key()) }
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			for range 2 {
				_, err := flow.Do(c, "outer", func(a *flow.Attempt) (int, error) {
					note(a)
					return flow.Do(a, "inner", func(b *flow.Attempt) (int, error) {
						note(b)
						return flow.Go(b, "branch", func() (int, error) {
							return flow.Do(b, "innermost", func(d *flow.Attempt) (int, error) {
								note(d)
								if a.Number() == 1 || d.Number() == 1 {
									return 0, flow.After(errors.Join(errors.New("no"), flow.Sleep(d, time.Minute)), time.Minute)
								}
								return 1, nil
							}, flow.Retry{Attempts: 2})
						}).Wait()
					}, flow.Retry{Attempts: 1})
				}, flow.Retry{Attempts: 2})
				if err != nil {
					return nil, err
				}
			}
			return json.RawMessage(`1`), nil
		})
		for {
			if _, err, done := w.routine.Done(); done {
				if err != nil {
					t.Error(err)
				}
				return all
			}
			if evicted {
				w.evict()
			}
			w.pass(time.Duration(durable.NextDue(w.tx)-w.tx.Now) * time.Millisecond)
		}
	}
	one, other := slices.Compact(slices.Sorted(slices.Values(keys(false)))), slices.Compact(slices.Sorted(slices.Values(keys(true))))
	if len(one) != 6 || len(other) != 6 || len(one[0]) != 32 {
		t.Errorf("got %v and %v", one, other)
	}
	if both := slices.Compact(slices.Sorted(slices.Values(append(one, other...)))); len(both) != 12 {
		t.Errorf("two routines share keys: %v", both)
	}
}

// TestStepsLeaveOneRow runs a thousand steps of three awaits.
func TestStepsLeaveOneRow(t *testing.T) {
	w := open(t)
	most, rows := int64(0), w.rows // the analyser does not see what a variable does
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		for i := range 1000 {
			if _, err := flow.Do(c, "step", func(a *flow.Attempt) (int, error) {
				flow.Now(a)
				flow.Random(a, 8)
				if i%100 == 0 {
					if err := flow.Sleep(a, time.Second); err != nil {
						return 0, err
					}
				}
				most = max(most, rows())
				return i, nil
			}); err != nil {
				return nil, err
			}
		}
		return json.RawMessage(`1`), nil
	})
	for range 10 {
		w.evict()
		w.pass(time.Second)
	}
	w.wants("1")
	if w.rows() != 1000 || most != 1003 {
		t.Errorf("%d rows, at most %d", w.rows(), most)
	}
}

// TestTenThousandSteps fit into one journal, and no more.
func TestTenThousandSteps(t *testing.T) {
	w := open(t)
	done := 0
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		for {
			n, err := flow.Do(c, "step", func(a *flow.Attempt) (int, error) { flow.Now(a); return done + 1, nil })
			if err != nil {
				return nil, err
			}
			done = n
		}
	})
	_, err, _ := w.routine.Done()
	wantWords(t, err, "the tool test awaits more than 10000 times")
	if done != flow.MaxAwaits {
		t.Errorf("%d steps", done)
	}
}

// TestLimitsOfSteps are errors with words.
func TestLimitsOfSteps(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(a *flow.Attempt) (any, error)
		want string
	}{
		"awaits inside": {func(a *flow.Attempt) (any, error) {
			for {
				flow.Now(a)
			}
		}, "the tool test awaits more than 10000 times"},
		"a result": {func(*flow.Attempt) (any, error) { return make([]byte, flow.MaxResult), nil }, "s: what it brought has 2000002 bytes, at most 1500000"},
		"no JSON":  {func(*flow.Attempt) (any, error) { return func() {}, nil }, "s: attempt 1 of 5: the result of s: "},
		"an error": {
			func(*flow.Attempt) (any, error) { return nil, flow.Permanent(errors.New(strings.Repeat("x", 300_000))) },
			"x… (cut off here, 300019 bytes in all)",
		},
		"a step in a step": {func(a *flow.Attempt) (any, error) {
			unseen := func() (any, error) { return flow.Do(a, "inner", func(*flow.Attempt) (any, error) { return 1, nil }) }
			return flow.Step(a, "plain", func(*durable.Tx) (any, error) { return unseen() })
		}, "the tool test awaits inside of step plain, and a step must not"},
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t)
			w.start(func(ctx *flow.Context) (json.RawMessage, error) {
				_, err := flow.Do(ctx, "s", c.f)
				return nil, err
			})
			_, err, done := w.routine.Done()
			if !done {
				t.Fatal("it is not done")
			}
			wantWords(t, err, c.want)
		})
	}
}

// TestNoNumberIsUsedTwice checks that an await gets no number that one inside of a step had: what
// comes late for that one must not end this one.
func TestNoNumberIsUsedTwice(t *testing.T) {
	for _, evicted := range []bool{false, true} {
		w := open(t)
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			before := c.Await(w.bell("before"))
			if _, err := flow.Do(c, "s", func(a *flow.Attempt) ([]byte, error) {
				data, err := a.Await(w.bell(fmt.Sprint("attempt ", a.Number()))).Wait()
				if a.Number() == 1 {
					err = errors.New("no luck")
				}
				return data, err
			}); err != nil {
				return nil, err
			}
			if _, err := before.Wait(); err != nil {
				return nil, err
			}
			flow.Now(c)
			return c.Await(w.bell("behind")).Wait()
		})
		for _, name := range []string{"attempt 1", "attempt 2"} {
			w.ring(name, "")
			if evicted {
				w.evict()
			}
			w.pass(2 * time.Second)
		}
		if evicted {
			w.evict()
		}
		w.ring("before", "")
		for _, name := range []string{"attempt 1", "attempt 2"} {
			w.ring(name, "late")
		}
		w.ring("behind", "1")
		w.wants("1")
		seen := map[flow.Key]bool{}
		for _, key := range w.keys {
			seen[key] = true
		}
		if len(seen) != 4 {
			t.Errorf("evicted %v: got %v", evicted, w.keys)
		}
	}
}

// TestWhatAStepHasBegunEndsWithIt is the error of code that waits for it outside.
func TestWhatAStepHasBegunEndsWithIt(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		var b *flow.Branch[int]
		if _, err := flow.Do(c, "s", func(a *flow.Attempt) (int, error) {
			b = flow.Go(a, "b", func() (int, error) { return 0, flow.Sleep(a, hour) })
			return 1, flow.Sleep(a, time.Minute)
		}); err != nil {
			return nil, err
		}
		b.Cancel()
		_, err := b.Wait()
		return nil, err
	})
	w.pass(time.Minute)
	_, err, _ := w.routine.Done()
	wantWords(t, err, "the tool test waits for what a step has begun, and the step has ended")
	if w.scheduled() != 0 {
		t.Error("something is still scheduled")
	}
}

// TestAttemptDiverges names the await of an attempt that is another one, or is missing.
func TestAttemptDiverges(t *testing.T) {
	for then, want := range map[string]string{
		"other": `its await 2 was "a" and is "other" now`,
		"":      `its await 2 was "a" and is "its end" now`,
	} {
		w := open(t)
		name := "a"
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			return flow.Do(c, "s", func(a *flow.Attempt) (json.RawMessage, error) {
				if name == "" {
					return nil, nil
				}
				return a.Await(w.bell(name)).Wait()
			})
		})
		name = then
		w.evict()
		_, err, _ := w.routine.Done()
		wantWords(t, err, want)
	}
}

// TestCancelledStep ends with the branch around it.
func TestCancelledStep(t *testing.T) {
	for _, evicted := range []bool{false, true} {
		w := open(t)
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			b := flow.Go(c, "b", func() ([]byte, error) {
				return flow.Do(c, "outer", func(a *flow.Attempt) ([]byte, error) {
					return flow.Do(a, "inner", func(a *flow.Attempt) ([]byte, error) { return a.Await(w.bell("a")).Wait() })
				})
			})
			if err := flow.Sleep(c, time.Minute); err != nil {
				return nil, err
			}
			b.Cancel()
			_, err := b.Wait()
			if !errors.Is(err, flow.ErrCancelled) {
				t.Errorf("got %v", err)
			}
			return json.RawMessage(`1`), flow.Sleep(c, time.Minute)
		})
		if evicted {
			w.evict()
		}
		w.pass(time.Minute)
		if evicted {
			w.evict()
		}
		if w.rows() != 4 || w.scheduled() != 1 {
			t.Errorf("%d rows, %d entries", w.rows(), w.scheduled())
		}
		w.pass(time.Minute)
		w.wants("1")
		if got := w.begun[len(w.begun)-1]; got != "cancel a: cancelled" {
			t.Errorf("got %q", w.begun)
		}
	}
}

// TestNext returns branches in the order of their ends, which every life keeps, and cancels none.
func TestNext(t *testing.T) {
	for lost := range 1 << 4 {
		w := open(t)
		w.start(func(c *flow.Context) (json.RawMessage, error) {
			list, names := []flow.Waitable{}, []string{"a", "b", "c"}
			for _, name := range names[:2] {
				list = append(list, flow.Go(c, name, func() ([]byte, error) { return c.Await(w.bell(name)).Wait() }))
			}
			list = append(list, c.Await(w.bell("c")))
			all := ""
			for len(list) > 0 {
				i := flow.Next(list...)
				all += names[i]
				list, names = slices.Delete(list, i, i+1), slices.Delete(names, i, i+1)
			}
			late, err := flow.Within(c, time.Minute, func() (int, error) { return flow.Next(c.Await(w.bell("late"))), nil })
			return json.RawMessage(fmt.Sprintf("%q", fmt.Sprint(all, late, flow.Next()))), err
		})
		for i, name := range []string{"c", "a", "b"} {
			if lost>>i&1 == 1 {
				w.evict()
			}
			if i == 0 {
				w.ringQuietly("b", "")
			}
			w.ring(name, "")
		}
		if lost>>3&1 == 1 {
			w.evict()
		}
		w.pass(time.Minute)
		w.wants(`"cba-1 -1"`)
	}
}

// TestSleepUntil waits until a time, and not at all for one that is over.
func TestSleepUntil(t *testing.T) {
	w := open(t)
	w.start(func(c *flow.Context) (json.RawMessage, error) {
		begun := flow.Now(c)
		for _, at := range []time.Time{begun.Add(time.Hour), begun} {
			if err := flow.SleepUntil(c, at); err != nil {
				return nil, err
			}
		}
		return json.Marshal(flow.Now(c).Sub(begun).String())
	})
	w.pass(59 * time.Minute)
	w.evict()
	w.pass(time.Minute)
	w.pass(0)
	w.wants(`"1h0m0s"`)
}
