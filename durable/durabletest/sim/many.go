package sim

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Summary is what came of many worlds.
type Summary struct {
	Seeds, Failed, Events int
	// Known is how often each excuse was needed.
	Known map[string]int
}

func (s Summary) String() string {
	var known []string
	for _, name := range slices.Sorted(maps.Keys(s.Known)) {
		known = append(known, fmt.Sprintf("%s %d", name, s.Known[name]))
	}
	return fmt.Sprintf("%d seeds, %d events, %d failed; excused: %s", s.Seeds, s.Events, s.Failed, strings.Join(known, ", "))
}

// RunMany runs so many seeds from one on, as many at a time as there are processors, each on a
// subject that is asked for. failed is told of those that fail, one at a time.
func RunMany(subject func() Subject, from uint32, seeds int, failed func(Result)) Summary {
	all := Summary{Seeds: seeds, Known: map[string]int{}}
	results := make(chan Result)
	var workers sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			s := subject()
			for i := worker; i < seeds; i += runtime.GOMAXPROCS(0) {
				results <- Run(s, from+uint32(i))
			}
		})
	}
	go func() {
		workers.Wait()
		close(results)
	}()
	for r := range results {
		all.Events += r.Events
		for name, n := range r.Known {
			all.Known[name] += n
		}
		if r.Failure != nil {
			all.Failed++
			failed(r)
		}
	}
	return all
}
