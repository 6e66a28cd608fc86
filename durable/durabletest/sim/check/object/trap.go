package object

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// TrapShowsNothing checks I3: an event that trapped has changed nothing.
func (r *Rules) TrapShowsNothing(e check.Event) {
	if e.Trap == nil || e.Slot != r.Armed {
		return
	}
	if !e.Opened && r.Before != "" && r.Dump(e.Object) != r.Before {
		r.Fail("I3", "%T trapped, and has changed the storage", e.Event)
	}
	if !e.Opened && len(e.Commands) > 0 {
		r.Fail("I3", "%T trapped, and has commands: %v", e.Event, e.Commands)
	}
}

// TrapsHaveCauses checks that an event traps only where a decision makes it trap, where the agent's
// code does so on purpose, or where nothing can be written. The code of other agents may trap as it
// likes.
func (r *Rules) TrapsHaveCauses(e check.Event) {
	if e.Trap != nil && e.Slot == "" && e.Slot == r.Armed {
		r.harmed++
	}
	if e.Trap != nil {
		r.lost[e.Object]++
	}
	switch {
	case e.Trap == nil:
	case r.Mode.Own != nil && strings.Contains(e.Trap.Error(), "no class "):
		r.Fail("code", "a helper of %q is not among the classes: %v", e.Object, e.Trap)
	case strings.Contains(e.Trap.Error(), contract.OnPurpose), r.Mode.Own != nil && e.Slot != r.Armed && !r.Full[e.Object]:
		r.broken[e.Object] = true
	case e.Slot != r.Armed && !r.Full[e.Object]:
		r.Fail("trap", "%T of %q trapped: %v", e.Event, e.Slot, e.Trap)
	}
}
