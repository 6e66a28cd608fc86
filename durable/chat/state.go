package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// setState stores a state that a client has set, and shows it to the other clients. The sender has
// applied it already and expects no echo.
func (o *Object) setState(tx *durable.Tx, conn durable.ConnID, state json.RawMessage) {
	if len(state) > protocol.Limits.State {
		audience.Send(tx, protocol.StateError(fmt.Sprintf("state of %d bytes, at most %d", len(state), protocol.Limits.State)), conn)
		return
	}
	if o.agent.AcceptState != nil {
		if err := o.agent.AcceptState(state); err != nil {
			audience.Send(tx, protocol.StateError("State update rejected"), conn)
			tx.Log(durable.Warn, "state update rejected", "conn", string(conn), "error", err.Error())
			return
		}
	}
	o.keepState(tx, state, conn)
}

// stateOf returns the agent's state, or nil if none was set.
func stateOf(tx *durable.Tx) json.RawMessage {
	var state json.RawMessage
	setting.Read(tx, settingState, &state)
	return state
}

// keepState stores a state and sends it to all connections except the named ones.
func (o *Object) keepState(tx *durable.Tx, state json.RawMessage, except ...durable.ConnID) {
	setting.Set(tx, settingState, string(state))
	audience.Send(tx, protocol.State(state), o.audience.All(except...)...)
}
