// Package heap measures memory in tests. The runtime counts it for the whole process, where an earlier test may have left
// something that is still ending: what others add is not taken for what was measured.
package heap

import (
	"math"
	"runtime"
)

// repetitions is how often something is measured. Others can only add to it, so the least is the truth.
const repetitions = 3

// Allocated returns how many bytes a function allocates. It is called several times, and has to do the same each time.
func Allocated(f func()) uint64 { return AllocatedBehind(func() func() { return f }) }

// AllocatedBehind returns how many bytes the function allocates that prepare returns. What prepare does itself is not
// counted. It is called several times.
func AllocatedBehind(prepare func() func()) uint64 {
	least := uint64(math.MaxUint64)
	for range repetitions {
		f := prepare()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// InUse returns how many bytes are reachable. What has a finalizer, or lies in a pool, is freed by the second collection.
func InUse() uint64 {
	least := uint64(math.MaxUint64)
	for range repetitions {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		least = min(least, m.HeapAlloc)
	}
	return least
}
