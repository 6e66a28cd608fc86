package request

import "github.com/tributary-agents/tributary/durable/durabletest/sim/model"

// modelIdleTimeout is after how much silence an object gives a request up, in milliseconds.
const modelIdleTimeout = 60_000

// attempt is the last request of a model call.
type attempt struct {
	exchange *model.Exchange
	// lastDeltaAt is when the answer last brought a word. Bytes that say nothing do not count.
	lastDeltaAt int64
	// over says that there is a reason for the next request: the answer has ended or failed, it was
	// given up for silence, or the object has lost its memory.
	over bool
}

// hasReason checks that each request of a model call but the first has a reason of its own. So a
// fault costs the object that it hits one request, and its neighbours none.
func (r *Rules) hasReason(x *model.Exchange) {
	r.Checks++
	key := modelCall(x.Object, x.Fetch)
	before := r.attempts[key]
	if before != nil && !before.over {
		r.Fail("I8", "%s asks its model again (%s) without a reason", x.Object, x.Fetch)
	}
	r.attempts[key] = &attempt{exchange: x, lastDeltaAt: r.World.Now()}
}

func (r *Rules) pieceArrives(x *model.Exchange) {
	if a := r.attempt(x); a != nil {
		a.over = a.over || x.Answer.Fault
	}
}

func (r *Rules) deltaArrives(x *model.Exchange) {
	if a := r.attempt(x); a != nil {
		a.lastDeltaAt = r.World.Now()
	}
}

// attempt returns the last request of a model call, if it is this one.
func (r *Rules) attempt(x *model.Exchange) *attempt {
	if a := r.attempts[modelCall(x.Object, x.Fetch)]; a != nil && a.exchange == x {
		return a
	}
	return nil
}

// HungUp notes that an object cancels a request, which is a reason for another one if the model has
// been silent for too long.
func (r *Rules) HungUp(object, fetch string) {
	a := r.attempts[modelCall(object, fetch)]
	if a != nil && a.exchange.Fetch == fetch && r.World.Now()-a.lastDeltaAt >= modelIdleTimeout {
		a.over = true
	}
}

// allowRequest notes that the requests of an object were lost, with its memory or with a
// connection.
func (r *Rules) allowRequest(object string) {
	for _, a := range r.attempts {
		a.over = a.over || a.exchange.Object == object
	}
}
