package request

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
)

// An object gives a request up after this much silence, in milliseconds: before the first byte of an answer, and
// behind it.
const (
	firstByteTimeout = 120_000
	modelIdleTimeout = 60_000
)

// mostPaid is how many attempts at one step are paid for at most: of the three ways in which they can end, two have
// come twice when one comes for the third time. Attempts that were lost with the memory do not count.
const mostPaid = 7

// attempt is the last request of a model call.
type attempt struct {
	exchange *model.Exchange
	// lastByteAt is when the answer last brought something, or when it was asked for. patience is how much
	// silence may follow.
	lastByteAt, patience int64
	// paid says that the provider has begun to answer, or has been waited for.
	paid bool
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
	if before != nil && before.paid {
		r.paid[key]++
	}
	if r.paid[key] >= mostPaid {
		r.Fail("D4", "%s is asked again (%s) behind %d attempts at the same step that were paid for", x.Object, x.Fetch, r.paid[key])
	}
	if strings.HasSuffix(x.Fetch, "-0") {
		delete(r.ends, turnOf(x.Object, x.Fetch))
	}
	r.attempts[key] = &attempt{exchange: x, lastByteAt: r.World.Now(), patience: firstByteTimeout}
}

func (r *Rules) pieceArrives(x *model.Exchange) {
	if a := r.attempt(x); a != nil && x.Answer.Fault && !a.over {
		a.over = true
		r.ends[turnOf(x.Object, x.Fetch)]++
	}
}

func (r *Rules) bytesArrive(x *model.Exchange) {
	if a := r.attempt(x); a != nil {
		a.lastByteAt, a.patience, a.paid = r.World.Now(), modelIdleTimeout, true
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
	if a != nil && a.exchange.Fetch == fetch && r.World.Now()-a.lastByteAt >= a.patience {
		a.over = true
		r.ends[turnOf(object, fetch)]++
	}
}

// endRequests notes that what an object waits for has failed.
func (r *Rules) endRequests(object string) {
	for _, a := range r.attempts {
		if a.exchange.Object == object && !a.over {
			r.ends[turnOf(object, a.exchange.Fetch)]++
		}
	}
}

// allowRequest notes that the requests of an object were lost, with its memory or with a
// connection.
func (r *Rules) allowRequest(object string) {
	for _, a := range r.attempts {
		if a.exchange.Object == object {
			a.over, a.paid = true, false
		}
	}
}
