package meter_test

import "slices"

// wasm returns a module of sections.
func wasm(sections ...[]byte) []byte {
	return slices.Concat(append([][]byte{[]byte("\x00asm\x01\x00\x00\x00")}, sections...)...)
}

// section returns a section of fewer than 128 bytes, or of more with a length of two bytes.
func section(id byte, content ...byte) []byte {
	n := len(content)
	if n < 0x80 {
		return append([]byte{id, byte(n)}, content...)
	}
	return append([]byte{id, byte(n) | 0x80, byte(n >> 7)}, content...)
}

// function returns a module with one function that takes and returns nothing.
func function(body ...byte) []byte {
	return wasm(section(1, 1, 0x60, 0, 0), section(3, 1, 0), section(10, append([]byte{1, byte(len(body))}, body...)...))
}

// exported is a function of [small], by the type 0 () -> i32 or 1 (i32) -> i32.
type exported struct {
	name string
	kind byte
	body []byte
}

// small is a module with a memory, a table with the function sum, and these functions.
var small = module(
	exported{"one", 0, []byte{0, 0x41, 1, 0x0b}},
	// sum: do { total += n; n-- } while (n)
	exported{"sum", 1, []byte{1, 1, 0x7f, 0x03, 0x40, 0x20, 0, 0x20, 1, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1, 0x0b}},
	// square: do { j = n; do { total++; j-- } while (j); i++ } while (i < n)
	exported{"square", 1, []byte{
		1, 3, 0x7f, 0x03, 0x40, 0x20, 0, 0x21, 2, 0x03, 0x40, 0x20, 3, 0x41, 1, 0x6a, 0x21, 3, 0x20, 2, 0x41, 1, 0x6b, 0x22, 2, 0x0d, 0, 0x0b,
		0x20, 1, 0x41, 1, 0x6a, 0x22, 1, 0x20, 0, 0x48, 0x0d, 0, 0x0b, 0x20, 3, 0x0b,
	}},
	// factorial: n ? n * factorial(n - 1) : 1
	exported{"factorial", 1, []byte{0, 0x20, 0, 0x04, 0x7f, 0x20, 0, 0x20, 0, 0x41, 1, 0x6b, 0x10, 3, 0x6c, 0x05, 0x41, 1, 0x0b, 0x0b}},
	// sign: it returns from within two blocks, or branches to the end of the function, and calls another.
	exported{"sign", 1, []byte{0, 0x02, 0x40, 0x02, 0x40, 0x20, 0, 0x45, 0x0d, 0, 0x10, 0, 0x0f, 0x0b, 0x41, 0, 0x0c, 1, 0x0b, 0x41, 9, 0x0b}},
	exported{"indirect", 1, []byte{0, 0x20, 0, 0x41, 0, 0x11, 1, 0, 0x0b}},
	exported{"copy", 1, []byte{0, 0x41, 0, 0x41, 8, 0x20, 0, 0xfc, 10, 0, 0, 0x41, 7, 0x0b}},
	exported{"fill", 1, []byte{0, 0x41, 0, 0x41, 8, 0x20, 0, 0xfc, 11, 0, 0x41, 7, 0x0b}},
	exported{"endless", 0, []byte{0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x41, 0, 0x0b}},
	exported{"deep", 0, []byte{0, 0x10, 9, 0x0b}},
	exported{"grow", 1, []byte{0, 0x20, 0, 0x40, 0, 0x0b}},
)

func module(functions ...exported) []byte {
	n := byte(len(functions))
	kinds, exports, code := []byte{n}, []byte{n}, []byte{n}
	for i, f := range functions {
		kinds = append(kinds, f.kind)
		exports = append(append(append(exports, byte(len(f.name))), f.name...), 0, byte(i))
		code = append(append(code, byte(len(f.body))), f.body...)
	}
	return wasm(
		section(1, 2, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f),
		section(3, kinds...),
		section(4, 1, 0x70, 0, 1),
		section(5, 1, 0, 1),
		section(7, exports...),
		section(9, 1, 0, 0x41, 0, 0x0b, 1, 1),
		section(10, code...),
		section(0, 1, 'n', 5),
	)
}
