package meter

// countCode puts the countdown into every function.
func (s *sections) countCode(c *counter) error {
	n, entries, err := s.vector(sectionCode)
	if err != nil || n == 0 {
		return err
	}
	out := appendUint(nil, n)
	r := reader{data: entries}
	for i := range n {
		body := r.take(r.uint())
		if r.bad {
			return refuse("function %d is cut off", i)
		}
		counted, err := c.function(body)
		if err != nil {
			return refuse("function %d: %v", i, err)
		}
		out = append(appendUint(out, uint32(len(counted))), counted...)
	}
	if len(r.data) > 0 {
		return refuse("more follows its last function")
	}
	s.content[sectionCode] = out
	return nil
}

// function returns the body of a function with the countdown at its beginning and at the beginning of
// each round of its loops.
func (c *counter) function(body []byte) ([]byte, error) {
	r := reader{data: body}
	for groups := r.uint(); groups > 0 && !r.bad; groups-- {
		r.uint()
		r.byte()
	}
	out := append([]byte(nil), body[:len(body)-len(r.data)]...)
	out = c.countDown(out)
	for depth := 1; depth > 0; {
		before := r.data
		op, err := r.instruction()
		if err != nil {
			return nil, err
		}
		switch op.code {
		case opBlock, opLoop, opIf:
			depth++
		case opEnd:
			depth--
		}
		if op.moves {
			out = c.move(out, op.sub)
			continue
		}
		out = append(out, before[:len(before)-len(r.data)]...)
		if op.code == opLoop {
			out = c.countDown(out)
		}
	}
	if len(r.data) > 0 {
		return nil, errMore
	}
	return out, nil
}

// countDown appends the instructions that take a unit, or trap if there is none.
func (c *counter) countDown(out []byte) []byte {
	out = appendUint(append(out, opGlobalGet), c.fuel)
	out = append(out, opI64Eqz, opIf, typeNothing, opUnreachable, opEnd)
	out = appendUint(append(out, opGlobalGet), c.fuel)
	out = append(out, opI64Const, 1, opI64Sub)
	return appendUint(append(out, opGlobalSet), c.fuel)
}
