package sim

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// endsAreTold is that the end of a detached run is handed over once and never again, that it
// is its end, and that a handler which fails is not called for ever.
func endsAreTold(s *Sim, h durabletest.HandledEvent) {
	if s.methodCalls == nil || h.Slot != "" || h.Trap != nil || !s.made(h.Object) {
		return
	}
	for _, r := range s.checks.runs {
		if r.handler != "" {
			s.checks.detached[r.id] = r.status
		}
	}
	for _, row := range s.rows(h.Object, `SELECT run FROM letter WHERE state = 'dead'`) {
		s.checks.dead[row.Text(0)] = true
	}
	taken := s.book(h.Object).Taken
	for _, id := range sortedKeys(taken) {
		t, status := taken[id], s.checks.detached[id]
		switch {
		case t.Took > 1:
			s.fail("ledger", "the end of %s is told twice", id)
		case t.Tries > maxTries:
			s.fail("ledger", "the end of %s is handed over for the %dth time", id, t.Tries)
		case !final(status):
			s.fail("ledger", "the end of %s is told, which is %q", id, status)
		case t.Took == 1 && t.Status != status:
			s.fail("ledger", "of %s is told that it is %s, and it is %s", id, t.Status, status)
		}
	}
}

// everyEndIsTold is that nobody's end is forgotten: it was told, or is dead in the ledger because its
// handler has failed. A dead letter is kept with its run, so that a person who clears the conversation
// deletes both.
func everyEndIsTold(s *Sim) {
	root := s.world.Object("")
	if s.methodCalls == nil || !s.made(root) {
		return
	}
	taken := s.book(root).Taken
	for _, id := range sortedKeys(s.checks.detached) {
		failed := s.checks.rootTraps > 0 || taken[id].Tries == maxTries
		listed := len(s.rows(root, `SELECT 1 FROM letter WHERE run = ? AND state = 'dead'`, id)) > 0
		deleted := s.checks.dead[id] && len(s.rows(root, `SELECT 1 FROM run WHERE id = ?`, id)) == 0
		if taken[id].Took == 0 && (!listed && !deleted || !failed) {
			s.fail("ledger", "the end of %s is not told, after %d tries", id, taken[id].Tries)
		}
	}
	for _, row := range s.rows(root, `SELECT run, state FROM letter WHERE state != 'dead'`) {
		s.fail("ledger", "the end of %s rests in the ledger as %s", row.Text(0), row.Text(1))
	}
}

// progressAgrees is that a parent knows the last that a helper has said of how far it has
// come, and all its milestones.
func progressAgrees(s *Sim, object, helper, run string) {
	have := s.rows(object, `SELECT reports, milestones FROM run WHERE id = ?`, run)[0]
	for _, row := range s.rows(helper, `SELECT reported FROM task WHERE run = ?`, run) {
		var said struct {
			Report     struct{ N int64 }
			Milestones int64
		}
		if text := row.Text(0); text != "" && json.Unmarshal([]byte(text), &said) != nil {
			s.fail("progress", "of %s is stored %s", run, text)
		}
		if said.Report.N != have.Int(0) || said.Milestones != have.Int(1) {
			s.fail("progress", "%s has said %d times how far it is, and reached %d milestones; its parent knows of %d and %d",
				run, said.Report.N, said.Milestones, have.Int(0), have.Int(1))
		}
	}
}

// runReports is what a connection has heard of a run beside its chunks.
type runReports struct {
	progress   string
	milestones int64
}

const progressChunk = `{"type":"data-agent-progress"`

// heardReport follows progress, of which the last counts, and milestones, which come once and
// in order.
func (s *Sim) heardReport(key, body string) {
	r := s.checks.reports[key]
	if r == nil {
		r = &runReports{}
		s.checks.reports[key] = r
	}
	if strings.HasPrefix(body, progressChunk) {
		r.progress = body
		return
	}
	var m struct{ Data struct{ Sequence int64 } }
	if json.Unmarshal([]byte(body), &m) != nil || m.Data.Sequence != r.milestones {
		s.fail("progress", "%s hears of a milestone as %s, after %d", key, body, r.milestones)
	}
	r.milestones++
}

// sameProgress is that a tab which was there has heard the same in the end as one that comes.
func (s *Sim) sameProgress(t, fresh *tab, run string) {
	heard := func(t *tab) (r runReports) {
		if have := s.checks.reports[string(t.conn)+" run "+run]; have != nil {
			r = *have
		}
		return r
	}
	if got, want := heard(t), heard(fresh); got != want {
		s.fail("progress", "of %s, %s was told %v, and who comes now is told %v", run, t.name, got, want)
	}
}
