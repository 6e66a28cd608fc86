package meter

import "github.com/tributary-agents/tributary/internal/section"

// moved is how many bytes an instruction moves for one unit, as a power of two.
const moved = 5

// move appends a call of the function that stands for an instruction which moves memory. These
// functions follow those of the module.
func (c *counter) move(out []byte, sub byte) []byte {
	c.moves[sub] = true
	index := c.functions
	if sub == subMemoryFill {
		index++
	}
	return section.AppendUint(append(out, opCall), index)
}

// addMovers adds the functions that [counter.move] has appended calls of.
func (s sections) addMovers(c *counter) error {
	if len(c.moves) == 0 {
		return nil
	}
	if err := s.Append(section.Type, section.TypeFunction, 3, section.TypeI32, section.TypeI32, section.TypeI32, 0); err != nil {
		return err
	}
	for _, instruction := range [][]byte{{opLonger, subMemoryCopy, 0, 0}, {opLonger, subMemoryFill, 0}} {
		if err := s.Append(section.Function, section.AppendUint(nil, c.types)...); err != nil {
			return err
		}
		body := c.mover(instruction)
		if err := s.Append(section.Code, append(section.AppendUint(nil, uint32(len(body))), body...)...); err != nil {
			return err
		}
	}
	return nil
}

// mover returns the body of a function that takes units for the bytes that it is to move, and moves
// them. If there are too few units, it leaves none and traps.
func (c *counter) mover(instruction []byte) []byte {
	out := []byte{0} // no locals besides the three parameters, of which the last is the number of bytes
	cost := []byte{opLocalGet, 2, opI32Const, moved, opI32Shift, opI64Extend}
	fuel := func(op byte) { out = section.AppendUint(append(out, op), c.fuel) }

	fuel(opGlobalGet)
	out = append(append(out, cost...), opI64LessThan, opIf, typeNothing, opI64Const, 0)
	fuel(opGlobalSet)
	out = append(out, opUnreachable, opEnd)
	fuel(opGlobalGet)
	out = append(append(out, cost...), opI64Sub)
	fuel(opGlobalSet)
	out = append(out, opLocalGet, 0, opLocalGet, 1, opLocalGet, 2)
	return append(append(out, instruction...), opEnd)
}
