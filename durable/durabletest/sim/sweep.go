package sim

import (
	"slices"
	"sync"
)

// Sweep runs many seeds, side by side.
type Sweep struct {
	// Subject makes what is simulated, for one worker: engines can share what is for one
	// goroutine at a time.
	Subject func() Subject
	// From is the first seed, Seeds how many there are.
	From, Seeds uint32
	// Workers is how many run at a time.
	Workers int
	// Enough is after how many seeds that failed no other is begun.
	Enough int
}

// Total is what came of many seeds.
type Total struct {
	Seeds, Events, Checks int
	Known                 map[string]int
	// Failed are the seeds that did, the first of them first. Whatever the number of
	// workers, no seed before the first has failed.
	Failed []Result
}

// Run runs the seeds.
func (s Sweep) Run() Total {
	var lock sync.Mutex
	var workers sync.WaitGroup
	total, begun := Total{Known: map[string]int{}}, uint32(0)
	next := func() (seed uint32, ok bool) {
		lock.Lock()
		defer lock.Unlock()
		if begun == s.Seeds || len(total.Failed) >= s.Enough {
			return 0, false
		}
		begun++
		return s.From + begun - 1, true
	}
	for range s.Workers {
		workers.Go(func() {
			subject := s.Subject()
			for seed, ok := next(); ok; seed, ok = next() {
				r := Run(subject, seed)
				lock.Lock()
				total.add(r)
				lock.Unlock()
			}
		})
	}
	workers.Wait()
	slices.SortFunc(total.Failed, func(a, b Result) int { return int(a.Seed) - int(b.Seed) })
	return total
}

func (t *Total) add(r Result) {
	t.Seeds++
	t.Events += r.Events
	t.Checks += r.Checks
	for name, n := range r.Known {
		t.Known[name] += n
	}
	if r.Failure != nil {
		t.Failed = append(t.Failed, r)
	}
}
