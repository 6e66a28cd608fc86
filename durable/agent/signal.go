package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Signal sends a signal to the code of a run, which receives it with flow.Receive. The run may wait
// in the queue. name has 1 to 128 bytes. payload becomes JSON of at most 256 KiB. id identifies the
// signal in its run: a signal whose id was taken before is a [run.SignalDuplicate], and changes
// nothing. With "" the signal is a new one each time.
//
// The state is [run.SignalKept] if the signal was taken: it is stored, and is brought to the run
// however often its helper is lost. Signal does not wait until the run has received it. The error
// says why a signal was not taken: there is no such run, the run is over, too many signals wait for
// it (1,000, or 4 MiB together, of one person a quarter), or the signal itself is none, or the root hosts the run: the signal
// then has no state.
func (c *Conversation) Signal(runID, name string, payload any, id string) (run.SignalState, error) {
	return c.signal(runID, run.Signal{ID: id, Name: name}, payload)
}

// Signal is [Conversation.Signal] in the name of the caller: the signal is from the subject of the
// caller's claims.
func (c *Call) Signal(runID, name string, payload any, id string) (run.SignalState, error) {
	return c.signal(runID, run.Signal{ID: id, Name: name, From: c.Claims().Subject}, payload)
}

func (c *Conversation) signal(runID string, s run.Signal, payload any) (run.SignalState, error) {
	encoded, err := limit.MarshalWithin(payload, limit.SignalPayload)
	if err != nil {
		return "", fmt.Errorf("the payload of a signal: %w", err)
	}
	s.Payload = encoded
	_, state, refusal, err := c.object.Runs().Signal(c.tx, runID, s, c.acting())
	if err == nil && refusal != "" {
		err = errors.New(refusal)
	}
	return state, err
}

// Signal is [Conversation.Signal] for a tool's code. What it returns is journaled, so a replay sends
// no second signal, with an id or without.
func (c *Context) Signal(runID, name string, payload any, id string) (run.SignalState, error) {
	sent, err := flow.Step(c, "signal "+name+" to run "+runID, func(tx *durable.Tx) (signalSent, error) {
		return signalResult(c.now(tx).Signal(runID, name, payload, id))
	})
	if err == nil && sent.Error != "" {
		err = errors.New(sent.Error)
	}
	return sent.State, err
}

// signalSent is what has become of a signal. Its JSON is public.
type signalSent struct {
	State run.SignalState `json:"state"`
	Error string          `json:"error,omitempty"`
}

// signalResult puts into words what has become of a signal. The error says what is wrong with the signal
// itself.
func signalResult(state run.SignalState, err error) (signalSent, error) {
	switch {
	case state == "":
		return signalSent{}, err
	case err != nil:
		return signalSent{state, err.Error()}, nil
	}
	return signalSent{State: state}, nil
}

// signalSending is the argument of [SendSignal].
type signalSending struct {
	Run     string          `json:"run"`
	Name    string          `json:"name"`
	Payload json.RawMessage `json:"payload"`
	ID      string          `json:"id"`
}

// SendSignal is a [Method] that sends a signal to a run. Its argument is {"run", "name", "payload",
// "id"}, of which the id is optional. It returns {"state"}, and with it "error" in words if the
// signal was not taken. The run's code goes on with the run's own claims, whoever signals it: it is told the
// subject of the sender, and decides what a signal is worth. [Require] asks for scopes, as
// [Agent.SignalScopes] does over HTTP.
func SendSignal(call *Call) (any, error) {
	var s signalSending
	if err := call.Arg(0, &s); err != nil {
		return nil, err
	}
	if s.Payload == nil {
		s.Payload = json.RawMessage("null")
	}
	return signalResult(call.Signal(s.Run, s.Name, s.Payload, s.ID))
}
