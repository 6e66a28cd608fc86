// Package section reads and writes the sections of a WebAssembly module, and the data that it begins with. What it
// does not have to read it does not check.
package section

import (
	"bytes"
	"errors"
	"fmt"
)

// The numbers of the sections.
const (
	Custom = iota
	Type
	Import
	Function
	Table
	Memory
	Global
	Export
	Start
	Element
	Code
	Data
	DataCount
	known
)

// The kinds of imports and exports, the types, and what makes a global mutable.
const (
	KindFunction, KindTable, KindMemory, KindGlobal = 0, 1, 2, 3

	TypeFunction, TypeI32, TypeI64, Mutable = 0x60, 0x7f, 0x7e, 1

	opI32Const, opI64Const, opF32Const, opF64Const, opEnd = 0x41, 0x42, 0x43, 0x44, 0x0b
)

// order is that of the sections in a module.
var order = []byte{
	Type, Import, Function, Table, Memory, Global, Export,
	Start, Element, DataCount, Code, Data,
}

var preamble = []byte("\x00asm\x01\x00\x00\x00")

// ErrModule is wrapped by the error for each module that is malformed.
var ErrModule = errors.New("no valid WebAssembly module")

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrModule, fmt.Sprintf(format, args...))
}

// Module is the contents of a module's sections, each by its number. It has no custom sections, such as names:
// they mean nothing for the execution.
type Module struct{ Content [known][]byte }

// Split returns the sections of a module. They share its bytes.
func Split(module []byte) (*Module, error) {
	rest, ok := bytes.CutPrefix(module, preamble)
	if !ok {
		return nil, malformed("it does not begin as a module of version 1 does")
	}
	m, next := &Module{}, 0
	for r := (Reader{Data: rest}); len(r.Data) > 0; {
		id := r.Byte()
		content := r.Take(r.Uint())
		if r.Bad {
			return nil, malformed("section %d is cut off", id)
		}
		if id == Custom {
			continue
		}
		at := bytes.IndexByte(order, id)
		if at < next {
			return nil, malformed("section %d is unknown, or out of order", id)
		}
		m.Content[id], next = content, at+1
	}
	return m, nil
}

// Join returns the module of the sections.
func (m *Module) Join() []byte {
	out := bytes.Clone(preamble)
	for _, id := range order {
		if !m.Has(id) {
			continue
		}
		out = AppendUint(append(out, id), uint32(len(m.Content[id])))
		out = append(out, m.Content[id]...)
	}
	return out
}

// Has says whether the module has a section.
func (m *Module) Has(id byte) bool { return len(m.Content[id]) > 0 }

// Vector returns how many entries a section has, and the bytes of them. A section that is missing has
// none.
func (m *Module) Vector(id byte) (n uint32, entries []byte, err error) {
	if !m.Has(id) {
		return 0, nil, nil
	}
	r := Reader{Data: m.Content[id]}
	if n = r.Uint(); r.Bad {
		return 0, nil, malformed("section %d has no length", id)
	}
	return n, r.Data, nil
}

// Append adds an entry to a section, which it makes if it is missing.
func (m *Module) Append(id byte, entry ...byte) error {
	n, entries, err := m.Vector(id)
	if err != nil {
		return err
	}
	out := append(AppendUint(nil, n+1), entries...)
	m.Content[id] = append(out, entry...)
	return nil
}

// Imported is something that a module imports.
type Imported struct {
	From, Name string
	Kind       byte
}

// Imports returns what the module imports, in order.
func (m *Module) Imports() (imports []Imported, err error) {
	n, entries, err := m.Vector(Import)
	r := Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		i := Imported{r.Name(), r.Name(), r.Byte()}
		switch i.Kind {
		case KindFunction:
			r.Uint()
		case KindTable:
			r.Byte()
			r.Limits()
		case KindMemory:
			r.Limits()
		case KindGlobal:
			r.Take(2)
		default:
			return nil, malformed("it imports what is unknown (%d)", i.Kind)
		}
		imports = append(imports, i)
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, malformed("its imports are malformed")
	}
	return imports, err
}

// Exported is something that a module exports.
type Exported struct {
	Name  string
	Kind  byte
	Index uint32
}

// Exports returns what the module exports.
func (m *Module) Exports() (exports []Exported, err error) {
	n, entries, err := m.Vector(Export)
	r := Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		exports = append(exports, Exported{r.Name(), r.Byte(), r.Uint()})
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, malformed("its exports are malformed")
	}
	return exports, err
}

// SetExports replaces what the module exports.
func (m *Module) SetExports(exports []Exported) {
	out := AppendUint(nil, uint32(len(exports)))
	for _, e := range exports {
		out = append(AppendUint(out, uint32(len(e.Name))), e.Name...)
		out = AppendUint(append(out, e.Kind), e.Index)
	}
	m.Content[Export] = out
}

// Variable is a global that the module defines.
type Variable struct {
	Type    byte
	Mutable bool
	// Value is its initial one. Constant is how the module says it, if its type is not [TypeI32] or [TypeI64].
	Value    int64
	Constant []byte
}

// Globals returns those that the module defines.
func (m *Module) Globals() (globals []Variable, err error) {
	n, entries, err := m.Vector(Global)
	r := Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		v := Variable{Type: r.Byte(), Mutable: r.Byte() == Mutable}
		switch op := r.Byte(); op {
		case opI32Const, opI64Const:
			v.Value = r.Int()
		case opF32Const:
			v.Constant = append([]byte{op}, r.Take(4)...)
		case opF64Const:
			v.Constant = append([]byte{op}, r.Take(8)...)
		default:
			return nil, malformed("global %d begins with no constant", len(globals))
		}
		r.Bad = r.Bad || r.Byte() != opEnd
		globals = append(globals, v)
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, malformed("its globals are malformed")
	}
	return globals, err
}

// SetGlobals replaces those that the module defines.
func (m *Module) SetGlobals(globals []Variable) {
	out := AppendUint(nil, uint32(len(globals)))
	for _, v := range globals {
		out = append(out, v.Type)
		out = append(out, map[bool]byte{true: Mutable}[v.Mutable])
		switch v.Type {
		case TypeI32:
			out = AppendInt(append(out, opI32Const), v.Value)
		case TypeI64:
			out = AppendInt(append(out, opI64Const), v.Value)
		default:
			out = append(out, v.Constant...)
		}
		out = append(out, opEnd)
	}
	m.Content[Global] = out
}

// GrowMemory has the module's memory begin with so many pages of 64 KiB, unless it begins with more.
func (m *Module) GrowMemory(pages uint32) error {
	r := Reader{Data: m.Content[Memory]}
	n := r.Uint()
	flag := r.Byte()
	low := r.Uint()
	if n != 1 || flag > 1 || r.Bad {
		return malformed("it has more than one memory, or a malformed one")
	}
	m.Content[Memory] = append(AppendUint([]byte{1, flag}, max(low, pages)), r.Data...)
	return nil
}

// LimitMemory sets how many pages the module's memory may grow to.
func (m *Module) LimitMemory(maxPages uint32) error {
	n, entries, err := m.Vector(Memory)
	if err != nil || n == 0 {
		return err
	}
	r := Reader{Data: entries}
	low, high := r.Limits()
	if n != 1 || r.Bad || len(r.Data) > 0 {
		return malformed("it has more than one memory, or a malformed one")
	}
	if low > maxPages {
		return malformed("its memory begins with %d pages of at most %d", low, maxPages)
	}
	m.Content[Memory] = AppendUint(AppendUint([]byte{1, 1}, low), min(high, maxPages))
	return nil
}
