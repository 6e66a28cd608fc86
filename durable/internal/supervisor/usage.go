package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// addRunUsage stores the cost of a run so far, and reports it to this object's own parent.
func (s *Supervisor) addRunUsage(tx *durable.Tx, r *run.Run, total run.Usage) {
	if !run.Spend(tx, r, total) {
		return
	}
	s.report(tx, Spent{r.Turn})
}
