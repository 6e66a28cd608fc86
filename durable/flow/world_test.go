package flow_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

const (
	routine = "r"
	hour    = time.Hour
)

// world is one routine over its journal, with bells that are rung from outside.
type world struct {
	t       *testing.T
	tx      *durable.Tx
	code    flow.Func
	routine *flow.Routine
	begun   []string
	// handled is how many commands [world.goOn] has looked at.
	handled int
	// keys are the awaits of the bells.
	keys map[string]flow.Key
}

func open(t *testing.T) *world {
	t.Helper()
	tx := durable.NewTx(1_700_000_000_000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, flow.Schema)
	w := &world{t: t, tx: tx, keys: map[string]flow.Key{}}
	t.Cleanup(func() {
		if w.routine != nil {
			w.routine.Drop()
		}
	})
	return w
}

// bell is an op that is rung from outside.
func (w *world) bell(name string) flow.Op {
	note := func(when string) func(*durable.Tx, flow.Key) {
		return func(_ *durable.Tx, key flow.Key) {
			w.begun = append(w.begun, when+" "+name)
			w.keys[name] = key
		}
	}
	return flow.Op{Name: name, Begin: note("begin"), Again: note("again"), Cancel: func(_ *durable.Tx, _ flow.Key, why flow.Reason) {
		w.begun = append(w.begun, fmt.Sprintf("cancel %s: %s", name, why))
	}}
}

func (w *world) start(code flow.Func) {
	w.code = code
	w.routine = flow.Start(w.tx, routine, "the tool test", code, flow.Options{})
	w.routine.Flush(w.tx, false)
}

// evict loses the routine's memory.
func (w *world) evict() {
	w.routine.Drop()
	w.start(w.code)
}

// ring completes the await of a bell, and resumes the code.
func (w *world) ring(name, result string) {
	w.ringQuietly(name, result)
	w.resume()
}

func (w *world) ringQuietly(name, result string) {
	flow.Complete(w.tx, w.keys[name], []byte(result), "")
}

// pass advances the time, and wakes the sleeps that are due.
func (w *world) pass(d time.Duration) {
	w.tx.Now += d.Milliseconds()
	for _, due := range durable.TakeDue(w.tx) {
		flow.Wake(w.tx, due.ID)
	}
	w.resume()
}

// resume is the end of an event.
func (w *world) resume() {
	w.routine.Resume(w.tx)
	w.routine.Flush(w.tx, false)
}

func (w *world) scheduled() int64 { return w.tx.SQL(`SELECT COUNT(*) FROM schedule`)[0].Int(0) }

func (w *world) wants(result string) {
	w.t.Helper()
	got, err, done := w.routine.Done()
	if !done || err != nil || string(got) != result {
		w.t.Errorf("got %s, %v, done %v, want %s", got, err, done, result)
	}
}

func (w *world) log(want ...string) {
	w.t.Helper()
	if !slices.Equal(w.begun, want) {
		w.t.Errorf("got  %q\nwant %q", w.begun, want)
	}
}

func wantWords(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %q", err, words)
	}
}
