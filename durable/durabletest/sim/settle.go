package sim

import (
	"fmt"
	"slices"
	"strings"
)

// maxSettling is how many steps a world may need to come to rest. One that needs more is
// going in circles.
const maxSettling = 20_000

// settle lets the world come to rest: no trouble comes any more, the model answers, and
// everything arrives.
func (s *Sim) settle() {
	for _, n := range s.everyone() {
		n.settling, n.outage, n.losing = true, 0, unarmed
		n.world.Lose("", never)
		n.heal()
	}
	s.hostile.leave()
	for n := range maxSettling {
		switch {
		case s.failure != nil:
			return
		case s.any((*Sim).deliverAll):
		case s.any((*Sim).releaseModel):
		case n > maxSettling/2 && s.any((*Sim).answerOpen): // repeated schedules may always have something due
		case s.any((*Sim).due):
			s.tick()
		case s.any((*Sim).visit):
		case s.any((*Sim).answerOpen):
		default:
			return
		}
	}
	s.fail("I6", "the world does not come to rest")
}

// releaseModel ends the answers of which nothing more comes, and says whether there were any.
func (s *Sim) releaseModel() bool {
	hang := len(s.model.hanging) > 0
	if hang {
		s.model.release()
	}
	return hang
}

// deliverAll lets the next thing of every lane arrive, and says whether there was any.
func (s *Sim) deliverAll() bool {
	lanes := s.lanes()
	for _, lane := range lanes {
		if s.failure == nil {
			s.deliver(lane, "")
		}
	}
	return len(lanes) > 0
}

// answerOpen has a person answer a call that waits for that, and says whether there is one.
// The client goes on showing that a helper's call waits when it has been answered, so that
// people stop after a few times.
func (s *Sim) answerOpen() bool {
	s.answersAreKnown()
	if !s.waiting() {
		return false
	}
	for _, t := range s.tabs {
		if t.connected() && s.answerIn(t) {
			return true
		}
	}
	if s.reloadCleared() {
		return true
	}
	if slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.path == "" && t.connected() }) {
		return s.lookBelow()
	}
	s.do("open")
	return true
}

// lookBelow has a person look at the page of a helper that waits, and says whether there is one
// that nobody looks at. A question for a tool in the browser is answered on the helper's page alone,
// and so is a question of a helper below it. The run itself may be over: what a person has asked on
// the page is still answered there.
func (s *Sim) lookBelow() bool {
	for _, r := range s.runs(s.world.Object("")) {
		class := strings.ToLower(r.class)
		looks := slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.path == drillPath(class, r.id) })
		if (r.status == "waiting" || s.waitsBelow(r)) && !looks {
			s.do("drill " + class + " " + r.id)
			return true
		}
	}
	return false
}

// waitsBelow says whether a helper below the helper of a run waits for a person.
func (s *Sim) waitsBelow(r runRow) bool {
	object := s.world.Object(fmt.Sprint("helper-", r.slot))
	return r.slot > 0 && s.made(object) && slices.ContainsFunc(s.runs(object), func(below runRow) bool { return below.status == "waiting" })
}

// reloadCleared has a person load a page anew whose word to clear was lost, and says whether there
// is one. The client has forgotten the runs, and leaves out what it is told of them again.
func (s *Sim) reloadCleared() bool {
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.clearing && t.connected() })
	if i < 0 {
		return false
	}
	s.tabs[i].clearing = false
	s.do("reload " + s.tabs[i].name)
	return true
}

// answerIn has a person answer something that a tab shows to be open.
func (s *Sim) answerIn(t *tab) bool {
	for _, id := range t.page.Asks() {
		if s.checks.answered[id]++; s.checks.answered[id] <= 3 {
			s.do("answer " + t.name + " " + id + " " + []string{"yes", "no"}[newDice(s.seed, "settle", id).under(2)])
			return true
		}
	}
	for _, p := range s.clientCalls(t) {
		if id := p.ToolCallID; s.checks.answered[id] < 3 {
			s.checks.answered[id]++
			s.do("result " + t.name + " " + id)
			return true
		}
	}
	return false
}

// waiting says whether a run waits for a person, or the root does.
func (s *Sim) waiting() bool {
	return s.asking && len(s.openAsks(s.world.Object(""))) > 0 || slices.ContainsFunc(s.world.Slots(), func(slot string) bool {
		object := s.world.Object(slot)
		return s.made(object) && slices.ContainsFunc(s.runs(object), func(r runRow) bool { return r.status == "waiting" })
	})
}

// due says whether anything will fall due, but for schedules that are repeated.
func (s *Sim) due() bool {
	if at, ok := s.world.Due(); ok {
		if next, only := s.coming(); !only || at != next || at <= s.world.Now() {
			return true
		}
	}
	for _, t := range s.tabs {
		if t.page != nil && t.page.Due() < forever {
			return true
		}
	}
	return s.model.nextWord() != nil
}
