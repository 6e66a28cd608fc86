package object

import (
	"reflect"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// This file checks that nothing is repeated without an end. An object repeats what it tells another one
// until that is acknowledged. When there are no faults any more, this takes a few times.

// MaxRepeats is how often an object may make the same call, or open the same stream, while the world comes
// to rest. A model may answer for half an hour, and a few times, and its helper is asked every half a minute.
const MaxRepeats = 200

// repeated is what an object asks of another one: the same name and the same data are the same request.
type repeated struct{ object, name, data string }

// RepeatsEnd counts what an object asks of others while the world comes to rest. An object that is opened asks
// for everything anew.
func (r *Rules) RepeatsEnd(e check.Event) {
	if !r.Mode.Settling || e.Trap != nil || e.Opened {
		return
	}
	for _, c := range e.Commands {
		var q repeated
		switch c := c.(type) {
		case durable.Call:
			q = repeated{e.Slot, c.Call, string(c.Data)}
		case durable.OpenStream:
			q = repeated{e.Slot, c.Stream, string(c.Data)}
		default:
			continue
		}
		if r.repeats[q]++; r.repeats[q] > MaxRepeats {
			r.Fail("I6", "%q has made the same %s %d times: %s", q.object, reflect.TypeOf(c).Name(), r.repeats[q], q.name)
		}
	}
}
