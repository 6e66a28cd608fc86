package chattest

import (
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// reporter is a helper that performs the words of its question in order: progress=0.5,
// reach=milestone, note=milestone, sleep=50ms, say=words, say=?detached.
var reporter = agent.Agent{Name: "Reporter", Helper: true, Program: report}

// overseer is a conversation that stores the progress of its runs in its state.
var overseer = agent.Agent{
	Name: "Overseer", Tools: append(orders(), agent.Tool{Name: "join", Run: join}), Methods: overseen(),
	Handlers: map[string]agent.RunHook{"tell": tell, "flaky": flaky, "trap": func(*agent.Conversation, agent.RunInfo) error { panic("asked to") }},
	OnProgress: func(c *agent.Conversation, r agent.RunInfo) error {
		if r.Progress.Phase == "nobody's business" {
			return errors.New("the hook failed")
		}
		return c.SetState(r.Progress)
	},
}

// overseen returns the methods of conversations with runs, and those for dead letters.
func overseen() map[string]agent.Method {
	all := maps.Clone(methods)
	all["deadLetters"] = func(c *agent.Call) (any, error) { return c.DeadLetters(), nil }
	all["retryLetter"] = about(func(c *agent.Call, id string) (any, error) { return nil, c.RetryDeadLetter(id) })
	return all
}

// tell has the model react to the end of a run.
func tell(c *agent.Conversation, r agent.RunInfo) error {
	return c.Notify(r.ID + " is " + string(r.Status) + ": " + r.Summary + r.Failure + " chunks=1")
}

// flaky fails until the state is "mended".
func flaky(c *agent.Conversation, r agent.RunInfo) error {
	if string(c.State()) != `"mended"` {
		return errors.New("out of order")
	}
	return tell(c, r)
}

// join awaits milestones that the run will reach, has reached, and never reaches.
func join(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
	r := silently(c, "Reporter", json.RawMessage(`{"query":"sleep=1s reach=drafted sleep=1s reach=drafted"}`), "")
	var told []any
	for _, name := range []string{"drafted", "drafted", "checked", "drafted", "printed"} {
		m, err := c.AwaitMilestone(r.ID(), name)
		if err != nil {
			told = append(told, err.Error())
			continue
		}
		told = append(told, m)
	}
	_, err := c.AwaitMilestone("nobody", "drafted")
	return json.Marshal(append(told, err.Error()))
}

func report(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var asked struct{ Query string }
	if err := json.Unmarshal(input, &asked); err != nil {
		return nil, err
	}
	for word := range strings.FieldsSeq(asked.Query) {
		verb, object, _ := strings.Cut(word, "=")
		if err := reportOne(c, verb, object); err != nil {
			return nil, err
		}
	}
	return json.RawMessage(`"done"`), nil
}

func reportOne(c *agent.Context, verb, object string) error {
	switch verb {
	case "progress":
		fraction, err := strconv.ParseFloat(object, 64)
		if err != nil {
			return err
		}
		return c.ReportProgress(agent.Progress{Fraction: fraction})
	case "phase":
		return c.ReportProgress(agent.Progress{Phase: strings.ReplaceAll(object, "_", " "), Message: "now " + object, Data: map[string]int{"n": len(object)}})
	case "reach":
		return c.Milestone(object, map[string]string{"of": object})
	case "note":
		return c.Milestone(object, "this is "+object+" chunks=1")
	case "reach100":
		for range 100 {
			if err := c.Milestone(object, nil); err != nil {
				return err
			}
		}
		return nil
	case "sleep":
		d, err := time.ParseDuration(object)
		if err != nil {
			return err
		}
		return flow.Sleep(c, d)
	case "say":
		return c.Say(strings.ReplaceAll(object, "?detached", "detached:"+strconv.FormatBool(c.Detached())))
	}
	return errors.New("what is " + verb + "?")
}
