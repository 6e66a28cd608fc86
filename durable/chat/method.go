package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/inspection"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

func (o *Object) call(tx *durable.Tx, e durable.SocketMessage, f protocol.Call) {
	conn := e.Conn
	method, ok := o.agent.Methods[f.Method]
	if !ok {
		method, ok = o.serverMethod(f.Method)
	}
	if !ok && f.Method == methodInspect {
		method, ok = func(*agent.Call) (any, error) { return o.inspect(tx) }, true
	}
	if !ok {
		audience.Send(tx, protocol.CallError(f.ID, "Method "+f.Method+" does not exist"), conn)
		return
	}
	defer o.actFor(o.granted(e.Claims, agent.TurnInfo{Conn: conn}))()
	c := author.Call{Conn: conn, ID: f.ID, Args: f.Args}
	result, err := method(author.Bind.Call(host{o}, tx, &c).(*agent.Call))
	if _, later := result.(author.AnsweredLater); later && err == nil {
		return
	}
	if c.Waits {
		o.dropCall(tx, waitingCall{conn, f.ID})
	}
	var encoded json.RawMessage
	if err == nil && result != nil {
		if encoded, err = limit.MarshalWithin(result, limit.Result); err != nil {
			err = fmt.Errorf("result: %w", err)
		}
	}
	if err != nil {
		audience.Send(tx, protocol.CallError(f.ID, protocol.CutOff(err.Error(), limit.Words)), conn)
		return
	}
	audience.Send(tx, protocol.CallResult(f.ID, encoded, true), conn)
}

// methodInspect is the method that every agent has, for the inspector. An agent's own method of that
// name replaces it.
const methodInspect = "inspect"

// inspect returns what the storage holds, on a developer's machine only.
func (o *Object) inspect(tx *durable.Tx) (any, error) {
	if o.vars["TRIBUTARY_ENV"] != "development" {
		return nil, errors.New("storage is inspected in development only, where TRIBUTARY_ENV is development")
	}
	return inspection.Read(tx, o.agent.Name, o.name, o.loop.Total(tx), func() inspection.Shown {
		return inspection.Shown{Pending: o.pending(tx), Attempts: o.attempts(), More: o.sections(tx)}
	}), nil
}

// sections are those of the features that the agent has.
func (o *Object) sections(tx *durable.Tx) (all []inspection.Table) {
	if o.servers != nil {
		all = append(all, o.servers.Sections(tx)...)
	}
	if o.mcpServer != nil {
		all = append(all, o.mcpServer.Sections(tx)...)
	}
	return all
}

// attempts returns how many attempts the steps of the active turn have at most, by the names of the
// steps.
func (o *Object) attempts() map[string]int {
	if !o.loop.IsActive() {
		return nil
	}
	attempts := map[string]int{}
	for _, s := range o.loop.Draft().Fold.Steps() {
		attempts[s.Name] = s.Attempts
	}
	return attempts
}

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
	if o.mcpServer != nil {
		o.mcpServer.Changed(tx, agent.StateURI)
	}
	o.audience.ShowState(tx, func() string { return protocol.State(state) }, except...)
}
