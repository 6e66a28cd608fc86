package chat

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// keepTime lets the schedule follow a run's deadline.
func (h *Host) keepTime(tx *durable.Tx, r run.Run) {
	switch {
	case r.Timeout == 0:
	case r.Deadline > 0 && !r.Status.Final():
		tx.Schedule(dueTimeout, r.ID, r.Deadline)
	default:
		tx.Unschedule(dueTimeout, r.ID)
	}
}

// timeOut closes a run that has taken too long.
func (h *Host) timeOut(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok {
		h.stopRun(tx, r, run.TimedOut, fmt.Sprintf("the run took longer than %s", time.Duration(r.Timeout)*time.Millisecond))
	}
}
