package supervisor

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// AbandonAwait ends a routine's await of a run. If nothing else awaits the run and the routine
// wants it stopped, the run is stopped. Otherwise the run ends with its turn.
func (s *Supervisor) AbandonAwait(tx *durable.Tx, key flow.Key, why flow.Reason) {
	if s.config.Helper {
		run.LeaveMilestone(tx, run.Waiter(key)) // the root has not answered for a detached run
	}
	r, alone := run.Leave(tx, run.Waiter(key))
	switch {
	case !alone, r.Detached():
	case why == flow.TimedOut:
		s.Stop(tx, r, run.TimedOut, "the tool that began it has no more time")
	case why == flow.Cancelled:
		s.Stop(tx, r, run.Cancelled, "the tool that began it has cancelled it")
	}
}

// Find returns a run, or an error that says that there is none.
func Find(tx *durable.Tx, id string) (run.Run, error) {
	r, ok := run.Find(tx, id)
	if !ok {
		return r, fmt.Errorf("there is no run %.80q", id)
	}
	return r, nil
}
