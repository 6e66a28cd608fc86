package sim

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// runsComeInOrder is that a tab which comes is told of runs in the order in which they have begun.
func runsComeInOrder(s *Sim, h durabletest.HandledEvent) {
	e, ok := h.Event.(durable.SocketOpened)
	if !ok || h.Slot != "" || h.Trap != nil || s.checks.met[e.Conn] != "" {
		return
	}
	before := -1
	for _, send := range s.checks.sent {
		var event toolEvent
		if f := send.frame; f.Type != "agent-tool-event" || !f.Replay || f.Sequence != 0 || json.Unmarshal(f.Event, &event) != nil || event.Kind != "started" {
			continue
		}
		at := slices.IndexFunc(s.checks.runs, func(r runRow) bool { return r.id == event.RunID })
		if at < before {
			s.fail("client", "%s is told of the run %s behind later ones", e.Conn, event.RunID)
		}
		before = at
	}
}
