//go:build !wasip1

package script

import "sync/atomic"

// Host runs the requests of a process that is not a module. Tests set it before they run a script.
// It may be called by several goroutines at a time.
var Host func(request []byte) (result []byte)

func call(request []byte) []byte {
	if Host == nil {
		panic("script: no host: a native test imports wasm/quickjs for its effect")
	}
	return Host(request)
}

// boxes is how many boxes the process has used.
var boxes atomic.Int64

// NextBox returns a number for a box, which the process has not used before.
func NextBox() int64 { return boxes.Add(1) }
