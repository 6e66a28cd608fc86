package mcpclient

import "github.com/tributary-agents/tributary/durable"

// This file is about turns, which need what the servers offer.

// Patience is how long a turn waits for the first offer of a server, in milliseconds.
const Patience = 10_000

// Prepare asks the servers whose offer is missing or old. It says whether a turn has to wait for one. The
// turn is told when it need not wait any longer.
func (r *Servers) Prepare(tx *durable.Tx) (wait bool) {
	r.askStale(tx)
	if wait = r.holdsTurn(tx); wait {
		tx.Schedule(Due, "", tx.Now+Patience)
	}
	return wait
}

// askStale asks the servers whose offer is missing or old.
func (r *Servers) askStale(tx *durable.Tx) {
	defer r.unaskedFor()()
	for _, s := range r.List(tx) {
		if s.State != Authenticating && (tx.Now >= s.StaleAt || s.rests(tx.Now)) {
			r.begin(tx, s, s.ReadAt > 0)
		}
	}
}

// holdsTurn says whether a turn has to wait for a server.
func (r *Servers) holdsTurn(tx *durable.Tx) bool {
	for _, x := range r.exchanges {
		if x.first && tx.Now < x.begun+Patience {
			return true
		}
	}
	return r.signIn.HoldsTurn(tx.Now)
}

// ReleaseTurn has the turn go on that waits for servers, if none is left to wait for.
func (r *Servers) ReleaseTurn(tx *durable.Tx) {
	if !r.holdsTurn(tx) && tx.Scheduled(Due, "") {
		tx.Unschedule(Due, "")
		r.config.ResumeTurn(tx)
	}
}
