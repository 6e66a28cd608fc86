package flow

import (
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// DueSleep is the kind that a sleep, or a time limit, has in the object's schedule. Its
// owner hands what has fallen due to [Wake].
const DueSleep = "sleep"

// Sleep waits, for an hour as well as for a second: nothing is held meanwhile but a
// row of the schedule, which survives everything that the object survives.
func Sleep(c Awaiter, d time.Duration) error {
	_, err := c.context().Await(sleeping("sleep", d)).Wait()
	return err
}

// Wake completes the sleep that has the given id in the schedule.
func Wake(tx *durable.Tx, id string) {
	if key, ok := keyOf(id); ok { // otherwise it is damaged, and no routine is meant
		Complete(tx, key, nil, "")
	}
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
