package progress

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Worlds counts the simulated worlds of a command: those that are done, and those that have failed.
type Worlds struct {
	done, failed atomic.Int64
	began        time.Time
	clock        func() time.Time
}

// NewWorlds begins to count.
func NewWorlds() *Worlds { return &Worlds{began: time.Now(), clock: time.Now} }

// Done counts a world, and returns how many have failed so far.
func (w *Worlds) Done(failed bool) (failures int) {
	w.done.Add(1)
	if failed {
		w.failed.Add(1)
	}
	return int(w.failed.Load())
}

// String says how many worlds were simulated, and how fast.
func (w *Worlds) String() string {
	passed := w.clock().Sub(w.began)
	return fmt.Sprintf("%s: %d worlds, %.1f a second, %d failed", passed.Round(time.Second), w.done.Load(), float64(w.done.Load())/passed.Seconds(), w.failed.Load())
}
