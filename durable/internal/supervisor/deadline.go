package supervisor

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// armDeadline updates the schedule with a run's deadline.
func (s *Supervisor) armDeadline(tx *durable.Tx, r run.Run) {
	switch {
	case r.Timeout == 0:
	case r.Deadline > 0 && !r.Status.Final():
		tx.Schedule(dueDeadline, r.ID, r.Deadline)
	default:
		tx.Unschedule(dueDeadline, r.ID)
	}
}

// deadlinePassed ends a run that has taken too long.
func (s *Supervisor) deadlinePassed(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok {
		s.Stop(tx, r, run.TimedOut, fmt.Sprintf("the run took longer than %s", time.Duration(r.Timeout)*time.Millisecond))
	}
}
