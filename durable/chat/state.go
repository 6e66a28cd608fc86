package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// setState takes a state over from a client and shows it to the others. The
// sender has applied it already and expects no echo.
func (h *Host) setState(tx *durable.Tx, conn durable.ConnID, state json.RawMessage) {
	if len(state) > protocol.Limits.State {
		send(tx, protocol.StateError(fmt.Sprintf("state of %d bytes, at most %d", len(state), protocol.Limits.State)), conn)
		return
	}
	if h.agent.AcceptState != nil {
		if err := h.agent.AcceptState(state); err != nil {
			send(tx, protocol.StateError("State update rejected"), conn)
			tx.Log(durable.Warn, "state update rejected", "conn", string(conn), "error", err.Error())
			return
		}
	}
	h.keepState(tx, state, conn)
}

// stateOf returns the agent's state, nil where none was set.
func stateOf(tx *durable.Tx) json.RawMessage {
	var state json.RawMessage
	readSetting(tx, settingState, &state)
	return state
}

// keepState stores a state and shows it to everyone but those named.
func (h *Host) keepState(tx *durable.Tx, state json.RawMessage, except ...durable.ConnID) {
	set(tx, settingState, string(state))
	send(tx, protocol.State(state), h.roster.all(except...)...)
}
