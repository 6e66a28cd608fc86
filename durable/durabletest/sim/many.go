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

// RunMany runs so many seeds from one on, as many at a time as there are processors, each on a
// subject that is asked for. failed is told of those that fail, one at a time, and says whether
// others shall be begun.
func RunMany(subject func() Subject, from uint32, seeds int, failed func(Result) (goOn bool)) Summary {
	defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	all := Summary{Known: map[string]int{}}
	results := make(chan Result)
	var enough atomic.Bool
	var workers sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			s := subject()
			for i := worker; i < seeds && !enough.Load(); i += runtime.GOMAXPROCS(0) {
				results <- Run(s, from+uint32(i))
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	for r := range results {
		all.Seeds++
		all.Events += r.Events
		all.Checks += r.Checks
		for name, n := range r.Known {
			all.Known[name] += n
		}
		if r.Failure != nil {
			all.Failed++
			enough.Store(!failed(r) || enough.Load())
		}
	}
	return all
}
