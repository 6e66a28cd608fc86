package sim

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

// due says whether anything will fall due.
func (s *Sim) due() bool {
	if _, ok := s.world.Due(); ok {
		return true
	}
	for _, t := range s.tabs {
		if t.page != nil && t.page.Due() < forever {
			return true
		}
	}
	return false
}
