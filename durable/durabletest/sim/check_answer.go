package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds that whatever a person has answered is known to the turn or helper that has
// asked. Checks know the table ask (call, state).

// answersAreTaken notes what people have answered that an object has taken: the root's own call
// is no longer open then, and a helper is told.
func answersAreTaken(s *Sim, h durabletest.Happening) {
	m, ok := h.Event.(durable.SocketMessage)
	if !ok || h.Slot != "" || h.Trap != nil || !strings.Contains(m.Text, "cf_agent_tool_approval") {
		return
	}
	var f struct{ ToolCallID string }
	if json.Unmarshal([]byte(m.Text), &f) != nil {
		return
	}
	for _, c := range h.Commands {
		if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, "answer/") {
			s.watch.promised[f.ToolCallID] = true
		}
	}
}

// answersAreKnown is that nobody waits for what was answered, where nothing is under way any
// more.
func (s *Sim) answersAreKnown() {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if slot == "" || !s.made(object) {
			continue
		}
		for _, call := range s.openAsks(object) {
			if s.watch.promised[call] {
				s.fail("answer", "%q waits for an answer to %s, which a person has given", slot, call)
			}
		}
	}
}

// openAsks returns the calls of an object that nobody has answered.
func (s *Sim) openAsks(object string) []string {
	var open []string
	if !s.made(object) {
		return nil
	}
	for _, row := range s.rows(object, `SELECT call FROM ask WHERE state = 'open' ORDER BY seq`) {
		open = append(open, row.Text(0))
	}
	return open
}

// allAreAnswered is that a turn goes on when every call of its message is answered, and not
// before: the model is told of none that people still have to answer.
func (e *endpoint) allAreAnswered(v *serving) {
	open := e.sim.openAsks(v.object)
	for _, m := range v.question.Messages[v.question.asked():] {
		for _, c := range m.ToolCalls {
			if slices.Contains(open, c.ID) {
				e.sim.fail("answer", "the model of %s is to go on, and %s is not answered", v.object, c.ID)
			}
		}
	}
}
