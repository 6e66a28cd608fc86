package run_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/tributary-agents/tributary/durable/run"
)

func hosted(id string) run.Run {
	r := asked(id)
	r.Turn, r.Handler, r.Hosted = 0, "tell", &run.Hosted{Asked: true}
	return r
}

// TestHostedRunTakesNoPlace shows that runs that the root hosts count in none of a helper's limits, and
// are never given a slot.
func TestHostedRunTakesNoPlace(t *testing.T) {
	tx := open(t)
	for _, id := range []string{"h1", "h2", "h3", "h4", "h5"} {
		run.BeginHosted(tx, hosted(id))
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		begin(t, tx, id)
	}
	if _, ok := run.Begin(tx, asked("e"), limits); ok {
		t.Error("a run has begun beyond the limits")
	}
	a, _ := run.Find(tx, "a")
	run.Move(tx, &a, run.Completed, run.Result{})
	if next, ok := run.NextQueued(tx, limits); !ok || next.ID != "c" {
		t.Errorf("got %s, %t, want c", next.ID, ok)
	}
	if n := len(run.Active(tx)); n != 2 {
		t.Errorf("%d runs hold slots, want 2", n)
	}
}

// TestPendingRuns shows of which runs the root has still to hear something.
func TestPendingRuns(t *testing.T) {
	tx := open(t)
	begin(t, tx, "own")
	r := run.BeginHosted(tx, hosted("h"))
	check := func(when string, want int) {
		t.Helper()
		list := run.PendingHosted(tx, 16)
		if len(list) != want || run.CountPendingHosted(tx) != want {
			t.Errorf("%s: got %d, %d, want %d", when, len(list), run.CountPendingHosted(tx), want)
		}
		if want > 0 && string(list[0].Input) != string(r.Input) {
			t.Errorf("%s: the input is %s", when, list[0].Input)
		}
	}
	check("asked", 1)
	r.Hosted.Asked = false
	run.KeepHosted(tx, &r)
	check("heard", 0)
	r.Hosted.Cancel = "enough"
	run.KeepHosted(tx, &r)
	check("cancelled", 1)
	run.Move(tx, &r, run.Aborted, run.Result{})
	check("over", 0)
}

// TestRunOfAHelperIsJoinedByItAlone shows that a run is joined by a request of the helper that has
// begun it, and by no other helper, nor by the root's own code.
func TestRunOfAHelperIsJoinedByItAlone(t *testing.T) {
	path := []run.Hop{{Slot: 1, Run: "p", Generation: 1}}
	tx := open(t)
	r := asked("d")
	r.Turn, r.Handler, r.Origin = 0, "tell", &run.Origin{Path: path, Request: 1}
	run.Begin(tx, r, limits)
	for _, test := range []struct {
		name   string
		origin *run.Origin
		want   error
	}{
		{"the helper", &run.Origin{Path: path, Request: 2}, nil},
		{"its parent's code", nil, run.ErrOtherHandler},
		{"a later helper in its slot", &run.Origin{Path: []run.Hop{{Slot: 1, Run: "p", Generation: 2}}}, run.ErrOtherHandler},
		{"its own helper", &run.Origin{Path: append(path[:1:1], run.Hop{Slot: 1, Run: "q", Generation: 1})}, run.ErrOtherHandler},
	} {
		r.Origin = test.origin
		if _, joined, err := run.Join(tx, r); !errors.Is(err, test.want) || joined != (test.want == nil) {
			t.Errorf("%s: got %t, %v, want %v", test.name, joined, err, test.want)
		}
	}
}

// TestDamagedOriginIsNoOnes shows that a run whose origin is damaged belongs to no helper.
func TestDamagedOriginIsNoOnes(t *testing.T) {
	tx := open(t)
	begin(t, tx, "d")
	for _, damage := range []string{`{"path":"no"}`, `[]`} {
		tx.SQL(`UPDATE run SET origin = ?`, damage)
		if r, _ := run.Find(tx, "d"); r.Origin == nil || len(r.Origin.Path) != 0 || r.Origin.Same(&run.Origin{Path: []run.Hop{{Slot: 1}}}) {
			data, _ := json.Marshal(r.Origin)
			t.Errorf("%s is read as %s", damage, data)
		}
	}
}
