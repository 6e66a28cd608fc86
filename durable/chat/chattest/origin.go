package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// harbour is a conversation whose helpers begin detached runs, which it hosts. It has a handler for
// the ends of orphans.
var harbour = agent.Agent{
	Name: "Harbour", Tools: orders(), Methods: overseen(), Runs: run.Limits{Concurrent: 3, Queued: 1}, BeforeRun: func(c *agent.Conversation, r agent.RunInfo) error {
		if r.Origin == nil {
			return nil
		}
		return beforeRun(c, r)
	},
	Handlers: map[string]agent.RunHook{"orphan": handled, "tell": handled},
}

// pilot is a helper that begins detached runs: a program that performs the words of its input in
// order.
var pilot = agent.Agent{Name: "Pilot", Helper: true, Program: pilotage, Methods: pilotMethods(), Handlers: pilotHandlers, Callbacks: map[string]agent.Callback{
	"ring": func(c *agent.Conversation, _ agent.Scheduled) error {
		_, err := agent.StartDetached(c, reporter, "own", map[string]string{"query": "sleep=1s"}, agent.RunID("rung"))
		return err
	},
}}

// mate is a helper that has a pilot.
var mate = agent.Agent{
	Name: "Mate", Helper: true, Methods: overseen(), Handlers: map[string]agent.RunHook{"orphan": handled},
	Program: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		o, err := agent.StartAgent(c, pilot, input).Outcome()
		if err != nil {
			return nil, err
		}
		return json.Marshal(o.Summary + o.Failure)
	},
}

var pilotHandlers = map[string]agent.RunHook{
	"own": handled, "orphan": handled, "tell": handled, "nobody": handled,
	"flaky": func(c *agent.Conversation, r agent.RunInfo) error {
		if string(c.State()) != `"mended"` {
			return errors.New("out of order")
		}
		return handled(c, r)
	},
	"trap": func(*agent.Conversation, agent.RunInfo) error { panic("asked to") },
}

// handled adds a run's end to the list in the state.
func handled(c *agent.Conversation, r agent.RunInfo) error {
	var ends []string
	if err := json.Unmarshal(c.State(), &ends); err != nil {
		ends = nil
	}
	return c.SetState(append(ends, r.ID+" "+string(r.Status)+" "+r.Summary+r.Failure))
}

func pilotMethods() map[string]agent.Method {
	all := overseen()
	all["begin"] = func(c *agent.Call) (any, error) {
		var id, query string
		if err := errors.Join(c.Arg(0, &id), c.Arg(1, &query)); err != nil {
			return nil, err
		}
		return agent.StartDetached(&c.Conversation, reporter, "own", map[string]string{"query": query}, agent.RunID(id))
	}
	all["mend"] = func(c *agent.Call) (any, error) { return nil, c.SetState("mended") }
	all["later"] = func(c *agent.Call) (any, error) { return c.Schedule(schedule.After(time.Minute), "ring", nil) }
	return all
}

// pilotage performs the words of a question: begin=id,handler,words-of-the-reporter begins a
// detached run, join=id,milestone awaits a milestone, cancel=id cancels a run, forget=id deletes
// it, list lists them, sleep=1s sleeps.
func pilotage(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var in struct{ Query string }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	var said []string
	for word := range strings.FieldsSeq(in.Query) {
		verb, rest, _ := strings.Cut(word, "=")
		line, err := pilotOne(c, verb, rest)
		if err != nil {
			line = err.Error()
		}
		said = append(said, line)
	}
	return json.Marshal(strings.Join(said, "; "))
}

func pilotOne(c *agent.Context, verb, rest string) (string, error) {
	first, second, _ := strings.Cut(rest, ",")
	switch verb {
	case "begin", "stopping", "unqueued":
		handler, words, _ := strings.Cut(second, ",")
		options := []agent.Option{agent.Detached(handler)}
		if first != "" {
			options = append(options, agent.RunID(first))
		}
		switch verb {
		case "stopping":
			options = append(options, agent.StopWithTurn())
		case "unqueued":
			options = append(options, agent.NoQueue())
		}
		query := map[string]string{"query": strings.ReplaceAll(words, ",", " ")}
		result := agent.RunAgent(c, reporter, query, options...)
		if !result.OK {
			return "refused: " + result.Error, nil
		}
		return "began " + first, nil
	case "join":
		m, err := c.AwaitMilestone(first, second)
		return "reached " + m.Name, err
	case "cancel":
		return "cancelled", c.CancelRun(first, "by its pilot")
	case "forget":
		return "forgot", c.DeleteRun(first)
	case "list":
		runs, err := c.Runs(run.Filter{})
		var list []string
		for _, r := range runs {
			list = append(list, r.ID+" "+string(r.Status))
		}
		return strings.Join(list, ", "), err
	case "sleep":
		d, err := time.ParseDuration(first)
		if err != nil {
			return "", err
		}
		return "slept", flow.Sleep(c, d)
	}
	return "", errors.New("what is " + verb + "?")
}
