package run_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

var limits = run.Limits{Concurrent: 2, Queued: 2}

func open(t *testing.T) *durable.Tx {
	t.Helper()
	tx := durable.NewTx(1000, durabletest.Memory(t), durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema, run.Schema)
	return tx
}

func asked(id string) run.Run {
	return run.Run{ID: id, Class: "Researcher", Turn: 7, Input: []byte(`{"q":1}`)}
}

func begin(t *testing.T, tx *durable.Tx, id string) run.Run {
	t.Helper()
	r, ok := run.Begin(tx, asked(id), limits)
	if !ok {
		t.Fatalf("%s was not begun", id)
	}
	return r
}

// TestMoves tries every status against every other.
func TestMoves(t *testing.T) {
	all := []run.Status{run.Starting, run.Running, run.Waiting, run.Completed, run.Failed, run.Aborted, run.Interrupted}
	senseless := map[string]bool{
		"starting waiting": true, "running starting": true, "waiting starting": true, "interrupted starting": true,
		"starting interrupted": true, "running interrupted": true, "waiting interrupted": true,
	}
	for _, from := range all {
		for _, to := range all {
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				tx := open(t)
				r := begin(t, tx, "r")
				r.Status = from
				defer func() {
					if p := recover(); (p != nil) != senseless[string(from)+" "+string(to)] {
						t.Errorf("panic %v", p)
					}
				}()
				if got, want := run.Move(tx, &r, to, run.Result{Summary: "s"}), !from.Final() && from != to; got != want {
					t.Errorf("moved %v, want %v", got, want)
				}
			})
		}
	}
}

func TestAResultIsStored(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	want := run.Result{Summary: "s", Output: []byte(`{"a":1}`), Failure: "f", Reason: run.InvalidOutput}
	run.Move(tx, &r, run.Running, run.Result{})
	stream.Append(tx, r.Log(), 0, []byte("1"), []byte("2"), []byte("3"))
	if got, _ := run.Find(tx, "r"); got.Next != 3 {
		t.Errorf("chunk %d is next, want 3", got.Next)
	}
	run.Move(tx, &r, run.Completed, want)
	if run.Move(tx, &r, run.Failed, run.Result{Failure: "late"}) {
		t.Error("late news changed a final run")
	}
	got, ok := run.Find(tx, "r")
	if !ok || got.Status != run.Completed || got.Next != 3 || fmt.Sprint(got.Result) != fmt.Sprint(want) {
		t.Errorf("got %+v", got)
	}
}

func TestTheSameIdJoins(t *testing.T) {
	tx := open(t)
	first := begin(t, tx, "r")
	later := asked("r")
	later.Turn = 8
	again, joined, err := run.Join(tx, later)
	if err != nil || !joined || again.Seq != first.Seq || len(run.OfTurn(tx, 7)) != 0 || len(run.OfTurn(tx, 8)) != 1 {
		t.Errorf("got %+v, %v, %v", again, joined, err)
	}
	for _, other := range []run.Run{{ID: "r", Class: "Planner", Input: []byte(`{"q":1}`)}, {ID: "r", Class: "Researcher", Input: []byte(`{}`)}} {
		if _, _, err := run.Join(tx, other); !errors.Is(err, run.ErrOtherInput) {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// TestQueue shows that a run above the concurrent places waits, and a run above the queue's limit
// is not begun.
func TestQueue(t *testing.T) {
	tx := open(t)
	var runs []run.Run
	for i := range 4 {
		runs = append(runs, begin(t, tx, fmt.Sprint("r", i)))
	}
	for i, want := range []int{1, 2, 0, 0} {
		if runs[i].Slot != want {
			t.Errorf("r%d has slot %d, want %d", i, runs[i].Slot, want)
		}
	}
	if _, ok := run.Begin(tx, asked("r4"), limits); ok {
		t.Error("the queue has no limit")
	}
	if _, ok := run.NextQueued(tx, limits); ok {
		t.Error("a place was given that is not free")
	}
	run.Move(tx, &runs[0], run.Failed, run.Result{Failure: "x"})
	next, ok := run.NextQueued(tx, limits)
	if !ok || next.ID != "r2" || next.Slot != 3 {
		t.Errorf("next is %+v", next)
	}
	begin(t, tx, "r4")
}

// TestARefusedRunLeavesItsIdFree shows the same for a run that no helper took, and for no other.
func TestARefusedRunLeavesItsIdFree(t *testing.T) {
	tx := open(t)
	refused := run.Refuse(tx, asked("refused"), run.Result{Failure: "no", Reason: run.TooMany})
	if refused.Status != run.Failed || refused.Slot != 0 || refused.EndedAt != tx.Now {
		t.Errorf("refused: %+v", refused)
	}
	lost, failed, stopped := begin(t, tx, "lost"), begin(t, tx, "failed"), begin(t, tx, "stopped")
	run.Move(tx, &lost, run.Failed, run.Result{Reason: run.NotStarted})
	run.Release(tx, &lost)
	run.Move(tx, &failed, run.Failed, run.Result{})
	run.Cancel(tx, &stopped, run.Cancelled, "stopped in the queue")
	for id, free := range map[string]bool{"refused": true, "lost": true, "failed": false, "stopped": false} {
		if _, joined, err := run.Join(tx, asked(id)); err != nil || joined == free {
			t.Errorf("%s: joined %v, %v", id, joined, err)
		}
	}
	if again := begin(t, tx, "refused"); again.Seq == refused.Seq || again.Status != run.Starting {
		t.Errorf("again: %+v", again)
	}
	if again := begin(t, tx, "lost"); again.Slot == 0 {
		t.Errorf("the slot of a run that was not started is not free: %+v", again)
	}
}

// TestWaiters shows that several waiters can await one run, and that each is told once.
func TestWaiters(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	want := []run.Waiter{{Routine: "a", Position: 1}, {Routine: "a", Position: 2}, {Routine: "b", Position: 0}}
	for _, i := range []int{2, 0, 1} {
		run.Await(tx, r, want[i])
	}
	if got := run.TakeWaiters(tx, r); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := run.TakeWaiters(tx, r); got != nil {
		t.Errorf("told twice: %v", got)
	}
}

// TestClock shows that time counts in the queue and at work, and not while a run waits for a
// person.
func TestClock(t *testing.T) {
	tx := open(t)
	asked := asked("r")
	asked.Timeout = 500
	r, _ := run.Begin(tx, asked, limits)
	check := func(what string, deadline, left int64) {
		t.Helper()
		if got, _ := run.Find(tx, "r"); got.Deadline != deadline || got.TimeLeft != left || r.Deadline != deadline {
			t.Errorf("%s: deadline %d, left %d; want %d, %d", what, got.Deadline, got.TimeLeft, deadline, left)
		}
	}
	check("begun", 1500, 0)
	tx.Now = 1200
	run.Move(tx, &r, run.Running, run.Result{})
	check("running", 1500, 0)
	run.Wait(tx, &r, []string{"c"}, nil)
	check("waiting", 0, 300)
	tx.Now = 9000
	run.Move(tx, &r, run.Running, run.Result{})
	check("running again", 9300, 0)
}

// TestUsage shows that a late or repeated report counts once, and that later usage counts in the
// sum of all turns.
func TestUsage(t *testing.T) {
	tx := open(t)
	a, b := begin(t, tx, "a"), begin(t, tx, "b")
	steps := []struct {
		run         *run.Run
		total       run.Usage
		fresh       bool
		turn, every run.Usage
	}{
		{&a, run.Usage{InputTokens: 1, OutputTokens: 2, ModelCalls: 1}, true, run.Usage{1, 2, 1}, run.Usage{1, 2, 1}},
		{&b, run.Usage{InputTokens: 10, ModelCalls: 1}, true, run.Usage{11, 2, 2}, run.Usage{11, 2, 2}},
		{&a, run.Usage{InputTokens: 1, OutputTokens: 2, ModelCalls: 1}, false, run.Usage{11, 2, 2}, run.Usage{11, 2, 2}},
		{&a, run.Usage{InputTokens: 1, OutputTokens: 5, ModelCalls: 2}, true, run.Usage{11, 5, 3}, run.Usage{11, 5, 3}},
		{&a, run.Usage{}, false, run.Usage{11, 5, 3}, run.Usage{11, 5, 3}},
	}
	for i, s := range steps {
		if run.Spend(tx, s.run, s.total) != s.fresh || run.Spent(tx, 7) != s.turn || run.Spent(tx, 0) != s.every {
			t.Errorf("step %d: turn %v, all %v", i, run.Spent(tx, 7), run.Spent(tx, 0))
		}
	}
	run.ForgetSpent(tx, 7)
	run.Spend(tx, &b, run.Usage{InputTokens: 20, ModelCalls: 1})
	if run.Spent(tx, 7) != (run.Usage{}) || run.Spent(tx, 0) != (run.Usage{21, 5, 3}) {
		t.Errorf("after the turn: turn %v, all %v", run.Spent(tx, 7), run.Spent(tx, 0))
	}
	if got, _ := run.Find(tx, "b"); got.InputTokens != 20 {
		t.Errorf("b has %v", got.Usage)
	}
}

// TestReport shows that a late or repeated report changes nothing.
func TestReport(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "r")
	if got, _ := run.Find(tx, "r"); got.Progress != nil {
		t.Errorf("before the first: %+v", got.Progress)
	}
	for i, s := range []struct {
		n     int64
		phase string
		news  bool
		want  string
	}{{0, "none", false, ""}, {2, "two", true, "two"}, {2, "again", false, "two"}, {1, "late", false, "two"}, {3, "three", true, "three"}} {
		if run.Report(tx, &r, s.n, run.Progress{Phase: s.phase, Data: []byte(`{"n":"<b>"}`)}) != s.news {
			t.Errorf("step %d: news is %v", i, !s.news)
		}
		if got, _ := run.Find(tx, "r"); s.want != "" && (got.Progress == nil || got.Progress.Phase != s.want || string(got.Progress.Data) != `{"n":"<b>"}`) {
			t.Errorf("step %d: %+v", i, got.Progress)
		}
	}
}

func TestRetryable(t *testing.T) {
	for _, test := range []struct {
		status run.Status
		reason run.Reason
		want   bool
	}{
		{run.Failed, "", true},
		{run.Failed, run.InvalidOutput, true},
		{run.Failed, run.NotStarted, true},
		{run.Failed, run.TooMany, true},
		{run.Failed, run.Refused, false},
		{run.Failed, run.TooDeep, false},
		{run.Failed, run.OverBudget, false},
		{run.Failed, run.OtherInput, false},
		{run.Aborted, run.Cancelled, false},
		{run.Aborted, "", false},
		{run.Aborted, run.TimedOut, true},
	} {
		if got := run.Retryable(test.status, test.reason); got != test.want {
			t.Errorf("%s %s: %v", test.status, test.reason, got)
		}
	}
}

// TestSlotsAreReused shows that the facet name of a deleted run is used again.
func TestSlotsAreReused(t *testing.T) {
	tx := open(t)
	r := begin(t, tx, "a")
	run.Move(tx, &r, run.Completed, run.Result{})
	if slot := run.Delete(tx, r); slot != 1 {
		t.Errorf("freed %d", slot)
	}
	if b := begin(t, tx, "b"); b.Slot != 1 {
		t.Errorf("slot %d, want 1", b.Slot)
	}
}

// TestCancelIsDurableBeforeItIsSent tests invariant I9.
func TestCancelIsDurableBeforeItIsSent(t *testing.T) {
	tx := open(t)
	working, waiting := begin(t, tx, "a"), run.Run{}
	begin(t, tx, "b")
	waiting = begin(t, tx, "c")
	for _, r := range []*run.Run{&working, &waiting} {
		if !run.Cancel(tx, r, run.TimedOut, "stopped") || run.Cancel(tx, r, run.Cancelled, "again") {
			t.Errorf("%s: cancel is not once", r.ID)
		}
	}
	due := run.UnacknowledgedCancels(tx)
	if len(due) != 1 || due[0].ID != "a" || due[0].Status != run.Aborted || due[0].Failure != "stopped" || due[0].Reason != run.TimedOut {
		t.Errorf("to cancel: %+v", due)
	}
	if expired := run.Unkept(tx, run.Keep{}); len(expired) != 1 || expired[0].ID != "c" {
		t.Errorf("expired: %+v", expired)
	}
	run.CancelAcknowledged(tx, "a")
	if len(run.UnacknowledgedCancels(tx)) != 0 {
		t.Error("still to be told")
	}
}

// TestRepeatedRunIsKept keeps a run while another one repeats it, whose journal is copied from there.
func TestRepeatedRunIsKept(t *testing.T) {
	tx := open(t)
	first := begin(t, tx, "a")
	run.Move(tx, &first, run.Completed, run.Result{})
	again := asked("a.1")
	again.Restart.Of = "a"
	second, _ := run.Begin(tx, again, limits)
	begin(t, tx, "b")
	if expired := run.Unkept(tx, run.Keep{}); len(expired) != 0 {
		t.Errorf("expired: %+v", expired)
	}
	run.Move(tx, &second, run.Completed, run.Result{})
	if expired := run.Unkept(tx, run.Keep{}); len(expired) != 2 {
		t.Errorf("expired: %+v", expired)
	}
}

// TestRetention keeps runs by number and by age, and all runs that are not final.
func TestRetention(t *testing.T) {
	tx := open(t)
	for i := range 5 {
		r := begin(t, tx, fmt.Sprint("r", i))
		run.Move(tx, &r, run.Completed, run.Result{})
	}
	begin(t, tx, "live")
	ids := func(keep run.Keep) (s string) {
		for _, r := range run.Unkept(tx, keep) {
			s += r.ID + " "
		}
		return s
	}
	second := time.Second
	if got := ids(run.Keep{Runs: 3, Age: second}); got != "r0 r1 " {
		t.Errorf("by number: %q", got)
	}
	stopped := begin(t, tx, "stopped")
	run.Cancel(tx, &stopped, run.Cancelled, "")
	run.CancelAcknowledged(tx, "stopped")
	if got := ids(run.Keep{Runs: 4, Age: second, Status: map[run.Status]run.Keep{run.Aborted: {}}}); got != "stopped r0 " {
		t.Errorf("by status: %q", got)
	}
	tx.Now += 2000
	if got := ids(run.Keep{Runs: 10, Age: second, Status: map[run.Status]run.Keep{run.Aborted: {Runs: 1, Age: time.Hour}}}); got != "r0 r1 r2 r3 r4 " {
		t.Errorf("by age: %q", got)
	}
	list := func(f run.Filter) (s string) {
		for _, r := range run.List(tx, f) {
			s += r.ID + " "
		}
		return s
	}
	if got := list(run.Filter{Limit: 2}); got != "stopped live " {
		t.Errorf("newest: %q", got)
	}
	if got := list(run.Filter{Status: []run.Status{run.Aborted, run.Starting}}); got != "stopped live " {
		t.Errorf("of a status: %q", got)
	}
	if got := run.Active(tx); len(got) != 1 || got[0].ID != "live" {
		t.Errorf("active: %+v", got)
	}
}
