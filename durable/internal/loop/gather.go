package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about the words of a model that come one by one. They are gathered for a moment, and
// written and shown together. What is gathered is in memory alone, and nobody has been shown it: if
// it is lost, the model call is lost too, and is made again.

// gatherFor is the least time between two writes of words, in milliseconds. A person sees no
// difference. The platform bills each write.
const gatherFor = 40

// mostFrames is how many frames one write of words sends, to all sockets together. Each takes some microseconds, and all
// objects of the isolate wait for them.
const mostFrames = 2_000

// gather adds deltas to those that wait, and says whether all of them go on waiting. Words wait if
// others were said a moment ago. Everything else is said at once, behind the words that wait.
func (l *Loop) gather(tx *durable.Tx, deltas []model.Delta) (waits bool) {
	a := l.active
	a.gathered = append(a.gathered, deltas...)
	since, wait := tx.Now-a.saidAt, gatherFor+a.behind
	switch {
	case len(deltas) == 0:
		return true
	case slices.ContainsFunc(deltas, isNoWord), since < 0, since >= wait:
		return false
	case a.sayAt == 0:
		a.sayAt = a.saidAt + wait
		tx.Do(durable.StartTimer{Timer: GatherTimer, After: wait - since})
	}
	return true
}

// isNoWord says whether a delta does more than add words to an answer, to a thought or to the input
// of a tool.
func isNoWord(d model.Delta) bool {
	switch d.(type) {
	case model.TextDelta, model.ReasoningDelta, model.ToolCallDelta:
		return false
	}
	return true
}

// sayGathered says the words that have waited. It can end the turn.
func (l *Loop) sayGathered(tx *durable.Tx) {
	deltas := l.takeGathered(tx)
	if len(deltas) > 0 {
		l.active.saidAt = tx.Now
		l.sayDeltas(tx, joined(deltas, max(mostFrames/max(l.config.Sockets(), 1), 1)))
	}
}

// takeGathered removes and returns the words that have waited.
func (l *Loop) takeGathered(tx *durable.Tx) []model.Delta {
	a := l.active
	if a.sayAt > 0 {
		a.endWait(tx)
		tx.Do(durable.StopTimer{Timer: GatherTimer})
	}
	deltas := a.gathered
	a.gathered = nil
	return deltas
}

// GatherTimerFired says the words that have waited.
func (l *Loop) GatherTimerFired(tx *durable.Tx) {
	if l.active != nil {
		l.active.endWait(tx)
		l.sayGathered(tx)
	}
}

// endWait ends the wait of the words. If it has ended late, the next one is longer by four times as
// much, up to a second: the machine has too much to do, and fewer writes are less to do.
func (a *activeTurn) endWait(tx *durable.Tx) {
	if a.sayAt > 0 {
		a.behind = min(max(4*(tx.Now-a.sayAt), 0), 1_000)
		a.sayAt = 0
	}
}
