package mcpclient

import "github.com/tributary-agents/tributary/durable"

// This file is about the entries of the schedule that belong to the servers.

// HandleDue handles an entry of the schedule. Nobody asks for what it begins anew.
func (r *Servers) HandleDue(tx *durable.Tx, due durable.Due) {
	defer r.unaskedFor()()
	id := due.ID
	switch due.Kind {
	case DueFrame:
		r.changed = true
		return
	case DueSign:
		r.signIn.HandleDue(tx, id)
		return
	case dueRelay:
		r.resumeRelayed(tx, id)
		return
	case dueAsked:
		r.unanswered(tx, id)
		return
	}
	if id == "" {
		r.impatient = true
		r.config.ResumeTurn(tx)
		return
	}
	s, x := r.Find(tx, id), r.exchanges[id]
	switch {
	case s == nil:
	case due.Kind == DuePutOff:
		r.begin(tx, s, s.State == Ready)
	case x != nil && x.rests:
		r.try(tx, s, x)
	case x != nil:
		r.overtime(tx, s, x)
	case s.tries >= MaxTries:
		r.Fail(tx, s, "asking the server was interrupted several times")
	default:
		r.begin(tx, s, s.State == Ready)
	}
}

// putOff puts an exchange off until the run of the helper is not paused any more, and says whether it is paused. What was read
// of the server is read again.
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
	s.Save(tx)
	return true
}
