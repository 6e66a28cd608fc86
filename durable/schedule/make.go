package schedule

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// The limits of schedules.
const (
	// MaxEntries is how many one object has, those that are kept as failed included.
	MaxEntries = 1000
	// MaxPayload and MaxID are sizes in bytes.
	MaxPayload = limit.Payload
	MaxID      = limit.ScheduleID
	// MaxTries is how often a call is attempted at most, and DefaultTries how often where
	// nothing is said.
	MaxTries     = 20
	DefaultTries = 5
)

// Make writes a schedule. One with the same id and the same content is joined and stays as
// it is; of one with another content, the new one takes the place. Without an id it gets
// one of its own. An error has changed nothing.
func Make(tx *durable.Tx, e Entry) (Entry, error) {
	e.Tries = cmp.Or(e.Tries, DefaultTries)
	if err := e.check(); err != nil {
		return Entry{}, err
	}
	due, err := e.When.first(tx.Now)
	if err != nil {
		return Entry{}, err
	}
	if have, ok := Find(tx, e.ID); ok && have.same(e) {
		return have, nil
	}
	tx.SQL(`DELETE FROM callback WHERE id = ?`, e.ID)
	if n := tx.SQL(`SELECT COUNT(*) FROM callback`)[0].Int(0); n >= MaxEntries {
		return Entry{}, fmt.Errorf("schedule: there are %d schedules already", n)
	}
	e.ID = cmp.Or(e.ID, tx.NewID())
	e.State, e.Planned, e.Due, e.MadeAt = Waits, due, due, tx.Now
	rows := tx.SQL(`INSERT INTO callback (id, name, payload, timing, tries, state, planned, due, made_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		e.ID, e.Callback, string(e.Payload), timing(e.When), e.Tries, string(e.State), e.Planned, e.Due, e.MadeAt)
	e.Seq = rows[0].Int(0)
	return e, nil
}

func (e Entry) check() error {
	switch {
	case len(e.ID) > MaxID || !utf8.ValidString(e.ID) || strings.ContainsRune(e.ID, 0):
		return fmt.Errorf("schedule: %.40q is no id: up to %d bytes of text are", e.ID, MaxID)
	case len(e.Payload) > MaxPayload:
		return fmt.Errorf("schedule: a payload of %d bytes, at most %d", len(e.Payload), MaxPayload)
	case e.Tries < 1 || e.Tries > MaxTries:
		return fmt.Errorf("schedule: %d attempts, not 1 to %d", e.Tries, MaxTries)
	}
	return nil
}

// same says whether two schedules ask for the same, as they were said.
func (e Entry) same(o Entry) bool {
	return e.Callback == o.Callback && e.When == o.When && e.Tries == o.Tries && bytes.Equal(e.Payload, o.Payload)
}
