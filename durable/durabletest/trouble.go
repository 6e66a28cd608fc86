package durabletest

import (
	"errors"
	"strings"
)

// trouble is what can be wrong with storage.
type trouble struct {
	// countdown is how many statements still succeed, when armed.
	countdown int
	armed     bool
	full      bool
}

var errFull = errors.New("database or disk is full")

// FailAt makes one statement fail, after n that succeed. [SQLite.Calm] calls it off.
func (t *trouble) FailAt(n int) { t.countdown, t.armed = n, true }

// Fill makes everything that writes fail, until [SQLite.Calm].
func (t *trouble) Fill() { t.full = true }

// Calm ends all trouble.
func (t *trouble) Calm() { *t = trouble{} }

// meet returns the error that a statement meets.
func (t *trouble) meet(statement string) error {
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
	return errFull
}

func writes(statement string) bool {
	if strings.HasPrefix(statement, "CREATE TABLE IF NOT EXISTS") { // it is there
		return false
	}
	for _, verb := range []string{"INSERT", "UPDATE", "DELETE", "CREATE"} {
		if strings.HasPrefix(statement, verb) {
			return true
		}
	}
	return false
}
