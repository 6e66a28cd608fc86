package sim

import (
	"fmt"
	"maps"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds that a parent goes on hearing of its helpers. The reconciliation of every half a
// minute would make up for most of what is forgotten here. Checks know the names of links between
// objects, the kind follow in the table schedule, and the tables answer (seq, run) and
// drill (conn, run).

// helpersAreFollowed is that a parent hears of each run that is at work: it reads the run's stream or a
// page of the run's log, or it has scheduled to do so.
func helpersAreFollowed(s *Sim, h durabletest.HandledEvent) {
	s.beginsAnew(h)
	if h.Performed < len(h.Commands) {
		return
	}
	for _, r := range s.checks.runs {
		if r.status == "running" && !s.follows(h, r.id) {
			s.fail("follow", "the run %s of %q is at work, and nobody hears of it", r.id, h.Slot)
		}
	}
	s.followsWhoWasTold(h)
	s.sendsAnswersAnew(h)
}

// follows says whether a parent hears of a run, or will when the schedule has it look again.
func (s *Sim) follows(h durabletest.HandledEvent, run string) bool {
	return s.listens(h.Slot, "tail/"+run) || s.listens(h.Slot, "page/"+run) ||
		len(s.rows(h.Object, `SELECT 1 FROM schedule WHERE kind = 'follow' AND id = ?`, run)) > 0
}

// listens says whether an object has begun a link, and has no reason to believe that it is over.
func (s *Sim) listens(slot, name string) bool {
	return s.world.Linked(slot, name) || s.checks.muted[slot+":"+name]
}

// mute has a link fall silent. Whoever began it looks after it by a schedule of its own.
func (s *Sim) mute(lane string) {
	if requester, ok := s.world.Mute(lane); ok {
		s.checks.muted[requester] = true
	}
}

// beginsAnew notes which links that fell silent are begun again, or are forgotten in a new life.
func (s *Sim) beginsAnew(h durabletest.HandledEvent) {
	if len(s.checks.muted) == 0 {
		return
	}
	if h.Opened {
		maps.DeleteFunc(s.checks.muted, func(lane string, _ bool) bool { return strings.HasPrefix(lane, h.Slot+":") })
	}
	for _, c := range h.Commands {
		switch c := c.(type) {
		case durable.OpenStream:
			delete(s.checks.muted, h.Slot+":"+c.Stream)
		case durable.CancelStream:
			delete(s.checks.muted, h.Slot+":"+c.Stream)
		case durable.Call:
			delete(s.checks.muted, h.Slot+":"+c.Call)
		}
	}
}

// followsWhoWasTold is that a parent hears of a run that waits for a person, once its helper has
// taken what may be the person's answer: the run may have gone on.
func (s *Sim) followsWhoWasTold(h durabletest.HandledEvent) {
	if h.Trap != nil {
		return
	}
	for _, c := range h.Commands {
		if c, ok := c.(durable.Call); ok && isAnswer(c.Call) {
			key := h.Object + " " + c.Call
			if _, again := s.checks.helperTold[key]; !again || !strings.HasPrefix(c.Call, "answer/") {
				s.checks.helperTold[key] = c.To.Slot
			}
		}
	}
	name, ok := returned(h.Event)
	if !ok || !isAnswer(name) {
		return
	}
	slot := s.checks.helperTold[h.Object+" "+name]
	if _, answered := h.Event.(durable.CallAnswered); answered && strings.HasPrefix(name, "answer/") {
		s.checks.helperTold[h.Object+" "+name] = "" // an answer that is sent again changes nothing more
	}
	for _, r := range s.checks.runs {
		if r.status == "waiting" && slot == fmt.Sprintf("helper-%d", r.slot) && s.looksOn(h, name, r.id) && !s.follows(h, r.id) {
			s.fail("follow", "the helper of %s was told %s, and nobody hears what becomes of it", r.id, name)
		}
	}
}

// isAnswer says whether a call may bring a helper a person's answer.
func isAnswer(call string) bool {
	return strings.HasPrefix(call, "answer/") || strings.HasPrefix(call, "frame/")
}

// returned names the call that an event is the outcome of.
func returned(e durable.Event) (call string, ok bool) {
	switch e := e.(type) {
	case durable.CallAnswered:
		return e.Call, true
	case durable.CallFailed:
		return e.Call, true
	}
	return "", false
}

// looksOn says whether the page that has sent a frame to a run is still there.
func (s *Sim) looksOn(h durabletest.HandledEvent, call, run string) bool {
	conn, ok := strings.CutPrefix(call, "frame/")
	return !ok || len(s.rows(h.Object, `SELECT 1 FROM drill WHERE conn = ? AND run = ?`, conn, run)) > 0
}

// sendsAnswersAnew is that a new life of a parent tells its helpers the answers that they have not
// acknowledged.
func (s *Sim) sendsAnswersAnew(h durabletest.HandledEvent) {
	if !h.Opened || h.Trap != nil || !s.made(h.Object) {
		return
	}
	for _, row := range s.rows(h.Object, `SELECT answer.seq, answer.run FROM answer JOIN run ON run.id = answer.run AND run.ended_at = 0`) {
		if !s.listens(h.Slot, fmt.Sprint("answer/", row.Int(0))) {
			s.fail("follow", "the helper of %s has not acknowledged an answer, and is not told again", row.Text(1))
		}
	}
}
