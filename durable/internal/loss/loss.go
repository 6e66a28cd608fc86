// Package loss knows whether the memory of an object was lost inside one of its own events, and how
// often in a row at the same place. README.md beside this file says what is known of a loss, and how.
package loss

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
)

// Most is how often work may be lost at one place inside its own event. It is then given up.
const Most = 3

const (
	// Begun is the setting that is set from the announcement of an event to the end of the event.
	Begun = "begun"
	// settingLost is at which places work was lost inside its own event, and how often.
	settingLost = "lost"
)

// Announce notes that an event is about to be delivered. The note is durable before the event begins.
func Announce(tx *durable.Tx) { setting.Set(tx, Begun, "1") }

// Over notes that the announced event has come to its end. It is called in the transaction of that event.
func Over(tx *durable.Tx) { setting.Delete(tx, Begun) }

// Of returns the loss that an object is opened after, given what its host knows of it. The host knows
// nothing of a loss that has ended the process; that loss is charged only if an announced event never came
// to its end. begun is the value of [Begun], which the object reads as it is opened.
func Of(tx *durable.Tx, told durable.Loss, begun string) durable.Loss {
	if begun == "" && told == durable.LostBetween {
		return durable.LostQuietly
	}
	if begun == "" {
		return told
	}
	Over(tx)
	switch told {
	case durable.LostQuietly:
		return durable.LostInEvent
	case durable.LostBetween:
		return durable.LostQuietly
	}
	return told
}

// forgotten is after how long a loss does not count any more, in milliseconds. A program may go on for
// months.
const forgotten = 24 * 60 * 60_000

// at is a place where work was lost.
type at struct {
	Place string `json:"place"`
	Times int    `json:"times"`
	At    int64  `json:"at"`
}

// Again counts that work was lost inside its own event at a place, and says whether that has happened so
// often in a row that the work is given up. Work that has got on is at another place.
func Again(tx *durable.Tx, place string) (givenUp bool) { return len(AgainAt(tx, place)) > 0 }

// AgainAt is [Again] where any of several works may have been the cause, each at a place of its own. It returns
// the places at which work is given up.
func AgainAt(tx *durable.Tx, places ...string) (givenUp []string) {
	var before, now []at
	setting.Read(tx, settingLost, &before)
	for _, place := range places {
		lost := at{Place: place, Times: 1, At: tx.Now}
		for _, last := range before {
			if last.Place == place && tx.Now-last.At <= forgotten {
				lost.Times += last.Times
			}
		}
		if lost.Times >= Most {
			givenUp = append(givenUp, place)
		} else {
			now = append(now, lost)
		}
	}
	if len(now) == 0 {
		setting.Delete(tx, settingLost)
	} else {
		setting.Write(tx, settingLost, now)
	}
	return givenUp
}
