package sim

import (
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Summary is the outcome of many worlds.
type Summary struct {
	Seeds, Failed, Events, Checks int
	// Expected is how often each expected failure was seen.
	Expected map[string]int
}

func (s Summary) String() string {
	var expected []string
	for _, name := range slices.Sorted(maps.Keys(s.Expected)) {
		expected = append(expected, fmt.Sprintf("%s %d", name, s.Expected[name]))
	}
	return fmt.Sprintf("%d seeds, %d events, %d checks, %d failed; excused: %s", s.Seeds, s.Events, s.Checks, s.Failed, strings.Join(expected, ", "))
}

// gcPercent is the value of GOGC while many worlds run. A world is small and short-lived: collecting its garbage as often as
// usual would cost a third of its time.
const gcPercent = 1600

// memoryLimit is the memory, in bytes, from which on garbage is collected as soon as it is there. Many worlds need a
// tenth of it, however many they are.
const memoryLimit = 512 << 20

// RunMany runs a number of consecutive seeds, with one world at a time on each processor. Each
// processor has a subject of its own. ended is called with each world, one at a time, and says whether more worlds
// are begun.
func RunMany(subject func() Subject, from uint32, seeds int, ended func(Result) (goOn bool)) Summary {
	runner := func() Runner {
		s := subject()
		return func(seed uint32) Result { return Run(s, seed) }
	}
	return RunWhile(runner, from, func(n int) bool { return n < seeds }, ended)
}

// Runner runs the world of a seed.
type Runner func(seed uint32) Result

// RunWhile runs consecutive seeds like [RunMany], for as long as more says that the nth seed shall
// be begun. Each processor has a runner of its own.
func RunWhile(runner func() Runner, from uint32, more func(n int) bool, ended func(Result) (goOn bool)) Summary {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	all := Summary{Expected: map[string]int{}}
	results := make(chan Result)
	var enough atomic.Bool
	var begun atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			run := runner()
			for !enough.Load() {
				n := begun.Add(1) - 1
				if !more(int(n)) {
					return
				}
				results <- run(from + uint32(n))
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	for r := range results {
		all.add(r)
		enough.Store(!ended(r) || enough.Load())
	}
	return all
}

func (s *Summary) add(r Result) {
	s.Seeds++
	s.Events += r.Events
	s.Checks += r.Checks
	for name, n := range r.Expected {
		s.Expected[name] += n
	}
	if r.Failure != nil {
		s.Failed++
	}
}
