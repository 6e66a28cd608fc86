package strip

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// memory is what a module's data is at the start, as one piece. The linker cuts the data at runs of
// zeros.
type memory struct {
	bytes    []byte
	segments []segment
}

// segment is a piece of data: where it comes to lie in memory, and where it is in the module.
type segment struct{ address, at, size int }

var (
	errModule = errors.New("strip: this is no WebAssembly module that Go has compiled")
	header    = []byte("\x00asm\x01\x00\x00\x00")
)

const (
	sectionData = 11
	// A segment begins with 0, which means memory 0, and an address as a constant expression.
	opConst, opEnd = 0x41, 0x0b
	maxMemory      = 1 << 26
)

// load returns the memory of a module.
func load(module []byte) (memory, error) {
	if !bytes.HasPrefix(module, header) {
		return memory{}, errModule
	}
	var m memory
	for at := len(header); at < len(module); {
		size, n := uvarint(module, at+1)
		begin := at + 1 + n
		if n == 0 || int(size) > len(module)-begin {
			return memory{}, errModule
		}
		if module[at] == sectionData && !m.read(module[:begin+int(size)], begin) {
			return memory{}, errModule
		}
		at = begin + int(size)
	}
	for _, s := range m.segments {
		copy(m.bytes[s.address:], module[s.at:s.at+s.size])
	}
	return m, nil
}

// read reads the segments of a module that ends with its data.
func (m *memory) read(module []byte, at int) bool {
	count, n := uvarint(module, at)
	end := 0
	for at += n; count > 0; count-- {
		if at+2 > len(module) || module[at] != 0 || module[at+1] != opConst {
			return false
		}
		address, n := varint(module, at+2)
		at += 2 + n
		if n == 0 || at >= len(module) || module[at] != opEnd {
			return false
		}
		size, n := uvarint(module, at+1)
		at += 1 + n
		if n == 0 || int(size) > len(module)-at || address < 0 || address > maxMemory {
			return false
		}
		m.segments = append(m.segments, segment{int(address), at, int(size)})
		at += int(size)
		end = max(end, int(address)+int(size))
	}
	m.bytes = make([]byte, end)
	return true
}

// store writes the memory into a module. What lies between two segments stays zero.
func (m memory) store(module []byte) {
	for _, s := range m.segments {
		copy(module[s.at:s.at+s.size], m.bytes[s.address:])
	}
}

// uvarint reads an unsigned number of variable length. n is its length, or 0 if there is none.
func uvarint(data []byte, at int) (value uint32, n int) {
	if at < 0 || at >= len(data) {
		return 0, 0
	}
	v, n := binary.Uvarint(data[at:])
	if n <= 0 || v > 1<<32-1 {
		return 0, 0
	}
	return uint32(v), n
}

// varint reads a signed number of variable length, in two's complement.
func varint(data []byte, at int) (value int64, n int) {
	v, n := uvarint(data, at)
	if n == 0 {
		return 0, 0
	}
	if bits := 7 * n; bits < 32 && v&(1<<(bits-1)) != 0 {
		return int64(v) - 1<<bits, n
	}
	return int64(int32(v)), n
}
