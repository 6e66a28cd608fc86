package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// askedRun is when a run's helper was last asked to begin, and how many alarms have gone off since.
type askedRun struct {
	at     monotonicTime
	alarms int
}

const (
	// askAgain is how long a helper may go without an answer before it is asked again, in milliseconds, and
	// askAgainAlarms at how many alarms of its parent: the first ones may be for something else. Where nobody
	// awaits the run, its parent looks after it every two minutes.
	askAgain       = 5 * 60_000
	askAgainAlarms = 4
)

// startsAreRepeated is that a helper which does not answer is asked again.
func startsAreRepeated(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	_, alarm := h.Event.(durable.AlarmFired)
	for _, r := range s.checks.runs {
		if r.status != "starting" || r.slot == 0 {
			delete(s.checks.asked, r.id)
			continue
		}
		a, now := s.checks.asked[r.id], s.moment()
		if asks(h.Commands, r.id) || a == (askedRun{}) || a.at.sets != now.sets {
			a = askedRun{at: now}
		} else if alarm {
			a.alarms++
		}
		if a.alarms >= askAgainAlarms && now.at-a.at.at > askAgain {
			s.fail("I6", "the helper of %s does not answer, and is not asked again", r.id)
		}
		s.checks.asked[r.id] = a
	}
}

// asks says whether commands ask a helper to begin a run.
func asks(commands []durable.Command, run string) bool {
	for _, c := range commands {
		if call, ok := c.(durable.Call); ok && strings.TrimPrefix(call.Call, "start/") == run {
			return true
		}
	}
	return false
}
