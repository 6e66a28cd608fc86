package chattest

import (
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
)

// chief is a conversation whose runs start as the words key=value of the question say, see [give].
// Two are active at a time.
var chief = agent.Agent{
	Name: "Chief", Tools: orders(), Runs: run.Limits{Concurrent: 2}, Methods: methods,
	BeforeRun: beforeRun, AfterRun: afterRun,
}

// beforeRun refuses a run whose input has the word forbidden.
func beforeRun(_ *agent.Conversation, r agent.RunInfo) error {
	if strings.Contains(string(r.Input), "forbidden") {
		return errors.New("this is forbidden")
	}
	return nil
}

// afterRun stores the run in the state if its input asks for it, and fails if its input asks for
// that.
func afterRun(c *agent.Conversation, r agent.RunInfo) error {
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

var methods = map[string]agent.Method{
	"usage": func(c *agent.Call) (any, error) { return c.Usage(), nil },
	"runs": func(c *agent.Call) (any, error) {
		var f run.Filter
		if c.Len() > 0 {
			if err := c.Arg(0, &f); err != nil {
				return nil, err
			}
		}
		return c.Runs(f), nil
	},
	"run":       about(func(c *agent.Call, id string) (any, error) { return c.Run(id) }),
	"cancelRun": about(func(c *agent.Call, id string) (any, error) { return nil, c.CancelRun(id, "by hand") }),
	"deleteRun": about(func(c *agent.Call, id string) (any, error) { return nil, c.DeleteRun(id) }),
}

// about returns a method whose argument is a run's id.
func about(f func(c *agent.Call, id string) (any, error)) agent.Method {
	return func(c *agent.Call) (any, error) {
		var id string
		if err := c.Arg(0, &id); err != nil {
			return nil, err
		}
		return f(c, id)
	}
}

// forgetful is a conversation that keeps two runs and one failure.
var forgetful = agent.Agent{
	Name: "Forgetful", Tools: orders(), Methods: methods,
	Keep: run.Keep{Runs: 2, Status: map[run.Status]run.Keep{run.Failed: {Runs: 1, Age: time.Minute}}},
}

// miser is a conversation whose turns may cost four model calls, and some tokens.
var miser = agent.Agent{
	Name: "Miser", Tools: orders(), Methods: methods, Budget: run.Budget{ModelCalls: 4, Tokens: 300},
}

// searcher is a helper that asks its model twice; cheap may ask it once.
var (
	searcher = agent.Agent{Name: "Searcher", Helper: true, Tools: found}
	cheap    = agent.Agent{Name: "Cheap", Helper: true, Tools: found, Budget: run.Budget{ModelCalls: 1}}
	found    = []agent.Tool{{Name: "web_search", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
		return json.Marshal("something")
	}}}
)

// regretful is a helper that reports its failure in a turn of its own.
var regretful = agent.Agent{
	Name: "Regretful", Helper: true,
	Hooks: agent.Hooks{OnError: func(c *agent.Conversation, _ agent.TurnError) string {
		if err := c.Notify("that went wrong chunks=1"); err != nil {
			return err.Error()
		}
		return ""
	}},
}

// middle is a helper that has helpers.
var middle = agent.Agent{Name: "Middle", Helper: true, Tools: orders()}

// sleeper is a helper whose tool takes two minutes.
var sleeper = agent.Agent{
	Name: "Sleeper", Helper: true,
	Tools: []agent.Tool{{Name: "web_search", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		return input, flow.Sleep(c, 2*time.Minute)
	}}},
}

// parrot is a helper that repeats what it is told, and its instructions if it is asked for them.
var parrot = agent.Agent{
	Name: "Parrot", Helper: true, Instructions: "You are a parrot.",
	Model: parroting{},
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
func orders() []agent.Tool {
	return []agent.Tool{
		{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(order(input, "query").start(c))
		}},
		{Name: "compare", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(order(input, "a").start(c), order(input, "b").start(c))
		}},
		{Name: "fan", Run: fan},
		{Name: "plan", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			r := order(input, "description").start(c)
			if strings.Contains(string(input), "regret") {
				return regret(c, r)
			}
			return json.Marshal("nobody waits for it")
		}},
	}
}

// regret sleeps for a second after it has started a run, and cancels the run.
func regret(c *agent.Context, r agent.Run) (json.RawMessage, error) {
	if err := flow.Sleep(c, time.Second); err != nil {
		return nil, err
	}
	early := c.DeleteRun(r.ID())
	if err := c.CancelRun(r.ID(), "taken back"); err != nil {
		return nil, err
	}
	o, err := r.Outcome()
	if err != nil {
		return nil, err
	}
	kept, err := c.Runs(run.Filter{})
	if err != nil {
		return nil, err
	}
	if err := c.DeleteRun(r.ID()); err != nil {
		return nil, err
	}
	_, gone := c.Run(r.ID())
	return json.Marshal([]any{early.Error(), o, kept, gone.Error()})
}

// fan starts several runs. A second later it starts the refused ones again.
func fan(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var in struct{ N int }
	if err := json.Unmarshal(input, &in); err != nil {
		return nil, err
	}
	var runs []agent.Run
	for i := range in.N {
		runs = append(runs, order(input, "query", strconv.Itoa(i)+":").start(c))
	}
	for i, r := range runs {
		o, err := r.Outcome()
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
		again.options = append(again.options, agent.RunID(r.ID()))
		runs[i] = again.start(c)
	}
	return outcomes(runs...)
}

var ofAnother = regexp.MustCompile(`^\d:`)

// ordered is a run that the input of a tool describes.
type ordered struct {
	class   string
	input   json.RawMessage
	options []agent.Option
}

func (o ordered) start(c *agent.Context) agent.Run {
	return agent.StartAgent(c, agent.Agent{Name: o.class}, o.input, o.options...)
}

// order reads the input of a tool. If the input is damaged, the question is empty. The words
// key=value are taken out of the question. A word with a number in front, 2:key=value, is for that
// run of a fan, and a word with a bracket in front, >key=value, is passed on.
func order(input json.RawMessage, field string, own ...string) ordered {
	var fields map[string]any
	_ = json.Unmarshal(input, &fields)
	asked, _ := fields[field].(string)
	o := ordered{class: "Helper", options: []agent.Option{agent.Preview(input)}}
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
		if !ofAnother.MatchString(word) && !o.give(key, value) {
			words = append(words, word)
		}
	}
	prompt := strings.Join(words, " ")
	query, err := json.Marshal(map[string]string{"query": prompt})
	if err != nil {
		panic(err)
	}
	o.input = query
	return o
}

// city is the output that the word output=city asks for.
type city struct {
	City string `json:"city"`
}

// give applies one word of an order, and says whether it is one.
func (o *ordered) give(key, value string) bool {
	d, _ := time.ParseDuration(value)
	var option agent.Option
	switch key {
	case "class":
		o.class = value
		return true
	case "id":
		option = agent.RunID(value)
	case "order":
		n, _ := strconv.Atoi(value)
		option = agent.Order(n)
	case "preview":
		option = agent.Preview(nil)
		if value != "" {
			option = agent.Preview(value)
		}
	case "display":
		option = agent.Display(value, "")
	case "timeout":
		option = agent.Timeout(d)
	case "detached":
		option = agent.Detached(value)
	case "silence":
		option = agent.IdleTimeout(d)
	case "stop":
		if value != "yes" {
			return true
		}
		option = agent.StopWithTurn()
	case "narrate":
		option = agent.Narrate(strings.Split(value, ",")...)
	case "react":
		option = agent.React(strings.Split(value, ",")...)
	case "delivery":
		option = agent.HideChunks()
	case "output":
		option = agent.Output[city]()
	case "queue":
		if value != "no" {
			return true
		}
		option = agent.NoQueue()
	default:
		return false
	}
	o.options = append(o.options, option)
	return true
}
