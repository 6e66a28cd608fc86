package request

import (
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/model"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file checks D4: a turn is given up if its model has said nothing for five minutes. It is not
// given up because the object was gone meanwhile, or because the clock was set.

const (
	// maxSilence is how long a model may say nothing, in milliseconds.
	maxSilence = 5 * 60_000
	// perClockSet is how much of that a clock that is set can seem to have passed, each time.
	perClockSet = 90_000
	// nextPause is how much of it the pause before the next attempt can take, in milliseconds: a
	// pause is charged before it begins.
	nextPause = 30_000
	// gaveUp is in the reason of a turn that was given up for silence.
	gaveUp = "made no progress for too long"
	// endedAlike is in the reason of a turn whose attempts at one step have ended in the same way. sameEnds is how
	// many of them have ended before the event that gives the turn up, at least.
	endedAlike = "three attempts have ended in the same way"
	sameEnds   = 2
	// longestSilence is how long a model may send nothing, and longestCall how long a call may take.
	// They are multiples of the limits of agents, because an object checks only every half a minute
	// and may have other trouble.
	longestSilence = 10 * 60_000
	longestCall    = 45 * 60_000
)

// waiting names a turn of an object. The event that gives a turn up can begin the next turn.
type waiting struct {
	object string
	turn   int64
}

// wait is the time since which a turn waits for its model, and the model call, or "" if only the
// count of attempts has changed.
type wait struct {
	since check.Moment
	call  string
}

// attempts is the number of further attempts of a turn at its model call.
type attempts struct{ turn, number int64 }

// callOf returns the model call that a fetch is an attempt at.
func callOf(fetch string) string { return fetch[:strings.LastIndexByte(fetch, '-')+1] }

// turnOf returns the turn of an object that a fetch belongs to.
func turnOf(object, fetch string) waiting {
	number, _, _ := strings.Cut(strings.TrimPrefix(fetch, "turn-"), "-")
	turn, _ := strconv.ParseInt(number, 10, 64)
	return waiting{object, turn}
}

// waitBegins notes that a turn waits for its model. A later attempt continues the wait.
func (r *Rules) waitBegins(w waiting, fetch string) {
	if _, ok := r.waits[w]; !ok || strings.HasSuffix(fetch, "-0") {
		r.waits[w] = wait{r.Moment(), callOf(fetch)}
	}
}

// waitEnds notes that a turn has received something from its model. The end of an answer can begin
// the next model call in the same event. That wait goes on.
func (r *Rules) waitEnds(object, fetch string) {
	w := turnOf(object, fetch)
	if call := r.waits[w].call; call == "" || call == callOf(fetch) {
		delete(r.waits, w)
	}
}

// NotAsked notes that an object waits for the answers to requests that were lost with the process.
// The object cannot know that they were lost.
func (r *Rules) NotAsked(h durabletest.HandledEvent) {
	for _, c := range h.Commands[h.Performed:] {
		if f, ok := c.(durable.Fetch); ok && model.IsAsked(f) {
			r.waitBegins(turnOf(h.Object, f.Fetch), f.Fetch)
		}
	}
}

// AttemptCounted notes that an object waits for its model since it has counted another attempt.
// That attempt may reach no model: its alarm may be lost with the process, or it may trap before it
// sends the request. The object cannot tell such an attempt from one that was made, and charges the
// time until the next one.
func (r *Rules) AttemptCounted(h durabletest.HandledEvent) {
	if r.Armed == h.Slot || !r.Made(h.Object) { // a statement of a check would count for the trap
		return
	}
	now := attempts{}
	for _, t := range r.Turns(h.Object) {
		if t.Status == "running" {
			now = attempts{t.Seq, t.Attempt}
		}
	}
	if now.number > 0 && now != r.counted[h.Object] {
		r.waitBegins(waiting{h.Object, now.turn}, "")
	}
	r.counted[h.Object] = now
}

// GivenUp says whether a turn was given up for silence, or for attempts that have ended in the same way. It reports
// a turn that was given up too early.
func (r *Rules) GivenUp(object string, t stored.Turn) bool {
	if strings.Contains(t.Reason, endedAlike) {
		if ends := r.ends[waiting{object, t.Seq}]; ends < sameEnds {
			r.Fail("D4", "a turn of %q was given up behind %d attempts: %s", object, ends, t.Reason)
		}
		return true
	}
	if !strings.Contains(t.Reason, gaveUp) {
		return false
	}
	w, waits := r.waits[waiting{object, t.Seq}]
	now := r.Moment()
	if !waits || now.At-w.since.At+int64(now.Sets-w.since.Sets)*perClockSet <= maxSilence-nextPause {
		r.Fail("D4", "a turn of %q was given up too early: %s", object, t.Reason)
	}
	return true
}

// Waiting checks that an object does not wait too long for an answer that never ends. A clock that
// was set, an alarm that was lost and full storage are excuses.
func (r *Rules) Waiting(x *model.Exchange) {
	a, now, since := r.attempt(x), r.Moment(), r.progress[x].since
	if a == nil || now.Sets > since.Sets || r.AlarmsLost || len(r.WasFull) > 0 {
		return
	}
	switch {
	case r.World.Now()-a.lastByteAt > longestSilence:
		r.Fail("D4", "%s waits for a model that says nothing (%s)", x.Object, x.Fetch)
	case now.At-since.At > longestCall:
		r.Fail("D4", "%s waits for an answer that does not end (%s)", x.Object, x.Fetch)
	}
}
