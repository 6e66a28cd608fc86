package guest

import (
	"runtime"
	"unsafe"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

var (
	instance *Instance
	input    []byte
	garbage  = collector{collect: runtime.GC}
)

// Serve registers the classes of a module, and makes its instance. A main package calls it from an
// init function, because no other Go code runs before the host calls the first export.
func Serve(classes ...durable.Class) {
	tuneGC()
	instance = NewInstance(Ports{Storage: newStorage(callSQL, callCost), Random: random}, objectBudget, classes...)
}

// started says that the instance has had an event of an object that stays.
var started bool

// start makes an instance ready for its first event. What is opened under the handle 0 is a rehearsal of a
// host, before it has randomness. Nothing of it stays.
func start(object uint32) {
	if started || object == 0 {
		return
	}
	started = true
	image.reseed(drawSeed)
	logLine(abi.LogInfo, "instance started")
}

//go:wasmexport alloc
func exportAlloc(size uint32) uint32 {
	if size > maxInput {
		return 0
	}
	input = grow(input, int(max(size, 1)))
	return address(input)
}

//go:wasmexport open
func exportOpen(object, ptr, length uint32) uint32 {
	start(object)
	return replied(length, instance.Open(object, received(ptr, length)))
}

//go:wasmexport step
func exportStep(object, ptr, length uint32) uint32 {
	start(object)
	return replied(length, instance.Step(object, received(ptr, length)))
}

//go:wasmexport snapshot
func exportSnapshot() uint32 {
	image.prepare()
	return uint32(uintptr(unsafe.Pointer(&image)))
}

//go:wasmexport close
func exportClose(object uint32) { instance.Close(object) }

// received returns the bytes that the host has written. They must lie in the input buffer;
// otherwise the host has a bug.
func received(ptr, length uint32) []byte {
	if len(input) == 0 || ptr != address(input) || int(length) > len(input) {
		panic("guest: the host's bytes are not in the input buffer")
	}
	return input[:length]
}

// replied ends an event with an input of length bytes: from now on only the reply is needed.
func replied(length uint32, reply []byte) uint32 {
	input = reuse(input)
	garbage.cross(int(length) + len(reply))
	garbage.rest()
	return address(reply)
}

func address(b []byte) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) }
