package durabletest

import (
	"errors"
	"strings"
)

// storageFaults is the injected faults of a storage.
type storageFaults struct {
	// countdown is how many statements still succeed, if armed.
	countdown int
	armed     bool
	full      bool
	// kills says that the process is killed at the statement, which does not fail.
	kills bool
}

var errFull = errors.New("database or disk is full")

// FailAt makes one statement fail, after n that succeed. [SQLite.Calm] cancels it.
func (t *storageFaults) FailAt(n int) { t.countdown, t.armed = n, true }

// KillAt has the process killed inside the event at one statement, after n that succeed. [SQLite.Calm]
// cancels it.
func (t *storageFaults) KillAt(n int) { t.countdown, t.armed, t.kills = n, true, true }

// Fill makes every write fail, until [SQLite.Calm].
func (t *storageFaults) Fill() { t.full = true }

// Calm removes all faults.
func (t *storageFaults) Calm() { *t = storageFaults{} }

// meet returns the injected error for a statement, or nil.
func (t *storageFaults) meet(statement string) error {
	if t.full && writes(statement) {
		return errFull
	}
	if !t.armed {
		return nil
	}
	t.countdown--
	if t.countdown >= 0 {
		return nil
	}
	t.armed = false
	if t.kills {
		t.kills = false
		panic(ErrKilled)
	}
	return errFull
}

func writes(statement string) bool {
	for _, verb := range []string{"INSERT", "UPDATE", "DELETE", "CREATE"} {
		if strings.HasPrefix(statement, verb) {
			return true
		}
	}
	return false
}
