package flow

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// DueStretch is the kind of the schedule's entry with which guarded code goes on. The schedule's owner
// passes due entries of this kind to [Routine.GoOn], and lets nothing else happen in that event.
const DueStretch = "stretch"

// MaxStretch is how often guarded code may end its instance in one stretch.
const MaxStretch = 3

// lateStretch is how late the event of a stretch may come, in milliseconds. If a later one finds that
// nothing has come of the stretch, the instance has been lost in it.
const lateStretch = 1_000

// GuardName is the name of the await of a guard.
const GuardName = "guard"

// Guard watches over code that may take too long, or that may end its instance.
//
// Such code runs in stretches. Each runs in an event of its own, and its attempt is counted before, in
// the event that makes the stretch possible. So code that ends its instance each time does not do so
// for ever.
//
// The guard also limits the time of the code. The time in which the code waits for persons, and for
// nothing else, does not count.
type Guard struct {
	routine *Routine
	pending *Pending
	// n is the number of the stretch that this life has come to. claimed is the last one that was counted,
	// attempts how often, and both are those of the row.
	n, claimed, attempts int64
	// waits says that the code waits for its event, and goes that the event has come.
	waits, goes bool
	// left is how much of the time is left, in milliseconds, while the clock stands still.
	left int64
	// note is stored with the row.
	note string
}

// NewGuard begins to watch over the code of a routine, whose time it limits. A routine has one guard.
// Its row has the number of the stretch in seen, the attempts in attempts, in lost what is left of the
// time while the clock stands still, and in error the note.
func NewGuard(c Awaiter, limit time.Duration) *Guard {
	r := c.context().routine
	g := &Guard{routine: r}
	op := sleeping(GuardName, limit)
	cancel := op.Cancel
	op.Around = true
	op.Cancel = func(tx *durable.Tx, key Key, why Reason) {
		cancel(tx, key, why)
		tx.Unschedule(DueStretch, sleepID(key))
	}
	g.pending = c.context().Await(op)
	for _, row := range r.tx.SQL(`SELECT seen, attempts, lost, error FROM await WHERE routine = ? AND position = ?`, r.journal.routine, g.pending.position) {
		g.claimed, g.attempts, g.left, g.note = row.Int(0), row.Int(1), row.Int(2), row.Text(3)
	}
	r.guard = g
	return g
}

func (g *Guard) awaited() *Pending { return g.pending }

func (g *Guard) id() string { return sleepID(g.entry().key) }

func (g *Guard) entry() *entry { return g.routine.journal.entries[g.pending.position] }

// Note has a text stored with the next stretch, for developers.
func (g *Guard) Note(text string) { g.note = text }

// Exhausted says that a stretch of the code has ended its instance too often. The code must not be
// run again.
func (g *Guard) Exhausted() bool { return g.attempts > MaxStretch }

// Stretch waits until the next stretch of the code may run. It does not wait for a stretch that has run
// before. It returns false if the stretch must not run, because it has ended its instance too often.
func (g *Guard) Stretch() bool {
	r := g.routine
	s := r.running()
	g.n++
	if g.n < g.claimed || r.journal.find(s.in, s.place) != nil {
		return true
	}
	if g.claim(r.tx); g.Exhausted() {
		return false
	}
	g.waits, s.waits = true, func() bool { return g.goes }
	if !s.yield(struct{}{}) {
		panic(halted{})
	}
	g.waits, g.goes, s.waits = false, false, nil
	return true
}

// claim counts an attempt at the stretch, and has its event come. An attempt that was counted before,
// and whose event is still to come, is not counted again.
func (g *Guard) claim(tx *durable.Tx) {
	due := tx.DueAt(DueStretch, g.id())
	switch {
	case g.n > g.claimed:
		g.claimed, g.attempts = g.n, 1
	case due > 0 && tx.Now-due <= lateStretch:
		return
	case due > 0:
		g.attempts++
	}
	g.store(tx)
	if !g.Exhausted() {
		tx.Schedule(DueStretch, g.id(), tx.Now)
	}
}

func (g *Guard) store(tx *durable.Tx) {
	tx.SQL(`UPDATE await SET seen = ?, attempts = ?, lost = ?, error = ? WHERE routine = ? AND position = ?`,
		g.claimed, g.attempts, g.left, g.note, g.routine.journal.routine, g.pending.position)
}

// GoOn lets guarded code run the stretch that has an entry of the schedule, as far as the code is the
// routine's. The code goes on at the next [Routine.Resume].
func (r *Routine) GoOn(id string) {
	if g := r.guard; g != nil && g.waits && g.id() == id {
		g.goes = true
	}
}

// ChargeStretches counts an attempt more of each stretch that was to run when the instance was lost in
// an event of the object. It says whether there were any. A stretch that must not run any more has not
// been the cause.
func ChargeStretches(tx *durable.Tx) (any bool) {
	for _, row := range tx.SQL(`SELECT id FROM schedule WHERE kind = ?`, DueStretch) {
		if key, ok := keyOf(row.Text(0)); ok {
			charged := tx.SQL(`UPDATE await SET attempts = attempts + 1 WHERE routine = ? AND position = ? AND attempts <= ? RETURNING 1`, key.Routine, key.Position, MaxStretch)
			any = any || len(charged) > 0
		}
	}
	return any
}

// KeepClock stops the clock of guarded code that waits for persons and for nothing else, and lets it go
// on otherwise.
func (r *Routine) KeepClock(tx *durable.Tx) {
	g := r.guard
	if g == nil || r.over || r.done || g.entry().ended > 0 {
		return
	}
	switch asks := r.waits(tx); {
	case asks && g.left == 0:
		g.left = max(tx.DueAt(DueSleep, g.id())-tx.Now, 1)
		tx.Unschedule(DueSleep, g.id())
		g.store(tx)
	case !asks && g.left > 0:
		tx.Schedule(DueSleep, g.id(), tx.Now+g.left)
		g.left = 0
		g.store(tx)
	}
}
