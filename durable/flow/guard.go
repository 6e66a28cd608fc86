package flow

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// MaxSliceLosses is how often guarded code may end its instance in one slice.
const MaxSliceLosses = 3

// guard is a [Guard], as a routine knows it. A module without code that is guarded does not have the
// methods.
type guard interface {
	// takes says whether the code waits for the timer with this name, and lets it go on.
	takes(timer string) bool
	// waiting says whether the code waits for a timer, and restart starts that again.
	waiting() bool
	restart(tx *durable.Tx)
	flush(tx *durable.Tx, held bool)
}

// Guard watches over code that may take too long, or that may end its instance.
//
// Such code runs in slices. Each runs in an event of its own, and its attempt is counted before, in
// the event that makes the slice possible. So code that ends its instance each time does not do so
// for ever.
//
// The guard also limits the time of the code. The time in which the code waits for persons, and for
// nothing else, does not count, and neither does that of a pause.
type Guard struct {
	routine *Routine
	pending *Pending
	// n is the number of the slice that this life has come to. begun is the last one that was begun,
	// and attempts says how often it was begun without an end, 0 after its end. The row has both. Attempts
	// below 0 are to be made again without a charge.
	n, begun, attempts int64
	// waits says that the code waits for the event of its slice, and goes that the event has come.
	waits, goes bool
	// left is how much of the time is left, in milliseconds, while the clock stands still.
	left int64
	// note is stored with the row. changed says that the row has to be stored.
	note    string
	changed bool
}

// NewGuard begins to watch over the code of a routine, whose time it limits. A routine has one guard.
// Its row has the number of the slice in seen, the attempts in attempts, in lost what is left of the
// time while the clock stands still, and in error the note.
func NewGuard(c Awaiter, limit time.Duration) *Guard {
	r := c.context().routine
	g := &Guard{routine: r}
	op := sleeping(GuardName, limit)
	op.Around = true
	g.pending = c.context().Await(op)
	for _, row := range r.tx.SQL(`SELECT seen, attempts, lost, error FROM await WHERE routine = ? AND position = ?`, r.journal.routine, g.pending.position) {
		g.begun, g.attempts, g.left, g.note = row.Int(0), row.Int(1), row.Int(2), row.Text(3)
	}
	r.guard = g
	return g
}

func (g *Guard) awaited() *Pending { return g.pending }

func (g *Guard) id() string { return sleepID(g.entry().key) }

func (g *Guard) entry() *entry { return g.routine.journal.entries[g.pending.position] }

// Note has a text stored with the next slice, for developers.
func (g *Guard) Note(text string) { g.note = text }

// NextSlice waits until the next slice of the code may run. It does not wait for a slice that has come
// to its end before. It returns false if the slice must not run, because it has ended its instance too
// often. That is in an event of its own too, which is not charged to the slice.
func (g *Guard) NextSlice() bool {
	r := g.routine
	s := r.running()
	g.n++
	if g.n < g.begun || g.n == g.begun && g.attempts == 0 {
		return true
	}
	if g.n > g.begun {
		g.begun, g.attempts = g.n, 0
	}
	if g.attempts < 0 { // it was spared
		g.attempts = -g.attempts - 1
	}
	g.attempts, g.changed = min(g.attempts+1, MaxSliceLosses+1), true
	g.restart(r.tx)
	g.waits, s.waits = true, func() bool { return g.goes }
	if !s.yield(struct{}{}) {
		panic(halted{})
	}
	g.waits, g.goes, s.waits = false, false, nil
	if g.attempts > MaxSliceLosses {
		return false
	}
	g.attempts, g.changed = 0, true
	return true
}

// timer is the name of the timer of the guard's slices.
func (g *Guard) timer() string { return SliceTimer + g.routine.journal.routine }

// Fired lets guarded code run its next slice if the timer is its own. The code runs at the next [Routine.Resume].
func (r *Routine) Fired(timer string) (own bool) { return r.guard != nil && r.guard.takes(timer) }

func (g *Guard) takes(timer string) bool {
	own := g.waits && g.timer() == timer
	g.goes = g.goes || own
	return own
}

// WaitsForSlice says whether guarded code waits for the event of its next slice. That event never comes
// if the object's memory is lost.
func (r *Routine) WaitsForSlice() bool { return r.guard != nil && !r.over && r.guard.waiting() }

func (g *Guard) waiting() bool { return g.waits }

// ResumeLater starts the timer of the next slice again, because its event has come during a pause.
func (r *Routine) ResumeLater(tx *durable.Tx) {
	if r.WaitsForSlice() {
		r.guard.restart(tx)
	}
}

func (g *Guard) restart(tx *durable.Tx) { tx.Do(durable.StartTimer{Timer: g.timer()}) }

// SliceLost says whether a slice was to run when the instance was lost in an event of the object. A
// slice that must not run any more has not been the cause.
func SliceLost(tx *durable.Tx) bool {
	return len(tx.SQL(`SELECT 1 FROM await WHERE name = ? AND attempts BETWEEN 1 AND ? LIMIT 1`, GuardName, MaxSliceLosses)) > 0
}

// SpareSlice has a slice that was to run not be charged again when it is begun again, because the
// memory was lost and not by an event of the object. The attempts are negative until then.
func SpareSlice(tx *durable.Tx) {
	tx.SQL(`UPDATE await SET attempts = -attempts WHERE name = ? AND attempts > 0 AND attempts <= ?`, GuardName, MaxSliceLosses)
}

// Flush stores at the end of an event what has become of guarded code. It stops the clock of code that
// waits for persons and for nothing else, or that somebody holds, and lets it go on otherwise.
func (r *Routine) Flush(tx *durable.Tx, held bool) {
	if r.guard != nil && !r.over && !r.done {
		r.guard.flush(tx, held)
	}
}

func (g *Guard) flush(tx *durable.Tx, held bool) {
	switch stands := held || g.routine.waits(tx); {
	case g.entry().ended > 0: // the time is over
	case stands && g.left == 0:
		g.left, g.changed = max(tx.DueAt(DueSleep, g.id())-tx.Now, 1), true
		tx.Unschedule(DueSleep, g.id())
	case !stands && g.left > 0:
		tx.Schedule(DueSleep, g.id(), tx.Now+g.left)
		g.left, g.changed = 0, true
	}
	if !g.changed {
		return
	}
	g.changed = false
	tx.SQL(`UPDATE await SET seen = ?, attempts = ?, lost = ?, error = ? WHERE routine = ? AND position = ?`,
		g.begun, g.attempts, g.left, g.note, g.routine.journal.routine, g.pending.position)
}
