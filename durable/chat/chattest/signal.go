package chattest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// postmaster is a conversation that begins runs of programs and sends signals to them. Two runs are
// active at a time.
var postmaster = agent.Agent{
	Name: "Postmaster", Runs: run.Limits{Concurrent: 2},
	Handlers: map[string]agent.RunHook{"over": func(*agent.Conversation, agent.RunInfo) error { return nil }},
	Methods: map[string]agent.Method{
		"begin": func(c *agent.Call) (any, error) {
			var l letters
			if err := c.Arg(0, &l); err != nil {
				return nil, err
			}
			helper := receiver
			if l.Relayed {
				helper = relay
			}
			r, err := agent.StartDetached(&c.Conversation, helper, "over", l, agent.RunID(l.ID))
			return r.Status, err
		},
		"signal": agent.SendSignal,
		"run": about(func(c *agent.Call, id string) (any, error) {
			r, err := c.Run(id)
			return map[string]any{"status": r.Status, "output": r.Output, "error": r.Failure, "dropped": r.DroppedSignals}, err
		}),
		"cancelRun": agent.CancelRun, "deleteRun": agent.DeleteRun,
	},
}

// letters is what a [receiver] is asked to do: to sleep for some seconds, and then to receive
// signals of some names, each of them within some seconds if that is not 0. A signal whose payload
// is "fail" ends it.
type letters struct {
	ID            string   `json:"id"`
	Names         []string `json:"names"`
	Sleep, Within int
	// Relayed gives the order to a [relay], whose own helper receives the signals.
	Relayed bool
}

// receiver is a program that receives signals, and returns what it has received.
var receiver = agent.Agent{Name: "Receiver", Helper: true, Program: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var l letters
	if err := json.Unmarshal(input, &l); err != nil {
		return nil, err
	}
	if err := flow.Sleep(c, time.Duration(l.Sleep)*time.Second); err != nil {
		return nil, err
	}
	got := []string{}
	for _, name := range l.Names {
		s, err := receive(c, name, time.Duration(l.Within)*time.Second)
		switch {
		case errors.Is(err, flow.ErrTimeout):
			got = append(got, name+" timeout")
			continue
		case err != nil:
			return nil, err
		case string(s.Payload) == `"fail"`:
			return nil, errors.New("it was asked to fail")
		}
		line := fmt.Sprintf("%s %s", name, s.Payload)
		if s.From != "" {
			line += " by " + s.From
		}
		got = append(got, line)
		if err := c.Say(got[len(got)-1] + "\n"); err != nil {
			return nil, err
		}
	}
	return json.Marshal(map[string]any{"received": got})
}}

func receive(c *agent.Context, name string, within time.Duration) (flow.Signal[json.RawMessage], error) {
	if within == 0 {
		return flow.Receive[json.RawMessage](c, name)
	}
	return flow.Within(c, within, func() (flow.Signal[json.RawMessage], error) { return flow.Receive[json.RawMessage](c, name) })
}

// relay is a program that has a [receiver] of its own, and sends it what it receives itself, each
// signal twice. It returns the states of its signals, and what the receiver has received.
var relay = agent.Agent{Name: "Relay", Helper: true, Program: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var l letters
	if err := json.Unmarshal(input, &l); err != nil {
		return nil, err
	}
	below := agent.StartAgent(c, receiver, letters{ID: "below", Names: l.Names, Sleep: l.Sleep}, agent.RunID("below"))
	var states []string
	send := func(to, name string, payload any, id string) error {
		state, err := c.Signal(to, name, payload, id)
		if state == "" {
			return err
		}
		states = append(states, string(state))
		return nil
	}
	for i, name := range l.Names {
		s, err := flow.Receive[json.RawMessage](c, name)
		if err != nil {
			return nil, err
		}
		for range 2 {
			if err := send("below", name, s.Payload, fmt.Sprint("s", i)); err != nil {
				return nil, err
			}
		}
	}
	o, err := below.Outcome()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(send("below", "late", 1, ""), send("nobody", "late", 1, "")); err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"states": states, "below": o.Output})
}}
