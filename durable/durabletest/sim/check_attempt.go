package sim

// This file holds that a model is asked again only for a reason: neighbours cost a turn nothing
// but the lives that they take.

// modelIdleTimeout is how long a model may go without a word before it is given up, in milliseconds.
const modelIdleTimeout = 60_000

// attempt is one request of a model call.
type attempt struct {
	serving *serving
	// lastDeltaAt is when the answer last brought a word. Bytes that say nothing do not count.
	lastDeltaAt int64
	// over says that the next request has a reason: the answer has ended or failed, it was given
	// up for silence, or what waited for it has lost its memory.
	over bool
}

// askedForReason holds that the request before this one of the same model call is over: each of
// them needs a reason of its own, so that as many requests come as faults have hit the object
// that asks, and one more.
func (e *endpoint) askedForReason(v *serving) {
	e.sim.checked++
	key := told(v.object, v.fetch)
	was := e.attempts[key]
	if was != nil && !was.over {
		e.sim.fail("I8", "%s asks its model again (%s) without a reason", v.object, v.fetch)
	}
	e.attempts[key] = &attempt{serving: v, lastDeltaAt: e.sim.world.Now()}
}

// attended notes that a piece of an answer arrives.
func (e *endpoint) attended(v *serving) {
	if a := e.attempt(v); a != nil {
		a.over = a.over || v.answer.fault
	}
}

// worded notes that an answer has brought a word.
func (e *endpoint) worded(v *serving) {
	if a := e.attempt(v); a != nil {
		a.lastDeltaAt = e.sim.world.Now()
	}
}

// attempt returns the last request of a model call, if it is this one.
func (e *endpoint) attempt(v *serving) *attempt {
	if a := e.attempts[told(v.object, v.fetch)]; a != nil && a.serving == v {
		return a
	}
	return nil
}

// hungUpOn notes that an object wants no more of an answer, which it may where the model has
// been silent for too long.
func (e *endpoint) hungUpOn(object, fetch string) {
	a := e.attempts[told(object, fetch)]
	if a != nil && a.serving.fetch == fetch && e.sim.world.Now()-a.lastDeltaAt >= modelIdleTimeout {
		a.over = true
	}
}

// excuse notes that what an object had asked was lost with its memory, or with its connection.
func (e *endpoint) excuse(object string) {
	for _, a := range e.attempts {
		a.over = a.over || a.serving.object == object
	}
}
