package sim

// This file holds that what is kept as one thought is one: a thought that broke off is ended, and
// the next attempt begins another.

// thought notes what a model thinks in an answer, as far as it may come.
func (e *endpoint) thought(a answer) {
	text := ""
	for _, piece := range a.thoughts {
		text += piece
		e.thoughts[text] = true
	}
}

// thoughtsAreKeptApart looks at the thoughts that are stored.
func thoughtsAreKeptApart(s *Sim) {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if !s.made(object) {
			continue
		}
		for _, row := range s.rows(object, `SELECT part.value ->> 'text' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'type' = 'reasoning'`) {
			if !s.model.thoughts[row.Text(0)] {
				s.fail("I8", "%q keeps as one thought %q, which its model has not thought in one answer", slot, row.Text(0))
			}
		}
	}
}
