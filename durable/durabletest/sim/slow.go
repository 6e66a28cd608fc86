package sim

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file is about answers of the model that do not come to an end: a word every now and then, or bytes that are no
// word. What comes of them comes at its time, and not when a lane is delivered.

const (
	// pingEvery and wordEvery are how often something comes, in milliseconds.
	pingEvery, wordEvery = 20_000, 50_000
	// longestSilence and longestCall are how long a model may go without a word, and how long a call may take, by a
	// multiple of what an agent grants: the object looks only every half a minute, and has troubles of its own.
	longestSilence, longestCall = 10 * 60_000, 45 * 60_000
)

// slow has some answers of some seeds never end.
func (e *endpoint) slow(d dice, a answer) answer {
	if e.sim.settling || !e.sim.profile.dawdles || a.fault || !d.chance(5) {
		return a
	}
	a.every = pingEvery
	if d.chance(2) {
		a.every = wordEvery
	}
	a.pieces, a.calls = a.pieces[:1], nil
	a.cut(1, nil)
	return a
}

// more returns what comes of such an answer at a time. No word comes twice: the client leaves out a text
// with which a later one begins.
func (a answer) more(now int64) []byte {
	if a.every == pingEvery {
		return []byte(": ping\n\n")
	}
	return fmt.Appendf(nil, `data: {"choices":[{"index":0,"delta":{"content":"still at %d "}}]}`+"\n\n", now)
}

// nextWord returns the slow answer of which something comes next, if there is one.
func (e *endpoint) nextWord() *serving {
	if len(e.dawdling) == 0 {
		return nil
	}
	return slices.MinFunc(e.dawdling, func(a, b *serving) int { return int(a.next - b.next) })
}

// speak has it come, behind what is on its way already.
func (e *endpoint) speak(v *serving) {
	for e.sim.inFlight.deliver(lane(v.slot, v.fetch)) {
	}
	if !slices.Contains(e.dawdling, v) {
		return
	}
	v.next = e.sim.world.Now() + v.answer.every
	e.arrive(v, hungUp, durable.FetchChunk{Fetch: v.fetch, Data: v.answer.more(e.sim.world.Now())})
	if slices.Contains(e.dawdling, v) {
		e.isEnded(v)
	}
}

// isEnded is that the object has not waited for too long. A clock that was set, an alarm that was lost and a storage that
// was full are excuses.
func (e *endpoint) isEnded(v *serving) {
	a, now := e.attempt(v), e.sim.moment()
	if a == nil || now.sets > v.since.sets || e.sim.alarmsLost || len(e.sim.checks.wasFull) > 0 {
		return
	}
	switch {
	case e.sim.world.Now()-a.lastDeltaAt > longestSilence:
		e.sim.fail("D4", "%s waits for a model that says nothing (%s)", v.object, v.fetch)
	case now.at-v.since.at > longestCall:
		e.sim.fail("D4", "%s waits for an answer that does not end (%s)", v.object, v.fetch)
	}
}

// stopDawdling forgets the slow answers that a slot, or one fetch of it, is given.
func (e *endpoint) stopDawdling(slot, fetch string) {
	e.dawdling = slices.DeleteFunc(e.dawdling, func(v *serving) bool { return v.slot == slot && (fetch == "" || v.fetch == fetch) })
}
