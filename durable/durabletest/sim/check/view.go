package check

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// View is what the rules of one root may read: the root with its helpers, their storage, and the
// trouble that was made for them.
type View struct {
	*Report
	*stored.Reader
	Trouble
	World *durabletest.World
	Mode  *mode.Mode
	// MethodCalls is nil unless people call methods of the root.
	MethodCalls *contract.MethodCalls
	// Sockets are the sockets that the root was told of, each with the path that it is for: "" for
	// the root's own page, or the path of a helper.
	Sockets map[durable.ConnID]string
	// TokenEnds is when the token of a socket ends. It is 0 once the socket was closed for that.
	TokenEnds map[durable.ConnID]int64
	// Arrived are the frames of browsers that the root has taken.
	Arrived []string
	// Regenerated says that a person has asked for another answer to a question.
	Regenerated bool
}

// NewView returns what rules may look at in a world.
func NewView(world *durabletest.World, reader *stored.Reader, report *Report, m *mode.Mode, methodCalls *contract.MethodCalls) *View {
	return &View{
		Report: report, Reader: reader, World: world, Mode: m, MethodCalls: methodCalls,
		Trouble: Trouble{Armed: NoSlot, Full: map[string]bool{}, WasFull: map[string]bool{}, Openings: map[string]int{}},
		Sockets: map[durable.ConnID]string{}, TokenEnds: map[durable.ConnID]int64{},
	}
}

// Unauthorized is the code with which a socket is closed when its token ends.
const Unauthorized = 4401

// TokenHasEnded says whether the token of a socket has ended. A socket that was closed for that
// stays closed when the clock is set back.
func (v *View) TokenHasEnded(conn durable.ConnID) bool {
	until, ends := v.TokenEnds[conn]
	return ends && until <= v.World.Now()
}

// Trouble is the harm that was done to a world and that its rules allow for.
type Trouble struct {
	// Armed is the slot whose next event traps, or [NoSlot].
	Armed string
	// Before is everything that this object had stored before that event, or "" if it is not known.
	Before string
	// Full are the storages that refuse all writes. WasFull are those that have ever been full.
	Full, WasFull map[string]bool
	// Openings counts how often objects were opened: each time but the first they had lost their memory.
	Openings map[string]int
	// AlarmsLost says that an alarm may have been given up by the platform, or lost before it was
	// set.
	AlarmsLost bool
	// ClockSets counts how often the clock on the wall was set, Leapt by how much in all, and
	// SetBack by how much in all it was set back, in milliseconds.
	ClockSets      int
	Leapt, SetBack int64
}

// NoSlot is the name of no slot.
const NoSlot = "-"

// Moment is a time on a clock that nobody sets, and how often the clock on the wall had been set
// until then.
type Moment struct {
	At   int64
	Sets int
}

// Moment returns the present time.
func (v *View) Moment() Moment { return Moment{v.World.Now() - v.Leapt, v.ClockSets} }
