package supervisor

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// isDormant says whether a run needs no attention. It waits for a person, is paused, or is idle
// until the schedule opens its stream again.
func (s *Supervisor) isDormant(tx *durable.Tx, r run.Run) bool {
	return s.tailReaders[r.ID] == nil && (r.Status == run.Waiting || r.Status == run.Paused || r.Status == run.Running && tx.Scheduled(dueTail, r.ID))
}

// suspendRun notes at the parent that nothing happens in a run before a certain time.
func (s *Supervisor) suspendRun(tx *durable.Tx, r run.Run, until int64) {
	delete(s.tailReaders, r.ID)
	tx.Schedule(dueTail, r.ID, until)
	s.ArmReconcile(tx)
	s.report(tx, Dormant{}) // this object's own parent may wait for this
}

// AllDormant says whether every active run is dormant.
func (s *Supervisor) AllDormant(tx *durable.Tx) bool {
	return !slices.ContainsFunc(run.Active(tx), func(r run.Run) bool { return !s.isDormant(tx, r) })
}

// WaitsFor returns the calls that the active runs wait for, if every one of them waits for a person
// or is paused. held says that at least one is, and none goes on by itself.
func (s *Supervisor) WaitsFor(tx *durable.Tx) (calls []string, held bool) {
	active := run.Active(tx)
	for _, r := range active {
		still := r.Status == run.Waiting || r.Status == run.Paused
		if !still || r.Pause.Due || s.tailReaders[r.ID] != nil || s.unacknowledged[r.ID] > 0 || run.AnswerPending(tx, r.ID) || s.waking[r.ID] {
			return nil, false
		}
		calls = append(calls, r.WaitsFor...)
	}
	return calls, len(active) > 0
}

// Pending returns what the helpers of the active runs ask people, as they have last told it.
func (s *Supervisor) Pending(tx *durable.Tx) []run.Pending {
	var list []run.Pending
	for _, r := range run.Active(tx) {
		list = append(list, run.PendingOf(tx, r)...)
	}
	return list
}

// AwaitsHelpers says whether a helper has to acknowledge something yet.
func (s *Supervisor) AwaitsHelpers(tx *durable.Tx) bool {
	return len(s.unacknowledged) > 0 || len(run.UnacknowledgedAnswers(tx)) > 0 || len(run.Signalled(tx)) > 0 ||
		slices.ContainsFunc(run.Active(tx), pauseDue)
}

// Waking says whether a helper was woken and has not answered.
func (s *Supervisor) Waking() bool { return len(s.waking) > 0 }

// Following says whether the stream of a helper is open.
func (s *Supervisor) Following() bool { return len(s.tailReaders) > 0 }

// ForgetSent forgets what the helper of a run was sent and has not acknowledged: the socket that it
// came from is gone.
func (s *Supervisor) ForgetSent(run string) { delete(s.unacknowledged, run) }
