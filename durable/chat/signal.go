package chat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about signals to runs that come over HTTP. The sender is answered when the run's
// helper has stored the signal, so that it learns whether somebody has received it. If the helper
// cannot be told at once, the signal is kept, and the sender learns that.

// sender is a request that has brought the Nth signal to a run, and waits for the helper's answer.
type sender struct {
	run     string
	n       int64
	request string
}

// respondSignal answers a request that brings a signal: /agents/{agent}/{name}/runs/{run}/signals/{signal}.
func (o *Object) respondSignal(tx *durable.Tx, e durable.RequestReceived, segments []string) {
	id, name := segments[2], segments[3]
	if by := claimsOf(o.granted(e.Claims, agent.TurnInfo{Request: e.Request})); len(by.Missing(o.agent.SignalScopes)) > 0 {
		respondSent(tx, e.Request, 403, "", "a signal needs the scope "+strings.Join(by.Missing(o.agent.SignalScopes), ", "))
		return
	}
	sig := run.Signal{Name: name, Payload: e.Body, From: subjectOf(e.Claims)}
	key, named := e.Header["idempotency-key"]
	sig.ID = key
	err := supervisor.CheckSignal(id, sig)
	switch {
	case len(e.Body) > limit.SignalPayload:
		respondSent(tx, e.Request, 413, "", fmt.Sprintf("the payload has %d bytes, at most %d", len(e.Body), limit.SignalPayload))
		return
	case named && key == "":
		err = fmt.Errorf("the header idempotency-key is empty: an id has 1 to %d bytes", limit.SignalID)
	}
	if err != nil {
		respondSent(tx, e.Request, 400, "", err.Error())
		return
	}
	sent, state, refusal, _ := o.runs.Signal(tx, id, sig, e.Claims)
	if state == run.SignalKept && o.runs.Signalling(id) {
		o.senders = append(o.senders, sender{id, sent.N, e.Request})
		return
	}
	respondSent(tx, e.Request, signalStatus[state], state, refusal)
}

// signalStatus are the statuses of the answers.
var signalStatus = map[run.SignalState]int{
	run.SignalDelivered: 200, run.SignalKept: 200, run.SignalDuplicate: 200,
	run.SignalUnknown: 404, run.SignalOver: 409, run.SignalFull: 429,
}

// respondSent answers a request that has brought a signal.
func respondSent(tx *durable.Tx, request string, status int, state run.SignalState, refusal string) {
	body := limit.MustMarshal(struct {
		State run.SignalState `json:"state,omitempty"`
		Error string          `json:"error,omitempty"`
	}{state, refusal})
	header := map[string]string{"content-type": "application/json", "cache-control": "no-store"}
	tx.Do(durable.Respond{Request: request, Status: status, Header: header, Body: body})
}

// answerSenders answers the requests whose signals to a run have come to a state. stateOf says
// which, or "" for those that go on waiting.
func (o *Object) answerSenders(tx *durable.Tx, id string, stateOf func(n int64) run.SignalState) {
	o.senders = slices.DeleteFunc(o.senders, func(s sender) bool {
		if s.run != id {
			return false
		}
		state := stateOf(s.n)
		if state == "" {
			return false
		}
		refusal := ""
		if state == run.SignalOver {
			refusal = fmt.Sprintf("run %s has ended before it could be brought the signal", id)
		}
		respondSent(tx, s.request, signalStatus[state], state, refusal)
		return true
	})
}

// signalsStored answers the requests whose signals a helper has stored.
func (o *Object) signalsStored(tx *durable.Tx, f supervisor.SignalsStored) {
	o.answerSenders(tx, f.Run, func(n int64) run.SignalState {
		switch {
		case n > f.Last:
			return ""
		case slices.Contains(f.Unreceived, n):
			return run.SignalKept
		}
		return run.SignalDelivered
	})
}
