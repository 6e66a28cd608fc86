package object

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// start is when a helper was last asked to begin a run, how often it was, and how many alarms have gone off since.
type start struct {
	at     check.Moment
	asked  int
	alarms int
}

const (
	// askAgain is how long a helper may go without an answer before it is asked again, in
	// milliseconds. A parent reconciles a run that nobody awaits every two minutes.
	askAgain = 5 * 60_000
	// askSlowly is the same for a helper that was asked askOften times in vain.
	askSlowly, askOften = 25 * 3_600_000, 10
	// askAgainAlarms is by which alarm of its parent: the first ones may be for something else.
	askAgainAlarms = 4
)

// StartsAreRepeated checks that a helper that does not answer is asked again to begin its run, and
// that a helper that has said something has begun it.
func (r *Rules) StartsAreRepeated(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	_, alarm := e.Event.(durable.AlarmFired)
	for _, run := range e.Runs {
		if run.Status != "starting" || run.Slot == 0 {
			delete(r.starts, run.ID)
			continue
		}
		if data, ok := e.Event.(durable.StreamData); ok && data.Stream == "tail/"+run.ID && r.hasSpoken(e.Object, run.ID) {
			r.Fail("I6", "the helper of %s has said something, and the run is not known to be taken", run.ID)
		}
		s, now := r.starts[run.ID], r.Moment()
		if starts(e.Commands, run.ID) || s == (start{}) || s.at.Sets != now.Sets {
			s = start{at: now, asked: s.asked + 1}
		} else if alarm {
			s.alarms++
		}
		pause := int64(askAgain)
		if s.asked > askOften {
			pause = askSlowly
		}
		if s.alarms >= askAgainAlarms && now.At-s.at.At > pause {
			r.Fail("I6", "the helper of %s does not answer, and is not asked again", run.ID)
		}
		r.starts[run.ID] = s
	}
}

// hasSpoken says whether a parent has stored anything that the helper of a run has said. It reads
// the table of chunks, where the log of a run has the run's number with a minus sign.
func (r *Rules) hasSpoken(object, run string) bool {
	return len(r.Rows(object, `SELECT 1 FROM chunk WHERE stream = -(SELECT seq FROM run WHERE id = ?) LIMIT 1`, run)) > 0
}

// starts says whether commands ask a helper to begin a run.
func starts(commands []durable.Command, run string) bool {
	for _, c := range commands {
		if open, ok := c.(durable.OpenStream); ok && strings.TrimPrefix(open.Stream, "tail/") == run {
			return true
		}
	}
	return false
}
