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
	"github.com/tributary-agents/tributary/internal/draw"
)

// trial is a world in which bells ring by a script: one after the other, and when none is open, the
// time passes until something is due.
type trial struct {
	*world
	// script has what the bells of a name bring, in the order in which they begin. A text that begins
	// with an exclamation mark is a failure. The last one counts for all that follow.
	script map[string][]string
	rung   map[string]int
	// effects are the bells that have begun, each once, and steps what the observer was told.
	effects, steps []string
}

func (w *trial) ask(c flow.Awaiter, name string) (string, error) {
	type awaiter interface{ Await(flow.Op) *flow.Pending }
	data, err := c.(awaiter).Await(flow.Op{
		Name:  "bell " + name,
		Begin: func(tx *durable.Tx, _ flow.Key) { w.effects = append(w.effects, fmt.Sprint(name, " at ", w.seconds())) },
		Cancel: func(_ *durable.Tx, _ flow.Key, why flow.Reason) {
			w.effects = append(w.effects, fmt.Sprintf("cancel %s: %s", name, why))
		},
	}).Wait()
	return string(data), err
}

// seconds is the time since the world began.
func (w *trial) seconds() string {
	return fmt.Sprint(time.Duration(w.tx.Now-1_700_000_000_000) * time.Millisecond)
}

func (w *trial) observe(_ *durable.Tx, s flow.StepInfo) {
	line := fmt.Sprintf("%s %q %s %d/%d", s.ID, s.Name, s.State, s.Attempt, s.Attempts)
	if s.Error != "" {
		line += " " + s.Error
	}
	if s.RetryAt != 0 {
		line += fmt.Sprintf(" +%dms", s.RetryAt-w.tx.Now)
	}
	w.steps = append(w.steps, line)
}

// life begins a life of the routine, and loses the one before.
func (w *trial) life() {
	if w.routine != nil {
		w.routine.Drop()
	}
	w.routine = flow.Start(w.tx, routine, "the program test", w.code, flow.Options{Inbox: "run-1", Observe: w.observe})
}

// event has the next thing happen, and says whether there was any.
func (w *trial) event() bool {
	for _, row := range w.tx.SQL(`SELECT position, name FROM await WHERE ended = 0 AND name LIKE 'bell %' ORDER BY position`) {
		name := strings.TrimPrefix(row.Text(1), "bell ")
		script := w.script[name]
		if words := script[min(w.rung[name], len(script)-1)]; words != "never" {
			w.rung[name]++
			w.answer(flow.Key{Routine: routine, Position: int(row.Int(0))}, words)
			return true
		}
	}
	due := durable.NextDue(w.tx)
	if due == 0 {
		return false
	}
	w.pass(time.Duration(due-w.tx.Now) * time.Millisecond)
	return true
}

func (w *trial) answer(key flow.Key, words string) {
	if failure, failed := strings.CutPrefix(words, "!"); failed {
		flow.Complete(w.tx, key, nil, failure)
	} else {
		flow.Complete(w.tx, key, []byte(words), "")
	}
	w.routine.Resume(w.tx)
}

// outcome is all that can be seen of a trial.
type outcome struct {
	result         string
	effects, steps []string
	rows, due      int64
}

// play runs code to its end, and loses the memory before each event whose bit is set.
func play(t *testing.T, script map[string][]string, code func(w *trial, c *flow.Context) (string, error), lost uint64) (o outcome, events int) {
	t.Helper()
	w := &trial{world: open(t), script: script, rung: map[string]int{}}
	w.code = func(c *flow.Context) (json.RawMessage, error) {
		v, err := code(w, c)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
	w.life()
	for ; ; events++ {
		if lost>>events&1 == 1 {
			w.life()
		}
		result, err, done := w.routine.Done()
		if done {
			o = outcome{result: string(result), effects: w.effects, steps: w.steps, rows: w.rows(), due: w.scheduled()}
			if err != nil {
				o.result = "error: " + err.Error()
			}
			return o, events
		}
		if events > 60 || !w.event() {
			t.Fatalf("it does not end: %v", w.effects)
		}
	}
}

func (w *world) rows() int64 { return w.tx.SQL(`SELECT COUNT(*) FROM await`)[0].Int(0) }

// scenario is code with steps, and what is seen of it.
type scenario struct {
	script  map[string][]string
	code    func(w *trial, c *flow.Context) (string, error)
	result  string
	effects []string
	steps   []string
	rows    int64
}

var always = flow.Retry{Attempts: 3, First: time.Second, Delay: func(n int, _ error) time.Duration { return time.Duration(n) * time.Minute }}

// charge is a step that rings a bell.
func charge(w *trial, c *flow.Context, retry flow.Retry) (string, error) {
	return flow.Do(c, "charge", func(a *flow.Attempt) (string, error) {
		got, err := w.ask(a, "pay")
		return fmt.Sprint(got, a.Number()), err
	}, retry)
}

var scenarios = map[string]scenario{
	"success at the first": {
		script:  map[string][]string{"pay": {"ok"}},
		code:    func(w *trial, c *flow.Context) (string, error) { return charge(w, c, always) },
		result:  `"ok1"`,
		effects: []string{"pay at 0s"},
		steps:   []string{`0 "charge" running 1/3`, `0 "charge" completed 1/3`},
		rows:    1,
	},
	"failures, then success": {
		script:  map[string][]string{"pay": {"!503", "!502", "ok"}},
		code:    func(w *trial, c *flow.Context) (string, error) { return charge(w, c, always) },
		result:  `"ok3"`,
		effects: []string{"pay at 0s", "pay at 1m0s", "pay at 3m0s"},
		steps: []string{
			`0 "charge" running 1/3`, `0 "charge" waiting 1/3 503 +60000ms`,
			`0 "charge" running 2/3`, `0 "charge" waiting 2/3 502 +120000ms`,
			`0 "charge" running 3/3`, `0 "charge" completed 3/3`,
		},
		rows: 1,
	},
	"failures only": {
		script:  map[string][]string{"pay": {"!503"}},
		code:    func(w *trial, c *flow.Context) (string, error) { return charge(w, c, always) },
		result:  "error: charge: attempt 3 of 3: 503",
		effects: []string{"pay at 0s", "pay at 1m0s", "pay at 3m0s"},
		steps: []string{
			`0 "charge" running 1/3`, `0 "charge" waiting 1/3 503 +60000ms`,
			`0 "charge" running 2/3`, `0 "charge" waiting 2/3 503 +120000ms`,
			`0 "charge" running 3/3`, `0 "charge" failed 3/3 charge: attempt 3 of 3: 503`,
		},
		rows: 1,
	},
	"usual pauses": {
		script: map[string][]string{"pay": {"!503"}},
		code:   func(w *trial, c *flow.Context) (string, error) { return charge(w, c, flow.Retry{}) },
		result: "error: charge: attempt 5 of 5: 503",
		rows:   1,
	},
	"permanent": {
		script: map[string][]string{"pay": {"!400"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			_, err := flow.Do(c, "charge", func(a *flow.Attempt) (int, error) {
				_, err := w.ask(a, "pay")
				return 0, fmt.Errorf("no luck: %w", flow.Permanent(err))
			})
			return "", err
		},
		result:  "error: charge: attempt 1 of 5: no luck: 400",
		effects: []string{"pay at 0s"},
		rows:    1,
	},
	"after": {
		script: map[string][]string{"pay": {"!429", "ok"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			return flow.Do(c, "charge", func(a *flow.Attempt) (string, error) {
				got, err := w.ask(a, "pay")
				return got, flow.After(err, 90*time.Second)
			})
		},
		result:  `"ok"`,
		effects: []string{"pay at 0s", "pay at 1m30s"},
		rows:    1,
	},
	"timeout of an attempt": {
		script: map[string][]string{"pay": {"never"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			_, err := charge(w, c, flow.Retry{Attempts: 2, Timeout: time.Hour, Delay: always.Delay})
			return fmt.Sprint(err, " ", errors.Is(err, flow.ErrTimeout)), nil
		},
		result:  `"charge: attempt 2 of 2: the time is over true"`,
		effects: []string{"pay at 0s", "cancel pay: timeout", "pay at 1h1m0s", "cancel pay: timeout"},
		rows:    1,
	},
	"a limit around it, in an attempt": {
		script: map[string][]string{"pay": {"!503", "never"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			_, err := flow.Within(c, 2*time.Minute, func() (string, error) { return charge(w, c, always) })
			return fmt.Sprint(err, " ", errors.Is(err, flow.ErrTimeout)), flow.Sleep(c, time.Hour)
		},
		result:  `"charge: attempt 2 of 3: the time is over true"`,
		effects: []string{"pay at 0s", "pay at 1m0s", "cancel pay: timeout"},
		rows:    3,
	},
	"a limit around it, in a pause": {
		script: map[string][]string{"pay": {"!503"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			_, err := flow.Within(c, 2*time.Minute, func() (string, error) { return charge(w, c, always) })
			_, late := flow.Within(c, 0, func() (string, error) {
				if err := flow.Sleep(c, time.Hour); err == nil {
					return "", nil
				}
				return charge(w, c, always)
			})
			return fmt.Sprint(err, " ", errors.Is(err, flow.ErrTimeout), "; ", late), nil
		},
		result:  `"charge: the time is over after attempt 2 of 3: 503 true; the time is over"`,
		effects: []string{"pay at 0s", "pay at 1m0s"},
		steps: []string{
			`1 "charge" running 1/3`, `1 "charge" waiting 1/3 503 +60000ms`,
			`1 "charge" running 2/3`, `1 "charge" waiting 2/3 503 +120000ms`,
			`1 "charge" failed 2/3 charge: the time is over after attempt 2 of 3: 503`,
		},
		rows: 5,
	},
	"nested": {
		script: map[string][]string{"look": {"a", "b"}, "pay": {"!1", "!2", "!3", "ok"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			return flow.Do(c, "order", func(a *flow.Attempt) (string, error) {
				got, err := w.ask(a, "look")
				if err != nil {
					return "", err
				}
				paid, err := charge(w, a.Context, always)
				return got + paid, err
			}, always)
		},
		result:  `"bok1"`,
		effects: []string{"look at 0s", "pay at 0s", "pay at 1m0s", "pay at 3m0s", "look at 4m0s", "pay at 4m0s"},
		steps: []string{
			`0 "order" running 1/3`, `0/1 "charge" running 1/3`, `0/1 "charge" waiting 1/3 1 +60000ms`,
			`0/1 "charge" running 2/3`, `0/1 "charge" waiting 2/3 2 +120000ms`, `0/1 "charge" running 3/3`,
			`0/1 "charge" failed 3/3 charge: attempt 3 of 3: 3`, `0 "order" waiting 1/3 charge: attempt 3 of 3: 3 +60000ms`,
			`0 "order" running 2/3`, `0/1 "charge" running 1/3`, `0/1 "charge" completed 1/3`, `0 "order" completed 2/3`,
		},
		rows: 1,
	},
	"in branches": {
		script: map[string][]string{"a": {"!x", "1"}, "b": {"2"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			branch := func(name string) *flow.Branch[string] {
				return flow.Go(c, name, func() (string, error) {
					return flow.Do(c, "same", func(a *flow.Attempt) (string, error) { return w.ask(a, name) }, always)
				})
			}
			all, err := flow.All(branch("a"), branch("b"))
			return strings.Join(all, ""), err
		},
		result:  `"12"`,
		effects: []string{"a at 0s", "b at 0s", "a at 1m0s"},
		steps: []string{
			`0/0 "same" running 1/3`, `1/0 "same (2)" running 1/3`, `0/0 "same" waiting 1/3 x +60000ms`,
			`1/0 "same (2)" completed 1/3`, `0/0 "same" running 2/3`, `0/0 "same" completed 2/3`,
		},
		rows: 4,
	},
	"branches in it": {
		script: map[string][]string{"a": {"1", "3"}, "b": {"!x", "4"}, "left": {"never"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			got, err := flow.Do(c, "both", func(a *flow.Attempt) (string, error) {
				branch := func(name string) *flow.Branch[string] {
					return flow.Go(c, name, func() (string, error) { return w.ask(c, name) })
				}
				branch("left")
				all, err := flow.All(branch("a"), branch("b"))
				return strings.Join(all, ""), err
			}, always)
			if err != nil {
				return "", err
			}
			return got, flow.Sleep(c, time.Hour)
		},
		result:  `"34"`,
		effects: []string{"left at 0s", "a at 0s", "b at 0s", "cancel left: cancelled", "left at 1m0s", "a at 1m0s", "b at 1m0s", "cancel left: cancelled"},
		rows:    2,
	},
	"many": {
		script: map[string][]string{"pay": {"1", "!x", "2", "3"}},
		code: func(w *trial, c *flow.Context) (string, error) {
			all := ""
			for range 3 {
				got, err := charge(w, c, always)
				if err != nil {
					return "", err
				}
				all += got
			}
			return all, nil
		},
		result:  `"112231"`,
		effects: []string{"pay at 0s", "pay at 0s", "pay at 1m0s", "pay at 1m0s"},
		steps: []string{
			`0 "charge" running 1/3`, `0 "charge" completed 1/3`,
			`1 "charge (2)" running 1/3`, `1 "charge (2)" waiting 1/3 x +60000ms`, `1 "charge (2)" running 2/3`, `1 "charge (2)" completed 2/3`,
			`2 "charge (3)" running 1/3`, `2 "charge (3)" completed 1/3`,
		},
		rows: 3,
	},
}

// TestStepsSurviveEveryLoss runs each scenario with memory lost between all of its events, and in
// every selection of them. All that can be seen stays the same.
func TestStepsSurviveEveryLoss(t *testing.T) {
	for name, s := range scenarios {
		t.Run(name, func(t *testing.T) {
			want, events := play(t, s.script, s.code, 0)
			if want.result != s.result || s.effects != nil && !slices.Equal(want.effects, s.effects) || s.steps != nil && !slices.Equal(want.steps, s.steps) {
				t.Errorf("got %s\n%q\n%q\nwant %s\n%q\n%q", want.result, want.effects, want.steps, s.result, s.effects, s.steps)
			}
			if want.rows != s.rows || want.due != 0 {
				t.Errorf("%d rows and %d entries of the schedule are left, want %d and 0", want.rows, want.due, s.rows)
			}
			for moment := range draw.Moments(t) {
				lost := uint64(moment)
				if lost >= 1<<min(events+1, 9) {
					break
				}
				if got, _ := play(t, s.script, s.code, lost); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("lost %b: got %v\nwant %v", lost, got, want)
				}
			}
		})
	}
}
