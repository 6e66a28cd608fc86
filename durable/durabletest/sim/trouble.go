package sim

// arm lets the next event of an object trap.
func (s *Sim) arm(slot string, statement int) {
	object := s.world.Object(slot)
	if object == "" || s.armed != unarmed {
		return
	}
	s.armed = slot
	s.watch.before = s.dump(object)
	s.storage(object).FailAt(statement)
}

// unarmed is no slot.
const unarmed = "-"

func (s *Sim) disarm() {
	if object := s.world.Object(s.armed); s.armed != unarmed && object != "" {
		s.storage(object).Calm()
	}
	s.armed, s.watch.before = unarmed, ""
}

// fill lets an object's storage be full, or no more.
func (s *Sim) fill(slot string) {
	object := s.world.Object(slot)
	switch {
	case object == "":
	case s.watch.full[object]:
		s.watch.full[object] = false
		s.storage(object).Calm()
	default:
		s.watch.full[object], s.watch.wasFull[object] = true, true
		s.storage(object).Fill()
	}
}

// heal ends all trouble with storage.
func (s *Sim) heal() {
	s.disarm()
	for object := range s.watch.full {
		s.storage(object).Calm()
	}
	clear(s.watch.full)
}
