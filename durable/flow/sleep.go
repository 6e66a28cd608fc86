package flow

import (
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Sleep waits for any duration. It holds only a row of the schedule, which survives as long as the
// object's storage.
func Sleep(c Awaiter, d time.Duration) error {
	_, err := c.context().Await(sleeping("sleep", d)).Wait()
	return err
}

// SleepUntil waits until a time. A time that is over is waited for as a [Sleep] of no duration.
func SleepUntil(c Awaiter, t time.Time) error {
	_, err := c.context().Await(sleepingUntil("sleep until", func(int64) int64 { return t.UnixMilli() })).Wait()
	return err
}

// Wake completes the sleep that has the given id in the schedule. It returns the id of the routine
// that sleeps, or "" if the entry is damaged.
func Wake(tx *durable.Tx, id string) (routine string) {
	key, ok := keyOf(id)
	if ok { // otherwise the entry is damaged and names no routine
		Complete(tx, key, nil, "")
	}
	return key.Routine
}

// sleepID names an await in the schedule.
func sleepID(key Key) string { return key.Routine + "#" + strconv.Itoa(key.Position) }

func keyOf(id string) (Key, bool) {
	at := strings.LastIndexByte(id, '#')
	position, err := strconv.Atoi(id[at+1:])
	if at < 0 || err != nil {
		return Key{}, false
	}
	return Key{Routine: id[:at], Position: position}, true
}
