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

// Summary is what came of many worlds.
type Summary struct {
	Seeds, Failed, Events, Checks int
	// Known is how often each excuse was needed.
	Known map[string]int
}

func (s Summary) String() string {
	var known []string
	for _, name := range slices.Sorted(maps.Keys(s.Known)) {
		known = append(known, fmt.Sprintf("%s %d", name, s.Known[name]))
	}
	return fmt.Sprintf("%d seeds, %d events, %d checks, %d failed; excused: %s", s.Seeds, s.Events, s.Checks, s.Failed, strings.Join(known, ", "))
}

// garbage is how much of it may be there while many worlds run, in percent of what is in use. A
// world is small and short-lived, so that collecting more often costs a sixth of its time.
const garbage = 1600

// memory bounds what many worlds take together, in bytes: code that waits when its instance is lost
// stays in memory natively, some 25 KB a world.
const memory = 6 << 30

// RunMany runs so many seeds from one on, as many at a time as there are processors, each on a
// subject that is asked for. failed is told of those that fail, one at a time, and says whether
// others shall be begun.
func RunMany(subject func() Subject, from uint32, seeds int, failed func(Result) (goOn bool)) Summary {
	runner := func() Runner {
		s := subject()
		return func(seed uint32) Result { return Run(s, seed) }
	}
	return RunWhile(runner, from, func(n int) bool { return n < seeds }, failed)
}

// Runner runs the world of a seed.
type Runner func(seed uint32) Result

// RunWhile is [RunMany] for as long as more says that the nth seed shall be begun, with a runner
// for each processor.
func RunWhile(runner func() Runner, from uint32, more func(n int) bool, failed func(Result) (goOn bool)) Summary {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory))
	all := Summary{Known: map[string]int{}}
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
		if r.Failure != nil {
			enough.Store(!failed(r) || enough.Load())
		}
	}
	return all
}

func (s *Summary) add(r Result) {
	s.Seeds++
	s.Events += r.Events
	s.Checks += r.Checks
	for name, n := range r.Known {
		s.Known[name] += n
	}
	if r.Failure != nil {
		s.Failed++
	}
}
