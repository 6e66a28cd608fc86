package turn

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
)

// Budget bounds what a turn may use up before it is given up. It is keyed to progress,
// so that a day of deployments abandons no turn that gets on; the work in all is
// capped, so that a loop does not bill for ever.
type Budget struct {
	// Stuck is the number of attempts at a model call that brought nothing, one after
	// another.
	Stuck int
	// Silence is the time without progress, in milliseconds, over all attempts and the waits
	// between them. Attempt is how much of it one of them is charged with at most, which is what
	// one takes that is silent until that is noticed. If more time has passed, there was no
	// attempt in it: the platform had stopped the object, or the clock was set.
	Silence, Attempt int64
	// Work is the number of model calls in all, however many steps an agent may make.
	Work int
	// MemoryDeaths is how often the turn's instance may run out of memory.
	MemoryDeaths int
}

// Limits is the budget of every turn.
var Limits = Budget{Stuck: 10, Silence: 5 * 60_000, Attempt: 90_000, Work: 1_000, MemoryDeaths: 3}

// Spent is what a turn has used up.
type Spent struct {
	// Stuck counts the attempts since the last progress.
	Stuck int
	// Mark is the index that the log's next chunk had when the model was asked last:
	// what is behind it is progress.
	Mark int64
	// Silence is what is charged since the last progress, in milliseconds, and ChargedAt up to
	// when, or 0 before the first model call.
	Silence, ChargedAt int64
	Work               int
	MemoryDeaths       int
}

// Why a turn is given up.
var (
	ErrStuck   = errors.New("the answer was interrupted too often without getting on")
	ErrSilence = errors.New("the answer made no progress for too long")
	ErrWork    = errors.New("the answer needed too many model calls")
	ErrMemory  = errors.New("the answer ran out of memory too often")
)

// Cause says why a model call has to be begun anew.
type Cause int

// The causes. What the platform does to everybody is put off and not counted against
// a turn, unless it goes on for too long.
const (
	// Failed calls are the provider's or the turn's own fault.
	ProviderFailed Cause = iota
	// Lost calls went with their instance.
	InstanceLost
	// OutOfMemory calls took their instance with them.
	OutOfMemory
)

// Ask notes that a model call begins, where the log has come to, or says that there have been
// too many: that ends also a turn whose every call brings it on.
func Ask(tx *durable.Tx, t *Turn, next int64) error {
	if t.Spent.Work >= Limits.Work {
		return ErrWork
	}
	t.Spent.Work++
	t.Spent.Mark, t.Spent.ChargedAt = next, tx.Now
	keep(tx, t)
	return nil
}

// Again counts another attempt at the current model call, for which the turn waits so many
// milliseconds, or says why there shall be none.
func Again(tx *durable.Tx, t *Turn, next int64, cause Cause, wait int64) error {
	s := &t.Spent
	s.charge(tx.Now)
	if next > s.Mark {
		s.Stuck, s.Silence, s.Mark = 0, 0, next
	}
	s.Silence += wait // as it is planned, whatever becomes of the clock in the meantime
	t.Attempt++
	switch cause {
	case ProviderFailed:
		s.Stuck++
	case OutOfMemory:
		s.Stuck++
		s.MemoryDeaths++
	}
	keep(tx, t)
	switch {
	case s.MemoryDeaths >= Limits.MemoryDeaths:
		return ErrMemory
	case s.Stuck >= Limits.Stuck:
		return ErrStuck
	case s.Work >= Limits.Work:
		return ErrWork
	case s.Silence > Limits.Silence:
		return ErrSilence
	}
	return nil
}

// charge charges the time that an attempt has taken.
func (s *Spent) charge(now int64) {
	if s.ChargedAt > 0 {
		s.Silence += min(max(now-s.ChargedAt, 0), Limits.Attempt)
		s.ChargedAt = now
	}
}

// Advance notes that a step is over, which is progress.
func Advance(tx *durable.Tx, t *Turn) {
	t.Attempt, t.Spent.Stuck, t.Spent.Silence, t.Spent.ChargedAt = 0, 0, 0, tx.Now
	keep(tx, t)
}

func keep(tx *durable.Tx, t *Turn) {
	tx.SQL(`UPDATE turn SET attempt = ?, stuck = ?, mark = ?, silence = ?, progress_at = ?, work = ?, memory_deaths = ? WHERE seq = ?`,
		t.Attempt, t.Spent.Stuck, t.Spent.Mark, t.Spent.Silence, t.Spent.ChargedAt, t.Spent.Work, t.Spent.MemoryDeaths, t.Seq)
}
