package meter

import (
	"errors"

	"github.com/tributary-agents/tributary/internal/section"
)

// countCode puts the countdowns into every function.
func (s sections) countCode(c *counter) error {
	n, entries, err := s.Vector(section.Code)
	if err != nil {
		return err
	}
	if int64(n) != int64(len(c.signatures)) {
		return refuse("it declares %d functions and has the code of %d", len(c.signatures), n)
	}
	out := section.AppendUint(nil, n)
	r := section.Reader{Data: entries}
	for i := range n {
		body := r.Take(r.Uint())
		if r.Bad {
			return refuse("function %d is cut off", i)
		}
		counted, err := c.function(body, c.signatures[i])
		if err != nil {
			return refuse("function %d: %v", i, err)
		}
		out = append(section.AppendUint(out, uint32(len(counted))), counted...)
	}
	if len(r.Data) > 0 {
		return refuse("more follows its last function")
	}
	if n > 0 {
		s.Content[section.Code] = out
	}
	return nil
}

// function returns the body of a function with the countdowns.
func (c *counter) function(body []byte, s signature) ([]byte, error) {
	r := section.Reader{Data: body}
	locals := r.Locals()
	out := append([]byte(nil), body[:len(body)-len(r.Data)]...)
	out = c.countDown(out)
	calls, err := callsAny(r)
	if err != nil {
		return nil, err
	}
	if !calls {
		return c.rewrite(out, r, false)
	}
	if len(s.results) > 1 {
		return nil, errors.New("it returns more than one value")
	}
	frame := frameSize(uint64(s.params) + locals)
	out = append(c.enter(out, frame), opBlock)
	if len(s.results) == 1 {
		out = append(out, s.results[0])
	} else {
		out = append(out, typeNothing)
	}
	if out, err = c.rewrite(out, r, true); err != nil {
		return nil, err
	}
	return append(c.leave(out, frame), opEnd), nil
}

// callsAny says whether the instructions that follow call a function.
func callsAny(r section.Reader) (bool, error) {
	calls := false
	for depth := 1; depth > 0; {
		op, err := readInstruction(&r)
		if err != nil {
			return false, err
		}
		depth += op.nesting()
		calls = calls || op.code == opCall || op.code == opCallIndirect
	}
	if len(r.Data) > 0 {
		return false, errMore
	}
	return calls, nil
}

// rewrite appends the instructions that follow, with a countdown in each loop. If they stand in a block
// of their own, what returns leaves this block instead.
func (c *counter) rewrite(out []byte, r section.Reader, inBlock bool) ([]byte, error) {
	for depth := 1; depth > 0; {
		before := r.Data
		op, err := readInstruction(&r)
		if err != nil {
			return nil, err
		}
		depth += op.nesting()
		switch {
		case op.moves:
			out = c.move(out, op.sub)
			continue
		case op.code == opReturn && inBlock:
			out = section.AppendUint(append(out, opBranch), uint32(depth-1))
			continue
		}
		out = append(out, before[:len(before)-len(r.Data)]...)
		if op.code == opLoop {
			out = c.countDown(out)
		}
	}
	return out, nil
}

// countDown appends the instructions that take a unit, or trap if there is none.
func (c *counter) countDown(out []byte) []byte {
	out = section.AppendUint(append(out, opGlobalGet), c.fuel)
	out = append(out, opI64Eqz, opIf, typeNothing, opUnreachable, opEnd)
	out = section.AppendUint(append(out, opGlobalGet), c.fuel)
	out = append(out, opI64Const, 1, opI64Sub)
	return section.AppendUint(append(out, opGlobalSet), c.fuel)
}
