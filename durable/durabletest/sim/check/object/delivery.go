package object

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// EndsAreDelivered checks that the end of a detached run is accepted once, with the run's own
// status, and that a handler that fails is not called for ever.
func (r *Rules) EndsAreDelivered(e check.Event) {
	if r.MethodCalls == nil || e.Slot != "" || e.Trap != nil || !r.Made(e.Object) {
		return
	}
	for _, run := range e.Runs {
		if run.Handler != "" {
			r.detached[run.ID] = run.Status
		}
	}
	for _, row := range r.Rows(e.Object, `SELECT run FROM letter WHERE state = 'dead'`) {
		r.dead[row.Text(0)] = true
	}
	taken := r.Records(e.Object).Taken
	for _, id := range slices.Sorted(maps.Keys(taken)) {
		t, status := taken[id], r.detached[id]
		switch {
		case t.Took > 1:
			r.Fail("ledger", "the end of %s is accepted twice", id)
		case t.Tries > contract.MaxTries:
			r.Fail("ledger", "the end of %s is delivered for the %dth time", id, t.Tries)
		case !stored.Final(status):
			r.Fail("ledger", "the end of %s is delivered, and its status is %q", id, status)
		case t.Took == 1 && t.Status != status:
			r.Fail("ledger", "the end of %s is delivered as %s, and is %s", id, t.Status, status)
		}
	}
}

// EveryEndIsDelivered checks that in a world at rest the end of each detached run was accepted, or
// is a dead letter because its handler has failed. A dead letter is kept with its run, and a person
// who clears the conversation deletes both.
func (r *Rules) EveryEndIsDelivered() {
	root := r.World.Object("")
	r.noEndIsLost(root)
	if r.MethodCalls == nil || !r.Made(root) {
		return
	}
	taken := r.Records(root).Taken
	for _, id := range slices.Sorted(maps.Keys(r.detached)) {
		failed := r.rootTraps > 0 || taken[id].Tries == contract.MaxTries || r.hosted.handlers[id] != "" && r.hosted.mayBeDead(id)
		listed := len(r.Rows(root, `SELECT 1 FROM letter WHERE run = ? AND state = 'dead'`, id)) > 0
		deleted := (r.dead[id] || r.hosted.handlers[id] != "") && len(r.Rows(root, `SELECT 1 FROM run WHERE id = ?`, id)) == 0
		if taken[id].Took+r.hosted.took[id] == 0 && (!listed && !deleted || !failed) {
			r.Fail("ledger", "the end of %s is not accepted, after %d tries", id, taken[id].Tries)
		}
	}
	for _, row := range r.Rows(root, `SELECT run, state FROM letter WHERE state != 'dead'`) {
		r.Fail("ledger", "in a world at rest, the letter of %s is %s", row.Text(0), row.Text(1))
	}
}

// noEndIsLost checks that in a world at rest the end of each detached run of agents that are not
// made for the simulator was accepted by its handler. A handler that has failed each time because
// trouble was made for it is not to blame.
func (r *Rules) noEndIsLost(root string) {
	if r.Mode.Own == nil || !r.Made(root) {
		return
	}
	for _, row := range r.Rows(root, `SELECT run, handler, state, attempts, failure FROM letter`) {
		run, handler, state := row.Text(0), row.Text(1), row.Text(2)
		switch {
		case state != "dead":
			r.Fail("ledger", "in a world at rest, the end of the run %s for the handler %q is %s", run, handler, state)
		case len(r.WasFull) == 0 && r.harmed == 0:
			r.Fail("ledger", "the end of the run %s is lost: the handler %q has failed %d times: %s", run, handler, row.Int(3), row.Text(4))
		}
	}
}

// progressAgrees checks that a parent has stored the number of reports and of milestones that its
// helper has sent.
func (r *Rules) progressAgrees(parent, helper, run string) {
	have := r.Rows(parent, `SELECT reports, milestones FROM run WHERE id = ?`, run)[0]
	for _, row := range r.Rows(helper, `SELECT reported FROM task WHERE run = ?`, run) {
		var sent struct {
			Report     struct{ N int64 }
			Milestones int64
		}
		if text := row.Text(0); text != "" && json.Unmarshal([]byte(text), &sent) != nil {
			r.Fail("progress", "the report of %s is stored as %s", run, text)
		}
		if sent.Report.N != have.Int(0) || sent.Milestones != have.Int(1) {
			r.Fail("progress", "%s has sent %d reports and %d milestones; its parent has stored %d and %d",
				run, sent.Report.N, sent.Milestones, have.Int(0), have.Int(1))
		}
	}
}
