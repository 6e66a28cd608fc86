package sim

import "slices"

// maxSettling is how many steps a world may need to come to rest. One that needs more is
// going in circles.
const maxSettling = 20_000

// settle lets the world come to rest: no trouble comes any more, the model answers, and
// everything arrives.
func (s *Sim) settle() {
	s.settling = true
	s.heal()
	for range maxSettling {
		switch {
		case s.failure != nil:
			return
		case s.deliverAll():
		case len(s.model.hanging) > 0:
			s.model.release()
		case s.due():
			s.tick()
		case s.answerOpen():
		default:
			return
		}
	}
	s.fail("I6", "the world does not come to rest")
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
	if !s.waiting() {
		return false
	}
	for _, t := range s.tabs {
		if !t.connected() {
			continue
		}
		for _, id := range t.page.Asks() {
			if s.watch.answered[id]++; s.watch.answered[id] <= 3 {
				s.do("answer " + t.name + " " + id + " " + []string{"yes", "no"}[newDice(s.seed, "settle", id).under(2)])
				return true
			}
		}
	}
	if slices.ContainsFunc(s.tabs, func(t *tab) bool { return t.path == "" && t.connected() }) {
		return false
	}
	s.do("open")
	return true
}

// waiting says whether a run waits for a person.
func (s *Sim) waiting() bool {
	return slices.ContainsFunc(s.world.Slots(), func(slot string) bool {
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
	return false
}
