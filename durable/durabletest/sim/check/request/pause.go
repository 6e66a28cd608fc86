package request

import (
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// keepPause notes the time before which a server that has refused a request wants no other request.
func (r *Rules) keepPause(x *model.Exchange, piece int) {
	if x.Answer.RetryAfter > 0 && piece == len(x.Answer.Pieces)-1 {
		r.busyUntil[modelCall(x.Object, x.Fetch)] = r.World.Now() + x.Answer.RetryAfter
	}
}

// comesInTime checks that a busy model is not asked again before the time that its server has
// named.
func (r *Rules) comesInTime(x *model.Exchange) {
	r.Checks++
	if early := r.busyUntil[modelCall(x.Object, x.Fetch)] - r.World.Now(); early > 0 {
		r.Fail("wait", "%s asks a model that is busy %d ms too early", x.Object, early)
	}
	delete(r.busyUntil, modelCall(x.Object, x.Fetch)) // that time has passed, also if the clock is set back later
}

// PausesAreCharged checks D4 for the pauses between attempts: a turn is charged for a pause when it
// is planned, so that the turn is not given up too late. It reads the column silence of the table
// turn, and the kind retry in the table schedule.
func (r *Rules) PausesAreCharged(e check.Event) {
	for _, t := range e.Turns {
		if t.Status != "running" {
			continue
		}
		now := attempts{t.Seq, t.Attempt}
		if now.number > 0 && now != r.attempted[e.Object] {
			r.chargedForPause(e, t)
		}
		r.attempted[e.Object] = now
	}
}

func (r *Rules) chargedForPause(e check.Event, t stored.Turn) {
	for _, row := range r.Rows(e.Object, `SELECT due, silence FROM schedule JOIN turn ON id = CAST(seq AS TEXT) WHERE kind = 'retry' AND seq = ?`, t.Seq) {
		if wait := row.Int(0) - r.World.Now(); wait > row.Int(1) {
			r.Fail("D4", "a turn of %q pauses for %d ms, and is charged for %d ms without progress", e.Slot, wait, row.Int(1))
		}
	}
}
