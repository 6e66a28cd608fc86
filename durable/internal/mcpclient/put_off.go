package mcpclient

import "github.com/tributary-agents/tributary/durable"

// This file is about the servers of a helper whose run is paused. They are asked when the run goes on.

// DuePutOff is the kind of the entries of the schedule that wait until the object is not held any more. The id is that of
// the server that is asked then.
const DuePutOff = "mcp-held"

// putOff puts an exchange off if the object is held, and says whether it is. What was read of the server is read again.
func (r *Servers) putOff(tx *durable.Tx, s *Server) bool {
	if r.config.Paused == nil || !r.config.Paused() {
		return false
	}
	delete(r.exchanges, s.ID)
	if tx.Scheduled(Due, s.ID) {
		tx.Unschedule(Due, s.ID)
	}
	tx.Schedule(DuePutOff, s.ID, tx.Now)
	s.tries = 0
	s.save(tx)
	return true
}
