package flow

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// DueSleep is the kind that a sleep has in the object's schedule. Its owner hands
// what has fallen due to [Wake].
const DueSleep = "sleep"

// Sleep waits, for an hour as well as for a second: nothing is held meanwhile but a
// row of the schedule, which survives everything that the object survives.
func Sleep(c *Context, d time.Duration) error {
	_, err := c.Await(Op{Name: "sleep", Begin: func(tx *durable.Tx, key Key) {
		tx.Schedule(DueSleep, fmt.Sprintf("%s#%d", key.Routine, key.Position), tx.Now+d.Milliseconds())
	}}).Wait()
	return err
}

// Wake completes the sleep that has the given id in the schedule.
func Wake(tx *durable.Tx, id string) {
	at := strings.LastIndexByte(id, '#')
	n, err := strconv.Atoi(id[at+1:])
	if at < 0 || err != nil {
		return // damaged: no routine is meant
	}
	Complete(tx, Key{Routine: id[:at], Position: n}, nil, "")
}
