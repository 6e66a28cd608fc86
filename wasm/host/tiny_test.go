package host

import "slices"

// tiny is a module written by hand, whose memory shows what a host does to it.
// It begins full of 0xa5.
//
//	alloc(size)            1024
//	step(cap, ptr, len)    sql(ptr, len, 4096, cap); the reply is what it returned, 4 bytes
//	close(n)               random(2048, n)
//	open(_, _, _)          the reply is all memory from address 4 to 60004
func tiny(namespace string) []byte { return tinyOf(namespace, "sql") }

// tinyOf returns a tiny module whose step calls a function that takes what sql takes.
func tinyOf(namespace, stepped string) []byte {
	const i32 = 0x7f
	types := [][2][]byte{
		{{i32, i32, i32, i32}, {i32}}, // sql
		{{i32, i32}, nil},             // random
		{{i32, i32, i32}, nil},        // log
		{{i32}, {i32}},                // alloc
		{{i32, i32, i32}, {i32}},      // open, step
		{nil, nil},                    // _initialize
		{{i32}, nil},                  // close
	}
	var typeSection, imports, exports, code [][]byte
	for _, t := range types {
		typeSection = append(typeSection, slices.Concat([]byte{0x60}, vec(t[0]), vec(t[1])))
	}
	for i, name := range []string{stepped, "random", "log"} {
		imports = append(imports, slices.Concat(vec([]byte(namespace)), vec([]byte(name)), []byte{0, byte(i)}))
	}
	exports = append(exports, append(vec([]byte("memory")), 2, 0))
	for i, name := range []string{"_initialize", "alloc", "open", "step", "close"} {
		exports = append(exports, append(vec([]byte(name)), 0, byte(3+i)))
	}
	for _, body := range [][]byte{
		slices.Concat(constant(0), constant(0xa5), constant(65536), []byte{0xfc, 11, 0}),
		constant(1024),
		slices.Concat(constant(0), constant(60000), store, constant(0)),
		slices.Concat(
			constant(512), constant(4), store,
			constant(516), get(1), get(2), constant(4096), get(0), []byte{0x10, 0}, store,
			constant(512)),
		slices.Concat(constant(2048), get(0), []byte{0x10, 1}),
	} {
		code = append(code, vec(slices.Concat([]byte{0}, body, []byte{0x0b})))
	}
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, typeSection), section(2, imports),
		section(3, [][]byte{{5}, {3}, {4}, {4}, {6}}),
		section(5, [][]byte{{0, 1}}),
		section(7, exports), section(10, code))
}

// store is i32.store without an offset.
var store = []byte{0x36, 2, 0}

func get(local byte) []byte { return []byte{0x20, local} }

func constant(n int) []byte { return append([]byte{0x41}, signed(n)...) }

func signed(n int) []byte {
	if n < 64 {
		return []byte{byte(n)}
	}
	return append([]byte{byte(n&127) | 128}, signed(n>>7)...)
}

func unsigned(n int) []byte {
	if n < 128 {
		return []byte{byte(n)}
	}
	return append([]byte{byte(n&127) | 128}, unsigned(n>>7)...)
}

func vec(b []byte) []byte { return append(unsigned(len(b)), b...) }

func section(id byte, items [][]byte) []byte {
	return append([]byte{id}, vec(append(unsigned(len(items)), slices.Concat(items...)...))...)
}
