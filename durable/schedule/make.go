package schedule

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/limit"
)

// The limits of a schedule. [share.Schedules] says how many there can be, failed ones included.
const (
	// MaxPayload and MaxID are sizes in bytes.
	MaxPayload = limit.Payload
	MaxID      = limit.ScheduleID
	// AttemptLimit is the largest MaxAttempts, and DefaultAttempts the value if none is given.
	AttemptLimit    = 20
	DefaultAttempts = 5
)

// Create writes a schedule. If a schedule with the same id and content exists, it stays and is
// returned. A schedule with the same id and other content is replaced. A schedule without an id
// gets a new one. An error means that nothing has changed.
func Create(tx *durable.Tx, e Entry) (Entry, error) {
	e.MaxAttempts = cmp.Or(e.MaxAttempts, DefaultAttempts)
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
	held := share.Counted(tx.SQL(`SELECT claims, COUNT(*) FROM callback WHERE id <> ? GROUP BY claims`, e.ID))
	if err := share.Schedules.Refusal(e.Claims, held); err != nil {
		return Entry{}, fmt.Errorf("schedule: %w", err)
	}
	tx.SQL(`DELETE FROM callback WHERE id = ?`, e.ID)
	e.ID = cmp.Or(e.ID, tx.NewID())
	e.State, e.Planned, e.Due, e.MadeAt = attempt.Waiting, due, due, tx.Now
	rows := tx.SQL(`INSERT INTO callback (id, name, payload, timing, tries, state, planned, due, made_at, claims)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		e.ID, e.Callback, string(e.Payload), string(limit.MustMarshal(e.When)), e.MaxAttempts, string(e.State), e.Planned, e.Due, e.MadeAt, e.Claims)
	e.Seq = rows[0].Int(0)
	return e, nil
}

func (e Entry) check() error {
	switch {
	case len(e.ID) > MaxID || !utf8.ValidString(e.ID) || strings.ContainsRune(e.ID, 0):
		return fmt.Errorf("schedule: %.40q is no id: up to %d bytes of text are", e.ID, MaxID)
	case len(e.Payload) > MaxPayload:
		return fmt.Errorf("schedule: a payload of %d bytes, at most %d", len(e.Payload), MaxPayload)
	case e.MaxAttempts < 1 || e.MaxAttempts > AttemptLimit:
		return fmt.Errorf("schedule: %d attempts, not 1 to %d", e.MaxAttempts, AttemptLimit)
	}
	return nil
}

// same says whether two schedules have the same settings, as they were given.
func (e Entry) same(o Entry) bool {
	return e.Callback == o.Callback && e.When == o.When && e.MaxAttempts == o.MaxAttempts && bytes.Equal(e.Payload, o.Payload)
}
