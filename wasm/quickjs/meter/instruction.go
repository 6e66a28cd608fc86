package meter

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/internal/section"
)

// The instructions that this package writes or must tell apart.
const (
	opUnreachable  = 0x00
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opEnd          = 0x0b
	opBranch       = 0x0c
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opLocalGet     = 0x20
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opI32Const     = 0x41
	opI64Const     = 0x42
	opI32LessThan  = 0x48 // with a sign
	opI64Eqz       = 0x50
	opI64LessThan  = 0x54 // without a sign
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI32Shift     = 0x76 // to the right, without a sign
	opI64Sub       = 0x7d
	opI64Extend    = 0xad // of an i32 without a sign
	opLonger       = 0xfc

	subMemoryCopy = 10
	subMemoryFill = 11

	typeNothing = 0x40
)

var (
	errCut  = errors.New("it is cut off")
	errMore = errors.New("more follows its end")
)

// instruction is the code of an instruction. An instruction that moves memory has a second one.
type instruction struct {
	code, sub byte
	moves     bool
}

// nesting is by how many blocks the instruction leads further in.
func (i instruction) nesting() int {
	switch i.code {
	case opBlock, opLoop, opIf:
		return 1
	case opEnd:
		return -1
	}
	return 0
}

// instruction reads one with its immediates.
func readInstruction(r *section.Reader) (instruction, error) {
	op := instruction{code: r.Byte()}
	known := true
	switch code := op.code; {
	case code == opLonger:
		op.sub, known = readLonger(r)
		op.moves = op.sub == subMemoryCopy || op.sub == subMemoryFill
	default:
		known = readImmediates(r, code)
	}
	switch {
	case r.Bad:
		return op, errCut
	case !known && op.code == opLonger:
		return op, fmt.Errorf("an instruction that is not counted: 0xfc %d", op.sub)
	case !known:
		return op, fmt.Errorf("an instruction that is not counted: 0x%02x", op.code)
	}
	return op, nil
}

// immediates skips what follows the code of an instruction.
func readImmediates(r *section.Reader, code byte) (known bool) {
	switch {
	case code <= 0x01, code == 0x05, code == opEnd, code == opReturn, code == 0x1a, code == 0x1b, code >= 0x45 && code <= 0xc4, code == 0xd1:
	case code >= opBlock && code <= opIf, code == opI32Const, code == opI64Const, code == 0xd0:
		r.SkipNumber()
	case code == opBranch, code == 0x0d, code == opCall, code >= opLocalGet && code <= 0x26, code == 0xd2:
		r.Uint()
	case code == 0x0e: // br_table
		for n := r.Uint(); n > 0 && !r.Bad; n-- {
			r.Uint()
		}
		r.Uint()
	case code == opCallIndirect:
		r.Uint()
		r.Uint()
	case code == 0x1c: // select with types
		r.Take(r.Uint())
	case code >= 0x28 && code <= 0x3e: // loads and stores
		r.Uint()
		r.Uint()
	case code == 0x3f, code == 0x40: // memory.size and memory.grow
		r.Byte()
	case code == 0x43:
		r.Take(4)
	case code == 0x44:
		r.Take(8)
	default:
		return false
	}
	return true
}

// longer reads the second code of an instruction and skips what follows it. Instructions that initialise
// memory, and those that move parts of tables, are not known: their time has no bound here.
func readLonger(r *section.Reader) (sub byte, known bool) {
	n := r.Uint()
	switch {
	case n <= 7: // conversions of numbers
	case n == subMemoryCopy:
		r.Take(2)
	case n == subMemoryFill, n == 16: // table.size
		r.Take(1)
	default:
		return byte(n), false
	}
	return byte(n), true
}
