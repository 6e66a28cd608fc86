package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// StopOfTurn stops the runs of a turn: none of them outlives it.
func (s *Supervisor) StopOfTurn(tx *durable.Tx, turn int64, words string) {
	for _, r := range run.OfTurn(tx, turn) {
		s.Stop(tx, r, run.Cancelled, words)
	}
}

// Clear stops every run, with a reason in words, and wipes every helper.
func (s *Supervisor) Clear(tx *durable.Tx, words string) {
	for _, r := range run.Unfinished(tx) {
		if r.Hosted != nil {
			r.Hosted.Cleared = true
			run.KeepHosted(tx, &r)
		}
		s.Stop(tx, r, run.Cancelled, words)
	}
	for _, r := range run.Every(tx) {
		if !r.Status.Final() && r.Hosted == nil { // the row of the run is damaged
			s.Stop(tx, r, run.Cancelled, words)
			r, _ = run.Find(tx, r.ID)
		}
		if d, found := run.FindDelivery(tx, r.ID); found && d.State != run.Dead {
			run.ForgetAfter(tx, r.ID) // the end of the run is handed over first
			continue
		}
		if r.Status.Final() {
			s.Wipe(tx, r)
		}
	}
	s.ArmReconcile(tx)
}
