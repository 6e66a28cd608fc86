// Package strip removes the names and the lines of functions from a WebAssembly module that Go has
// compiled. Only stack traces have them: a stripped module prints question marks there. A module of
// agents becomes about a twelfth smaller, compressed.
//
// The bytes are overwritten with zeros, so nothing moves and every address stays what it is. The runtime's
// own tables, which garbage collection and recover need, are kept.
package strip

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tributary-agents/tributary/internal/section"
)

// ErrTables says that a module has no tables of functions in the form that Go 1.20 to 1.26 write.
var ErrTables = errors.New("strip: the module has no tables of functions that are known")

// Module returns a stripped copy of a module. The error wraps [ErrTables] if a newer Go has compiled it,
// or says where the module is malformed.
func Module(module []byte) ([]byte, error) {
	m, err := section.Split(module)
	if err != nil {
		return nil, fmt.Errorf("strip: %w", err)
	}
	data, err := m.Data()
	if err != nil {
		return nil, fmt.Errorf("strip: %w", err)
	}
	memory := section.Image(data)
	t, err := find(memory)
	if err != nil {
		return nil, err
	}
	if err := t.strip(); err != nil {
		return nil, err
	}
	m.SetData(section.Segments(memory))
	return m.Join(), nil
}

// tables are the tables of functions of a Go program, runtime.pcHeader and what follows it, as the
// linker lays them out (cmd/link/internal/ld/pcln.go).
type tables struct {
	names, units, files []byte
	// programs map program counters to values, such as line numbers. Functions refer to them by offset.
	programs []byte
	// functions begins with the index of all functions.
	functions []byte
	count     int
}

// magic is how runtime.pcHeader begins: its version, two zeros, and the sizes of an instruction and of a
// pointer.
var magic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// The fields of runtime.pcHeader behind the magic, of eight bytes each.
const (
	fieldCount = iota
	_          // the number of files
	_          // where the code begins
	fieldNames
	fieldUnits
	fieldFiles
	fieldPrograms
	fieldFunctions
	fields
)

// find returns the tables in a memory.
func find(memory []byte) (tables, error) {
	for rest := memory; ; rest = rest[1:] {
		at := bytes.Index(rest, magic)
		if at < 0 {
			return tables{}, ErrTables
		}
		rest = rest[at:]
		if t, ok := read(rest); ok {
			return t, nil
		}
	}
}

// read returns the tables whose header a memory begins with, if it is one.
func read(memory []byte) (tables, bool) {
	if len(memory) < len(magic)+8*fields {
		return tables{}, false
	}
	field := func(i int) int {
		return int(min(binary.LittleEndian.Uint64(memory[len(magic)+8*i:]), math.MaxInt32))
	}
	bounds := []int{len(magic) + 8*fields, field(fieldNames), field(fieldUnits), field(fieldFiles), field(fieldPrograms), field(fieldFunctions)}
	count := field(fieldCount)
	if !slices.IsSorted(bounds) || bounds[len(bounds)-1]+8*count > len(memory) || count == 0 {
		return tables{}, false
	}
	return tables{
		names: memory[bounds[1]:bounds[2]], units: memory[bounds[2]:bounds[3]], files: memory[bounds[3]:bounds[4]],
		programs: memory[bounds[4]:bounds[5]], functions: memory[bounds[5]:], count: count,
	}, true
}

// The layout of runtime._func, and which of its programs only stack traces use.
const (
	funcName       = 4
	funcStack      = 16
	funcFile       = 20
	funcLine       = 24
	funcPrograms   = 28
	funcUnit       = 32
	funcStart      = 36
	funcSize       = 44
	programArgLive = 3 // abi.PCDATA_ArgLiveIndex
	maxPrograms    = 64
)

// strip overwrites names, files and lines, and the programs that no function refers to behind that.
func (t tables) strip() error {
	kept := make([]byte, len(t.programs))
	for i := range t.count {
		f, err := t.function(i)
		if err != nil {
			return err
		}
		for _, field := range []int{funcName, funcFile, funcLine, funcUnit, funcStart} {
			clear(f[field : field+4])
		}
		if err := t.keep(kept, binary.LittleEndian.Uint32(f[funcStack:])); err != nil {
			return err
		}
		for p := range (len(f) - funcSize) / 4 {
			program := f[funcSize+4*p:][:4]
			if p == programArgLive {
				clear(program)
			} else if err := t.keep(kept, binary.LittleEndian.Uint32(program)); err != nil {
				return err
			}
		}
	}
	clear(t.names)
	clear(t.units)
	clear(t.files)
	copy(t.programs, kept)
	return nil
}

// function returns what is stored of a function, with the offsets of its programs.
func (t tables) function(i int) ([]byte, error) {
	at := int(binary.LittleEndian.Uint32(t.functions[8*i+4:]))
	if at+funcSize > len(t.functions) {
		return nil, fmt.Errorf("strip: the function %d is beyond the module", i)
	}
	programs := int(binary.LittleEndian.Uint32(t.functions[at+funcPrograms:]))
	if programs > maxPrograms || at+funcSize+4*programs > len(t.functions) {
		return nil, fmt.Errorf("strip: the function %d has %d programs", i, programs)
	}
	return t.functions[at : at+funcSize+4*programs], nil
}

// keep copies a program to the ones that are kept. It is pairs of a value's change and a length, both of
// variable length, up to a change of zero that is not the first.
func (t tables) keep(kept []byte, offset uint32) error {
	if offset == 0 { // the function has none
		return nil
	}
	at := int(offset)
	for first := true; ; first = false {
		change, n := binary.Uvarint(t.programs[min(at, len(t.programs)):])
		if n <= 0 {
			return fmt.Errorf("strip: a program at %d has no end", offset)
		}
		at += n
		if change == 0 && !first {
			copy(kept[offset:at], t.programs[offset:at])
			return nil
		}
		_, n = binary.Uvarint(t.programs[at:])
		at += max(n, 0)
	}
}
