package agent_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
)

type question struct {
	Query string `json:"query" jsonschema:"what to find out"`
}

// researcher is a helper: an agent with its own instructions and tools that other agents use as a
// tool.
var researcher = agent.Agent{
	Name: "Researcher", Helper: true, Title: "Research",
	Instructions: "You look things up. Search before you answer.",
	Tools:        []agent.Tool{agent.NewTool("web_search", "Searches the web.", search)},
}

func search(_ *agent.Context, in question) ([]string, error) {
	return []string{"An overview of " + in.Query}, nil
}

// A helper is a value, and a tool is made of it. The model calls the tool, the helper works in an
// object of its own, and its result goes back to the model.
func Example() {
	assistant := agent.Agent{
		Name:         "Assistant",
		Instructions: "You are a helpful assistant.",
		Tools: []agent.Tool{
			agent.AgentTool[question](researcher, "research", "Has a researcher look something up.", agent.Timeout(time.Minute)),
		},
	}
	var result agent.Result
	ask("Research the tides", &result, assistant, researcher)
	fmt.Println(result.OK, firstLine(result.Summary))
	// Output: true ### the tides
}

// The code of a tool can have several helpers active at the same time. It is straight-line Go, and
// survives the loss of its instance at every point where it waits.
func ExampleStartAgent() {
	type pair struct {
		A string `json:"a"`
		B string `json:"b"`
	}
	compare := func(c *agent.Context, in pair) ([]string, error) {
		a, b := agent.StartAgent(c, researcher, question{in.A}), agent.StartAgent(c, researcher, question{in.B})
		return []string{firstLine(a.Wait().Summary), firstLine(b.Wait().Summary)}, nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("compare", "Compares two things.", compare)}}
	var found []string
	ask("Compare tides and currents", &found, assistant, researcher)
	fmt.Println(strings.Join(found, ", "))
	// Output: ### tides, ### currents
}

// A helper can be a program instead of a chat agent. What it says is shown while it works, and what
// it returns is a Go value for the caller.
func ExampleNewProgram() {
	type tide struct {
		Place string `json:"place"`
		Hours int    `json:"hours" jsonschema:"until the water is high"`
	}
	tides := agent.Agent{
		Name: "Tides", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (tide, error) {
			if err := c.Say("Looking at the moon. "); err != nil {
				return tide{}, err
			}
			if in.Query == "Bern" {
				return tide{}, errors.New("there is no sea in Bern")
			}
			return tide{Place: in.Query, Hours: 6}, flow.Sleep(c, time.Hour)
		}),
	}
	tell := func(c *agent.Context, in question) (string, error) {
		t, err := agent.RunAgentAs[tide](c, tides, in)
		if err != nil {
			return "no tide: " + err.Error(), nil
		}
		return fmt.Sprintf("%s: high water in %d hours", t.Place, t.Hours), nil
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("research", "Tells the tide.", tell)}}
	for _, place := range []string{"Brest", "Bern"} {
		var told string
		ask("Research "+place, &told, assistant, tides)
		fmt.Println(told)
	}
	// Output:
	// Brest: high water in 6 hours
	// no tide: there is no sea in Bern
}

// A budget limits the cost of one turn with all its helpers, hooks see their runs, and a page
// manages them by methods.
func ExampleAgent() {
	assistant := agent.Agent{
		Name:   "Assistant",
		Tools:  []agent.Tool{agent.AgentTool[question](researcher, "research", "Has a researcher look something up.")},
		Budget: run.Budget{Tokens: 100_000, ModelCalls: 20},
		Runs:   run.Limits{Concurrent: 4},
		BeforeRun: func(_ *agent.Conversation, r agent.RunInfo) error {
			if strings.Contains(string(r.Input), "secret") {
				return errors.New("secrets are not looked up")
			}
			return nil
		},
		Methods: map[string]agent.Method{"runs": agent.ListRuns, "cancelRun": agent.CancelRun},
	}
	var result agent.Result
	ask("Research secret things", &result, assistant, researcher)
	fmt.Println(result.OK, result.Reason, result.Error)
	// Output: false refused secrets are not looked up
}

// Work for later is a schedule. It calls a callback by its name, even if everything in memory was
// lost in the meantime. Here a tool makes a schedule, and its callback has the model react in the
// chat. A page manages schedules by methods.
func ExampleNewCallback() {
	type reminder struct {
		Text string `json:"query"`
	}
	remind := func(c *agent.Context, in reminder) (string, error) {
		s, err := c.Schedule(schedule.After(time.Hour), "remind", in, schedule.ID("tea"), schedule.MaxAttempts(3))
		return string(s.Status), err
	}
	var reminded string
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewTool("research", "Reminds the person of something.", remind)},
		Callbacks: map[string]agent.Callback{
			"remind": agent.NewCallback(func(c *agent.Conversation, in reminder, s agent.Scheduled) error {
				reminded = fmt.Sprintf("%s, after %s", in.Text, time.Duration(s.Planned-start)*time.Millisecond)
				return c.Notify("It is time: " + in.Text)
			}),
			"report": func(c *agent.Conversation, _ agent.Scheduled) error {
				_, err := agent.StartDetached(c, researcher, "notify", question{"the news"})
				return err
			},
		},
		Handlers: map[string]agent.RunHook{"notify": agent.Notify},
		Methods: map[string]agent.Method{
			"schedules": agent.ListSchedules, "cancelSchedule": agent.CancelSchedule, "retrySchedule": agent.RetrySchedule,
			"reportDaily": func(call *agent.Call) (any, error) {
				return call.Schedule(schedule.Cron("30 7 * * 1-5", "Europe/Zurich"), "report", nil, schedule.ID("report"))
			},
		},
	}
	var status string
	ask("Research tea", &status, assistant, researcher)
	fmt.Println(status)
	fmt.Println(reminded)
	// Output:
	// waiting
	// tea, after 1h0m0s
}

// start is when the worlds of these examples begin, in milliseconds since 1970.
const start = 1_700_000_000_000

// Long work runs in the background. The turn goes on at once, the chat shows a milestone, and the
// model is told the result.
func ExampleDetached() {
	digger := agent.Agent{
		Name: "Digger", Helper: true,
		Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
			if err := c.ReportProgress(agent.Progress{Fraction: 0.5, Phase: "digging"}); err != nil {
				return "", err
			}
			if err := flow.Sleep(c, time.Hour); err != nil {
				return "", err
			}
			return "It is old.", c.Milestone("found", "Found "+in.Query+".")
		}),
	}
	assistant := agent.Agent{
		Name: "Assistant",
		Tools: []agent.Tool{agent.AgentTool[question](digger, "background", "Digs for something in the background.",
			agent.Detached("notify"), agent.Narrate("found"))},
		Handlers: map[string]agent.RunHook{"notify": agent.Notify},
	}
	for _, line := range talk("Background: a coin", assistant, digger) {
		fmt.Println(line)
	}
	// Output:
	// user: Background: a coin
	// assistant: Here is what came back:
	// assistant: Found a coin.
	// user: (The Digger at work in the background has finished.)
	// assistant: There is news from the background: (The Digger at work in the background has finished.) It is old.
}

// talk has a person send a message to the first of some agents. It returns the first line of each
// message that the conversation holds in the end.
func talk(text string, agents ...agent.Agent) (lines []string) {
	for _, line := range play(agents, "connect tab", "say tab R1 u1: "+text, "run", "get /agents/x/room/get-messages") {
		_, list, ok := strings.Cut(line, "application/json\" ")
		if !ok {
			continue
		}
		var messages []struct {
			Role  string
			Parts []struct{ Text string }
		}
		must(json.Unmarshal([]byte(list), &messages))
		for _, m := range messages {
			lines = append(lines, m.Role+": "+firstLine(m.Parts[len(m.Parts)-1].Text))
		}
	}
	return lines
}

// ask has a person ask the first of some agents something, on the demo model and in a world that
// runs in this process. It decodes the output of the tool that was called.
func ask(text string, output any, agents ...agent.Agent) {
	for _, line := range play(agents, "connect tab", "say tab R1 u1: "+text, "run") {
		_, frame, _ := strings.Cut(line, "send tab ")
		var response struct{ Body string }
		var chunk struct{ Output json.RawMessage }
		if json.Unmarshal([]byte(frame), &response) == nil && json.Unmarshal([]byte(response.Body), &chunk) == nil && chunk.Output != nil {
			must(json.Unmarshal(chunk.Output, output))
		}
	}
}

// play performs actions in a world whose root is the first of some agents, and returns the
// resulting lines.
func play(agents []agent.Agent, actions ...string) []string {
	var classes []durable.Class
	for _, a := range agents {
		classes = append(classes, chat.Class(a, providers...))
	}
	engine := durabletest.NewNative(1, classes...)
	defer engine.Close()
	w := durabletest.NewWorld(engine, agents[0].Name, "room")
	for _, action := range actions {
		must(w.Do(action))
	}
	return w.Take()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// A tool submits a turn. It cannot wait for the turn, because its own turn has to end first. The
// submitted turn is answered after it, and only once, even if the tool's code is replayed.
func ExampleTurnRequest() {
	remind := func(c *agent.Context, in question) (string, error) {
		_, err := c.RunTurn(agent.TurnRequest{Text: in.Query, Mode: agent.Wait})
		if !errors.Is(err, agent.ErrCannotWait) {
			return "", err
		}
		s, err := c.RunTurn(agent.TurnRequest{Text: in.Query, Key: "reminder"})
		return s.Status, err
	}
	assistant := agent.Agent{Name: "Assistant", Tools: []agent.Tool{agent.NewTool("remind", "Comes back to something later.", remind)}}
	var status string
	ask("Remind me of the tides", &status, assistant)
	fmt.Println(status)
	// Output: pending
}
