package meter

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/internal/section"
)

// Fuel and Stack are the names under which the module exports its countdowns: a mutable global of type
// i64, which must not be set to less than zero, and one of type i32.
const (
	Fuel  = "fuel"
	Stack = "stack"
)

// Limits are those that do not change.
type Limits struct {
	// Pages is how many pages of 64 KiB the memory may grow to.
	Pages uint32
	// Stack is how many bytes the frames of functions may take.
	Stack uint32
}

// ErrRefused is wrapped by the error for each module that cannot be metered.
var ErrRefused = errors.New("meter: module refused")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// Module returns the module with its countdowns. It drops the sections that have no meaning for the
// execution, such as names. The module must be valid: what Module does not have to read it does not
// check. An error wraps [ErrRefused].
func Module(module []byte, l Limits) ([]byte, error) {
	out, err := metered(module, l)
	if err != nil && !errors.Is(err, ErrRefused) {
		err = fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return out, err
}

// sections are those of a module that is metered.
type sections struct{ *section.Module }

func metered(module []byte, l Limits) ([]byte, error) {
	m, err := section.Split(module)
	if err != nil {
		return nil, err
	}
	s := sections{m}
	c, err := s.counter()
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return s.LimitMemory(l.Pages) },
		func() error { return s.countCode(c) },
		func() error { return s.addMovers(c) },
		func() error { return s.addGlobal(Fuel, c.fuel, section.TypeI64, opI64Const, 0) },
		func() error { return s.addGlobal(Stack, c.stack, section.TypeI32, opI32Const, l.Stack) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.Join(), nil
}

// counter has the indexes of what a metered module has in addition.
type counter struct {
	fuel, stack uint32
	// types and functions are how many the module has had, the imported functions included.
	types, functions uint32
	// signatures are those of the functions that the module defines.
	signatures []signature
	// moves says which of the instructions that move memory occur.
	moves map[byte]bool
}

// counter counts what the module has, without changing it.
func (s sections) counter() (*counter, error) {
	if s.Has(section.Start) {
		return nil, refuse("it has a start function, which would run before the countdown is set")
	}
	imported, err := s.Imports()
	if err != nil {
		return nil, err
	}
	var functions, globals uint32
	for _, i := range imported {
		switch i.Kind {
		case section.KindFunction:
			functions++
		case section.KindGlobal:
			globals++
		case section.KindMemory:
			return nil, refuse("it imports its memory")
		}
	}
	types, err := s.types()
	if err != nil {
		return nil, err
	}
	c := &counter{types: uint32(len(types)), moves: map[byte]bool{}}
	if c.signatures, err = s.signatures(types); err != nil {
		return nil, err
	}
	defined, _, err := s.Vector(section.Global)
	c.functions = functions + uint32(len(c.signatures))
	c.fuel, c.stack = globals+defined, globals+defined+1
	return c, err
}

// addGlobal declares a mutable global and exports it.
func (s sections) addGlobal(name string, index uint32, kind, opConst byte, value uint32) error {
	global := section.AppendInt([]byte{kind, section.Mutable, opConst}, int64(value))
	if err := s.Append(section.Global, append(global, opEnd)...); err != nil {
		return err
	}
	exports, err := s.Exports()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(exports, func(e section.Exported) bool { return e.Name == name }) {
		return refuse("it exports %s already", name)
	}
	s.SetExports(append(exports, section.Exported{Name: name, Kind: section.KindGlobal, Index: index}))
	return nil
}
