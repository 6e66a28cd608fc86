package guest

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Image is what a module tells the builder of its snapshot, and what the builder tells the instances that are
// made of it. The builder runs the module's start, calls the export snapshot, which returns the address of the
// image, and writes into the memory that it keeps. All fields are of 32 bits.
type Image struct {
	// Goroutines is how many goroutines there are, the one that is asked included. Collections is how often
	// memory was collected before: each time, the runtime reads the clock on the wall once.
	Goroutines, Collections uint32
	// Taken is 1 in the memory of a snapshot.
	Taken uint32
	// Random are the places of the seeds of Go's runtime, and Zero those of what it has drawn of them. A place
	// that is not used has the size 0.
	Random, Zero [4]Place
}

// Place is a piece of the linear memory.
type Place struct{ Address, Size uint32 }

var image Image

// prepare makes the memory small, and counts the goroutines.
func (i *Image) prepare() {
	var stats debug.GCStats
	debug.ReadGCStats(&stats)
	i.Collections = uint32(stats.NumGC)
	runtime.GC()
	runtime.GC()
	i.Goroutines = uint32(runtime.NumGoroutine())
}

// reseed gives an instance of a snapshot randomness of its own: the memory that it begins with is the same in
// every instance. draw fills bytes with the host's. The instance ends if nobody has said where the seeds are.
func (i *Image) reseed(draw func([]byte)) {
	if i.Taken == 0 {
		return
	}
	if i.Random[0].Size == 0 {
		panic("guest: the snapshot does not say where its seeds are")
	}
	for _, p := range i.Random {
		if p.Size > 0 {
			draw(p.bytes())
		}
	}
	for _, p := range i.Zero {
		clear(p.bytes())
	}
}

func (p Place) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), p.Address)), p.Size)
}
