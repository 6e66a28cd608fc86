package turn

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Budget bounds what a turn may use before it fails. It is keyed to progress, so that a day of
// deployments ends no turn that makes progress. A cap on the total keeps a loop from billing
// without end.
type Budget struct {
	// Retries is how many attempts at a model call in a row may fail without progress.
	Retries int
	// Ends is how many attempts at one step may end in the same way, once the provider has begun to
	// answer or has kept silent. Progress does not count here: a provider that always breaks off behind
	// some words is paid for each time.
	Ends int
	// NoProgress is the time without progress, in milliseconds, over all attempts and the back-offs
	// between them. Attempt is the most that one attempt is charged: the time after which a silent
	// attempt is noticed. If more time has passed, no attempt was running: the platform had stopped
	// the object, or the clock was set.
	NoProgress, Attempt int64
	// ModelCalls is the maximum number of model calls in total, however many steps an agent may
	// make.
	ModelCalls int
	// MemoryDeaths is how often the turn's instance may run out of memory.
	MemoryDeaths int
}

// Limits is the budget of every turn.
var Limits = Budget{Retries: 10, Ends: 3, NoProgress: 5 * 60_000, Attempt: 90_000, ModelCalls: 1_000, MemoryDeaths: 3}

// Spent is what a turn has used up.
type Spent struct {
	// Retries counts the attempts since the last progress.
	Retries int
	// Mark is the index that the log's next chunk had at the last model call. Chunks from there on
	// are progress.
	Mark int64
	// NoProgress is the time charged since the last progress, in milliseconds. ChargedAt is the
	// time up to which it is charged, or 0 before the first model call.
	NoProgress, ChargedAt int64
	ModelCalls            int
	MemoryDeaths          int
	// Ends are the ways in which attempts at the current step have ended, see [Budget.Ends]. Each has a
	// space behind it.
	Ends string
}

// Why a turn fails when its budget is used up.
var (
	ErrRetries    = errors.New("the answer was interrupted too often without getting on")
	ErrEnds       = errors.New("three attempts have ended in the same way")
	ErrNoProgress = errors.New("the answer made no progress for too long")
	ErrModelCalls = errors.New("the answer needed too many model calls")
	ErrMemory     = errors.New("the answer ran out of memory too often")
	ErrLost       = errors.New("the answer was given up: each attempt to go on with it has stopped the program")
)

// Cause says why a model call must be begun again.
type Cause int

// The causes. A loss that the platform causes is retried and not counted against the turn, unless
// it goes on for too long.
const (
	// ProviderFailed calls failed through the provider or the turn itself.
	ProviderFailed Cause = iota
	// InstanceLost calls were lost with their instance.
	InstanceLost
	// OutOfMemory calls ended their instance.
	OutOfMemory
)

// ChargeCall charges a turn for a model call that begins; next is the log's next index. Its error
// says that the turn has made too many calls.
func ChargeCall(tx *durable.Tx, t *Turn, next int64) error {
	if t.Spent.ModelCalls >= Limits.ModelCalls {
		return ErrModelCalls
	}
	t.Spent.ModelCalls++
	t.Spent.Mark, t.Spent.ChargedAt = next, tx.Now
	keep(tx, t)
	return nil
}

// ChargeRetry charges a turn for another attempt at its current model call, which begins after wait
// milliseconds. Its error says why there is no other attempt.
func ChargeRetry(tx *durable.Tx, t *Turn, next int64, cause Cause, wait int64) error {
	s := &t.Spent
	s.charge(tx.Now)
	if next > s.Mark {
		s.Retries, s.NoProgress, s.Mark = 0, 0, next
	}
	s.NoProgress += wait // as it is planned, whatever becomes of the clock in the meantime
	if s.ChargedAt > 0 {
		s.ChargedAt += wait // a loss of memory before the attempt does not charge the wait again
	}
	t.Attempt++
	switch cause {
	case ProviderFailed:
		s.Retries++
	case OutOfMemory:
		s.Retries++
		s.MemoryDeaths++
	}
	keep(tx, t)
	switch {
	case s.MemoryDeaths >= Limits.MemoryDeaths:
		return ErrMemory
	case s.Retries >= Limits.Retries:
		return ErrRetries
	case s.ModelCalls >= Limits.ModelCalls:
		return ErrModelCalls
	case s.NoProgress > Limits.NoProgress:
		return ErrNoProgress
	}
	return nil
}

// NoteEnd notes the way in which an attempt at the current step has ended. [ChargeRetry] stores it. The
// error says that too many attempts have ended so.
func NoteEnd(t *Turn, way string) error {
	t.Spent.Ends += way + " "
	ends := strings.Fields(t.Spent.Ends)
	if len(slices.DeleteFunc(ends, func(end string) bool { return end != way })) >= Limits.Ends {
		return ErrEnds
	}
	return nil
}

// GiveUp uses up the retries of a turn whose work has stopped its instance or its process too often.
// It returns the words for the turn's owner.
func GiveUp(tx *durable.Tx, t *Turn) error {
	t.Spent.Retries = max(t.Spent.Retries, Limits.Retries)
	keep(tx, t)
	return ErrLost
}

// Place says how far the active turn has come, by its steps and their calls. It is "" if there is none.
func Place(tx *durable.Tx) string {
	for _, row := range tx.SQL(`SELECT seq FROM turn WHERE status = ?`, string(Running)) {
		seq := row.Int(0)
		steps := tx.Number(`SELECT COUNT(*) FROM step WHERE turn = ?`, seq)
		return fmt.Sprintf("%d/%d/%d", seq, steps, tx.Number(`SELECT COUNT(*) FROM tool_call WHERE turn = ? AND done > 0`, seq))
	}
	return ""
}

// charge charges the time that an attempt has taken.
func (s *Spent) charge(now int64) {
	if s.ChargedAt > 0 {
		s.NoProgress += min(max(now-s.ChargedAt, 0), Limits.Attempt)
		s.ChargedAt = now
	}
}

// Advance notes that a step has ended, which is progress.
func Advance(tx *durable.Tx, t *Turn) {
	t.Attempt, t.Spent.Retries, t.Spent.NoProgress, t.Spent.ChargedAt, t.Spent.Ends = 0, 0, 0, tx.Now, ""
	keep(tx, t)
}

func keep(tx *durable.Tx, t *Turn) {
	tx.SQL(`UPDATE turn SET attempt = ?, stuck = ?, mark = ?, silence = ?, progress_at = ?, work = ?, memory_deaths = ?, ends = ? WHERE seq = ?`,
		t.Attempt, t.Spent.Retries, t.Spent.Mark, t.Spent.NoProgress, t.Spent.ChargedAt, t.Spent.ModelCalls, t.Spent.MemoryDeaths, t.Spent.Ends, t.Seq)
}
