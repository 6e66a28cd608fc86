package meter

import (
	"errors"
	"fmt"
)

// Fuel is the name under which the module exports its countdown: a mutable global of type i64, which
// must not be set to less than zero.
const Fuel = "fuel"

// ErrRefused is wrapped by the error for each module that cannot be metered.
var ErrRefused = errors.New("meter: module refused")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// Module returns the module with a countdown, and with a memory that grows to at most maxPages pages
// of 64 KiB. It drops the sections that have no meaning for the execution, such as names. The module
// must be valid: what Module does not have to read it does not check. An error wraps [ErrRefused].
func Module(module []byte, maxPages uint32) ([]byte, error) {
	s, err := split(module)
	if err != nil {
		return nil, err
	}
	c, err := s.counter()
	if err != nil {
		return nil, err
	}
	for _, step := range []func() error{
		func() error { return s.limitMemory(maxPages) },
		func() error { return s.countCode(c) },
		func() error { return s.addMovers(c) },
		func() error { return s.addFuel(c) },
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s.join(), nil
}

// counter has the indexes of what a metered module has in addition.
type counter struct {
	fuel uint32
	// types and functions are how many the module has had, the imported functions included.
	types, functions uint32
	// moves says which of the instructions that move memory occur.
	moves map[byte]bool
}

// counter counts what the module has, without changing it.
func (s *sections) counter() (*counter, error) {
	if s.has(sectionStart) {
		return nil, refuse("it has a start function, which would run before the countdown is set")
	}
	functions, globals, err := s.imported()
	if err != nil {
		return nil, err
	}
	c := &counter{moves: map[byte]bool{}}
	for _, one := range []struct {
		section byte
		more    uint32
		to      *uint32
	}{{sectionType, 0, &c.types}, {sectionFunction, functions, &c.functions}, {sectionGlobal, globals, &c.fuel}} {
		n, _, err := s.vector(one.section)
		if err != nil {
			return nil, err
		}
		*one.to = n + one.more
	}
	return c, nil
}

// addFuel declares the countdown and exports it.
func (s *sections) addFuel(c *counter) error {
	if err := s.append(sectionGlobal, typeI64, mutable, opI64Const, 0, opEnd); err != nil {
		return err
	}
	if taken, err := s.exports(Fuel); err != nil || taken {
		return errors.Join(err, refuse("it exports %s already", Fuel))
	}
	export := append([]byte{byte(len(Fuel))}, Fuel...)
	return s.append(sectionExport, appendUint(append(export, kindGlobal), c.fuel)...)
}
