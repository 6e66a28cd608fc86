package remote

import "github.com/tributary-agents/tributary/durable"

// This file is about the servers of a helper whose run is paused. They are asked when the run goes on.

// DueHeld is the kind of the entries of the schedule that wait until the object is not held any more. The id is that of
// the server that is asked then.
const DueHeld = "mcp-held"

// hold puts an exchange off if the object is held, and says whether it is. What was read of the server is read again.
func (r *Servers) hold(tx *durable.Tx, s *Server) bool {
	if r.config.Held == nil || !r.config.Held() {
		return false
	}
	delete(r.exchanges, s.ID)
	if tx.Scheduled(Due, s.ID) {
		tx.Unschedule(Due, s.ID)
	}
	tx.Schedule(DueHeld, s.ID, tx.Now)
	s.tries = 0
	s.save(tx)
	return true
}
