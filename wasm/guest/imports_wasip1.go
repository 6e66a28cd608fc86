package guest

import (
	"unsafe"

	"github.com/tributary-agents/tributary/wasm/abi"
)

// The module's name is [abi.Namespace], which this directive cannot refer to.

//go:wasmimport tributary_v4 sql
func importSQL(ptr unsafe.Pointer, length uint32, buf unsafe.Pointer, capacity uint32) uint32

//go:wasmimport tributary_v4 cost
func importCost(buf unsafe.Pointer, capacity uint32) uint32

//go:wasmimport tributary_v4 random
func importRandom(ptr unsafe.Pointer, length uint32)

//go:wasmimport tributary_v4 log
func importLog(level uint32, ptr unsafe.Pointer, length uint32)

func callSQL(statement, buffer []byte) int {
	n := int(importSQL(pointer(statement), uint32(len(statement)), pointer(buffer), uint32(len(buffer))))
	garbage.cross(len(statement) + n)
	return n
}

func callCost(buffer []byte) int { return int(importCost(pointer(buffer), uint32(len(buffer)))) }

// wasiRandom is the host's randomness for Go's runtime, which draws its own seed from there too.
//
//go:wasmimport wasi_snapshot_preview1 random_get
func wasiRandom(ptr unsafe.Pointer, length uint32) uint32

func drawSeed(b []byte) {
	if errno := wasiRandom(pointer(b), uint32(len(b))); errno != 0 {
		panic("guest: the host has no randomness")
	}
}

func random(b []byte) {
	if len(b) > 0 {
		importRandom(pointer(b), uint32(len(b)))
	}
}

func logLine(level abi.LogLevel, text string) {
	importLog(uint32(level), unsafe.Pointer(unsafe.StringData(text)), uint32(len(text)))
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
