package chattest

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
)

// chief is a conversation whose runs start as the words key=value of the question say, see [give].
// Two are active at a time.
var chief = chat.Agent{
	Class: "Chief", Model: Providers.Open, Tools: orders(), Runs: run.Limits{Concurrent: 2}, Methods: methods,
	BeforeRun: beforeRun, AfterRun: afterRun,
}

// beforeRun refuses a run whose input has the word forbidden.
func beforeRun(_ *chat.Conversation, r chat.RunInfo) error {
	if strings.Contains(string(r.Input), "forbidden") {
		return errors.New("this is forbidden")
	}
	return nil
}

// afterRun stores the run in the state if its input asks for it, and fails if its input asks for
// that.
func afterRun(c *chat.Conversation, r chat.RunInfo) error {
	if strings.Contains(string(r.Input), "noted") {
		if err := c.SetState(r); err != nil {
			return err
		}
	}
	if strings.Contains(string(r.Input), "hook fails") {
		return errors.New("the hook failed")
	}
	return nil
}

var methods = map[string]chat.Method{
	"usage": func(c *chat.Call) (any, error) { return c.Usage(), nil },
	"runs": func(c *chat.Call) (any, error) {
		var f run.Filter
		if c.Len() > 0 {
			if err := c.Arg(0, &f); err != nil {
				return nil, err
			}
		}
		return c.Runs(f), nil
	},
	"run":       about(func(c *chat.Call, id string) (any, error) { return c.Run(id) }),
	"cancelRun": about(func(c *chat.Call, id string) (any, error) { return nil, c.CancelRun(id, "by hand") }),
	"deleteRun": about(func(c *chat.Call, id string) (any, error) { return nil, c.DeleteRun(id) }),
}

// about returns a method whose argument is a run's id.
func about(f func(c *chat.Call, id string) (any, error)) chat.Method {
	return func(c *chat.Call) (any, error) {
		var id string
		if err := c.Arg(0, &id); err != nil {
			return nil, err
		}
		return f(c, id)
	}
}

// forgetful is a conversation that keeps two runs and one failure.
var forgetful = chat.Agent{
	Class: "Forgetful", Model: Providers.Open, Tools: orders(), Methods: methods,
	Keep: run.Keep{Runs: 2, Status: map[run.Status]run.Keep{run.Failed: {Runs: 1, Age: time.Minute}}},
}

// miser is a conversation whose turns may cost four model calls, and some tokens.
var miser = chat.Agent{
	Class: "Miser", Model: Providers.Open, Tools: orders(), Methods: methods, Budget: run.Budget{ModelCalls: 4, Tokens: 300},
}

// searcher is a helper that asks its model twice; cheap may ask it once.
var (
	searcher = chat.Agent{Class: "Searcher", Helper: true, Model: Providers.Open, Tools: found}
	cheap    = chat.Agent{Class: "Cheap", Helper: true, Model: Providers.Open, Tools: found, Budget: run.Budget{ModelCalls: 1}}
	found    = []chat.Tool{{Name: "web_search", Run: func(*chat.ToolContext, json.RawMessage) (json.RawMessage, error) {
		return json.Marshal("something")
	}}}
)

// regretful is a helper that reports its failure in a turn of its own.
var regretful = chat.Agent{
	Class: "Regretful", Helper: true, Model: Providers.Open,
	Hooks: chat.Hooks{OnError: func(c *chat.Conversation, _ chat.TurnError) string {
		if err := c.Notify("that went wrong chunks=1"); err != nil {
			return err.Error()
		}
		return ""
	}},
}

// middle is a helper that has helpers.
var middle = chat.Agent{Class: "Middle", Helper: true, Model: Providers.Open, Tools: orders()}

// sleeper is a helper whose tool takes two minutes.
var sleeper = chat.Agent{
	Class: "Sleeper", Helper: true, Model: Providers.Open,
	Tools: []chat.Tool{{Name: "web_search", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
		return input, flow.Sleep(c, 2*time.Minute)
	}}},
}

// parrot is a helper that repeats what it is told, and its instructions if it is asked for them.
var parrot = chat.Agent{
	Class: "Parrot", Helper: true, Instructions: "You are a parrot.",
	Model: func(map[string]string, []string) (model.Model, error) { return parroting{}, nil },
}

type parroting struct{}

func (parroting) Name() string { return "parrot" }

func (parroting) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	said := request.Messages[len(request.Messages)-1].Content[0].(model.Text).Text
	if said == "instructions" {
		said = request.System
	}
	return parroted(said), nil
}

type parroted string

func (p parroted) Take(*durable.Tx, durable.Event) ([]model.Delta, error) {
	return []model.Delta{model.TextDelta{Text: string(p)}, model.Finished{Reason: model.Stop, Usage: model.Usage{Input: 7, Output: 3}}}, nil
}

func (parroted) Cancel(*durable.Tx) {}

// orders returns the tools that start runs, under the names that the demo model knows.
func orders() []chat.Tool {
	return []chat.Tool{
		{Name: "research", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(c.StartRun(order(input, "query")))
		}},
		{Name: "compare", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(c.StartRun(order(input, "a")), c.StartRun(order(input, "b")))
		}},
		{Name: "fan", Run: fan},
		{Name: "plan", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			r := c.StartRun(order(input, "description"))
			if strings.Contains(string(input), "regret") {
				return regret(c, r)
			}
			return json.Marshal("nobody waits for it")
		}},
	}
}

// regret sleeps for a second after it has started a run, and cancels the run.
func regret(c *chat.ToolContext, r chat.PendingRun) (json.RawMessage, error) {
	if err := flow.Sleep(c, time.Second); err != nil {
		return nil, err
	}
	early := c.DeleteRun(r.ID)
	if err := c.CancelRun(r.ID, "taken back"); err != nil {
		return nil, err
	}
	o, err := r.Wait()
	if err != nil {
		return nil, err
	}
	kept, err := c.Runs(run.Filter{})
	if err != nil {
		return nil, err
	}
	if err := c.DeleteRun(r.ID); err != nil {
		return nil, err
	}
	_, gone := c.Run(r.ID)
	return json.Marshal([]any{early.Error(), o, kept, gone.Error()})
}

// fan starts several runs. A second later it starts the refused ones again.
func fan(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
	var in struct{ N int }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	var runs []chat.PendingRun
	for i := range in.N {
		runs = append(runs, c.StartRun(order(input, "query", strconv.Itoa(i)+":")))
	}
	for i, r := range runs {
		o, err := r.Wait()
		if err != nil {
			return nil, err
		}
		if o.Reason != run.TooMany {
			continue
		}
		if err := flow.Sleep(c, time.Second); err != nil {
			return nil, err
		}
		again := order(input, "query")
		again.ID = r.ID
		runs[i] = c.StartRun(again)
	}
	return outcomes(runs...)
}

var ofAnother = regexp.MustCompile(`^\d:`)

// order makes a spec of the input of a tool. If the input is damaged, the question is empty. The
// words key=value are taken out of the question. A word with a number in front, 2:key=value, is for
// that run of a fan, and a word with a bracket in front, >key=value, is passed on.
func order(input json.RawMessage, field string, own ...string) chat.Spec {
	var fields map[string]any
	_ = json.Unmarshal(input, &fields)
	asked, _ := fields[field].(string)
	spec := chat.Spec{Class: "Helper", Preview: input}
	var words []string
	for word := range strings.FieldsSeq(asked) {
		for _, prefix := range own {
			word = strings.TrimPrefix(word, prefix)
		}
		if below, ok := strings.CutPrefix(word, ">"); ok {
			words = append(words, below)
			continue
		}
		key, value, _ := strings.Cut(word, "=")
		if !ofAnother.MatchString(word) && !give(&spec, key, value) {
			words = append(words, word)
		}
	}
	spec.Prompt = strings.Join(words, " ")
	query, err := json.Marshal(map[string]string{"query": spec.Prompt})
	if err != nil {
		panic(err)
	}
	spec.Input = query
	return spec
}

// give applies one word of an order, and says whether it is one.
func give(spec *chat.Spec, key, value string) bool {
	switch key {
	case "class":
		spec.Class = value
	case "id":
		spec.ID = value
	case "order":
		n, _ := strconv.Atoi(value)
		spec.Order = &n
	case "preview":
		spec.Preview = nil
		if value != "" {
			spec.Preview = json.RawMessage(strconv.Quote(value))
		}
	case "display":
		spec.Display = json.RawMessage(`{"name":"` + value + `"}`)
	case "timeout":
		spec.Timeout, _ = time.ParseDuration(value)
	case "detached":
		spec.Detached = value
	case "silence":
		spec.IdleTimeout, _ = time.ParseDuration(value)
	case "stop":
		spec.StopWithTurn = value == "yes"
	case "narrate":
		spec.Announce.Narrate = strings.Split(value, ",")
	case "react":
		spec.Announce.React = strings.Split(value, ",")
	case "delivery":
		spec.Visibility = run.Visibility(value)
	case "output":
		spec.Output = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	case "queue":
		spec.NoQueue = value == "no"
	default:
		return false
	}
	return true
}
