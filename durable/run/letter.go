package run

import "github.com/tributary-agents/tributary/durable"

// Letter is the end of a detached run, until the handler that it is for has taken it. A
// letter is in the ledger from the event in which its run ends, and leaves it in the
// event in which the handler has taken it: one that fails nowhere is told once.
type Letter struct {
	Run     string
	Handler string
	State   LetterState
	// Attempts counts how often the handler was called, or is about to be.
	Attempts int
	// Failure says in words why the last attempt failed.
	Failure string
	// Last says that the run is to be forgotten when the letter is.
	Last bool
}

// LetterState is where a letter stands.
type LetterState string

// The states of a letter.
const (
	// Claimed letters are about to be handed over: the attempt is counted, so that it
	// stays counted when the handler takes the instance with it.
	Claimed LetterState = "claimed"
	// Waits is that of letters that will be tried again.
	Waits LetterState = "waits"
	// Dead letters were tried as often as that is done. They are kept with their run.
	Dead LetterState = "dead"
)

// waits are how long a letter waits after each of its failures, in milliseconds.
var waits = []int64{5_000, 15_000, 30_000, 120_000}

// Owe puts the end of a detached run into the ledger, claimed for its first attempt.
func Owe(tx *durable.Tx, r Run) {
	tx.SQL(`INSERT OR REPLACE INTO letter (run, handler, state, attempts) VALUES (?, ?, ?, 1)`, r.ID, r.Handler, string(Claimed))
}

// Owed returns the letter of a run.
func Owed(tx *durable.Tx, run string) (Letter, bool) {
	for _, l := range letters(tx, `run = ?`, run) {
		return l, true
	}
	return Letter{}, false
}

// Letters returns those in a state.
func Letters(tx *durable.Tx, state LetterState) []Letter {
	return letters(tx, `state = ?`, string(state))
}

// Claim counts an attempt that is about to be made.
func Claim(tx *durable.Tx, l *Letter) {
	l.State, l.Attempts = Claimed, l.Attempts+1
	keepLetter(tx, *l)
}

// Undelivered notes that an attempt has failed, and returns after how many milliseconds
// there is another; 0 is none.
func Undelivered(tx *durable.Tx, l *Letter, why string) int64 {
	l.Failure, l.State = why, Dead
	var wait int64
	if l.Attempts <= len(waits) {
		l.State, wait = Waits, waits[max(l.Attempts, 1)-1]
	}
	keepLetter(tx, *l)
	return wait
}

// Revive has a dead letter tried again, as often as a new one.
func Revive(tx *durable.Tx, l *Letter) {
	l.State, l.Attempts = Claimed, 1
	keepLetter(tx, *l)
}

// Delivered takes a letter out of the ledger.
func Delivered(tx *durable.Tx, l Letter) { tx.SQL(`DELETE FROM letter WHERE run = ?`, l.Run) }

// ForgetAfter notes that a run is to be forgotten with its letter.
func ForgetAfter(tx *durable.Tx, run string) { tx.SQL(`UPDATE letter SET last = 1 WHERE run = ?`, run) }

func keepLetter(tx *durable.Tx, l Letter) {
	tx.SQL(`UPDATE letter SET state = ?, attempts = ?, failure = ? WHERE run = ?`, string(l.State), l.Attempts, l.Failure, l.Run)
}

func letters(tx *durable.Tx, where string, args ...any) []Letter {
	var list []Letter
	for _, row := range tx.SQL(`SELECT run, handler, state, attempts, failure, last FROM letter WHERE `+where+` ORDER BY run`, args...) {
		list = append(list, Letter{
			Run: row.Text(0), Handler: row.Text(1), State: LetterState(row.Text(2)), Attempts: int(row.Int(3)), Failure: row.Text(4), Last: row.Bool(5),
		})
	}
	return list
}
