package supervisor

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// finalRuns is what is known of the final runs: there are at most so many, and the first of them
// ended at a time or later.
type finalRuns struct {
	runs  int
	first int64
}

// mayForget says whether a final run may have to be forgotten, now that another has ended. If few
// runs are kept and all of them are young, no run is looked at.
func (s *Supervisor) mayForget(tx *durable.Tx) bool {
	if s.final == nil {
		return true
	}
	s.final.runs++
	runs, age := s.config.Keep.Least()
	return s.final.runs > runs || tx.Now-s.final.first >= age.Milliseconds()
}

// forgetOld forgets the final runs that are no longer kept.
func (s *Supervisor) forgetOld(tx *durable.Tx) {
	for _, old := range run.Unkept(tx, s.config.Keep) {
		if tx.Scheduled(DueWake, old.ID) {
			tx.Log(durable.Warn, "a helper is forgotten, and its schedules with it", "run", old.ID, "class", old.Class)
		}
		s.Wipe(tx, old)
	}
	s.final = &finalRuns{}
	s.final.runs, s.final.first = run.Final(tx)
}
