package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// errand is what a run of these tests is asked to do.
type errand struct {
	ID      string            `json:"id"`
	Class   string            `json:"class"`
	Labels  map[string]string `json:"labels,omitempty"`
	Timeout time.Duration     `json:"timeout,omitempty"`
	Silence time.Duration     `json:"silence,omitempty"`
	Query   string            `json:"query,omitempty"`
}

// controller is a root whose methods control its runs.
var controller = agent.Agent{
	Name: "Controller", Runs: run.Limits{Concurrent: 2, Queued: 4},
	Handlers: map[string]agent.RunHook{"ended": func(c *agent.Conversation, r agent.RunInfo) error {
		var ends []string
		if state := c.State(); state != nil {
			if err := json.Unmarshal(state, &ends); err != nil {
				return err
			}
		}
		return c.SetState(append(ends, r.ID+" "+string(r.Status)))
	}},
	Methods: map[string]agent.Method{
		"begin": func(call *agent.Call) (any, error) {
			var e errand
			if err := call.Arg(0, &e); err != nil {
				return nil, err
			}
			options := []agent.Option{agent.RunID(e.ID), agent.Timeout(e.Timeout), agent.IdleTimeout(e.Silence)}
			for key, value := range e.Labels {
				options = append(options, agent.Label(key, value))
			}
			var in any = map[string]string{"query": e.Query}
			return agent.StartDetached(&call.Conversation, agent.Agent{Name: e.Class, Helper: true}, "ended", in, options...)
		},
		"ends":   func(call *agent.Call) (any, error) { return call.State(), nil },
		"runs":   agent.ListRuns,
		"run":    agent.InspectRun,
		"pause":  agent.PauseRun,
		"resume": agent.ResumeRun, "restart": agent.RestartRun, "cancel": agent.CancelRun, "delete": agent.DeleteRun, "deleteRuns": agent.DeleteRuns,
	},
}

// patient is a program that waits ten minutes at most for a server.
var patient = agent.Agent{Name: "Patient", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
	answer, err := flow.Within(c, 10*time.Minute, func() (flow.Response, error) {
		return flow.Fetch(c, flow.Request{URL: "https://server.test/answer"})
	})
	if errors.Is(err, flow.ErrTimeout) {
		return "too late", nil
	}
	return string(answer.Body), err
})}

// idle is a program that sleeps for a minute.
var idle = agent.Agent{Name: "Idle", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
	return "rested", flow.Sleep(c, time.Minute)
})}

// listener is a program that waits for a server for as long as that takes.
var listener = agent.Agent{Name: "Listener", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
	answer, err := flow.Fetch(c, flow.Request{URL: "https://server.test/answer"})
	return string(answer.Body), err
})}

// relay is a program that has a patient and an idle helper.
var relay = agent.Agent{Name: "Relay", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
	first := agent.StartAgent(c, patient, map[string]string{})
	second := agent.StartAgent(c, idle, map[string]string{})
	return first.Wait().Summary + ", " + second.Wait().Summary, nil
}), Methods: map[string]agent.Method{"pause": agent.PauseRun, "resume": agent.ResumeRun}}

// stepper is a program of five steps with requests, of which the third asks a helper beside. The
// second word of its query names the step that fails.
var stepper = agent.Agent{Name: "Stepper", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in map[string]string) (string, error) {
	beside := flow.Go(c, "beside", func() (string, error) { return agent.RunAgent(c, idle, map[string]string{}).Summary, nil })
	said := ""
	for i := 1; i <= 5; i++ {
		name := fmt.Sprintf("part %d", i)
		body, err := flow.Do(c, name, func(a *flow.Attempt) (string, error) {
			answer, err := flow.Fetch(a, flow.Request{
				Method: "POST", URL: fmt.Sprintf("https://server.test/part%d", i), Repeatable: true,
				Header: []durable.Header{{Name: "idempotency-key", Value: a.Key()}},
			})
			if err == nil && answer.Status >= 400 {
				err = flow.Permanent(fmt.Errorf("status %d", answer.Status))
			}
			return string(answer.Body), err
		})
		if err != nil {
			return "", err
		}
		said += body[:1] + " "
	}
	rested, err := beside.Wait()
	return said + rested, err
})}

// control is a world with a controller.
type control struct {
	t   *testing.T
	w   *durabletest.World
	out []string
	// made counts the requests by URL.
	made map[string]int
	// calls counts the calls of methods.
	calls int
}

func newControl(t *testing.T) *control {
	t.Helper()
	classes := chattest.Classes()
	for _, a := range []agent.Agent{controller, patient, listener, idle, relay, stepper} {
		classes = append(classes, chattest.Class(a))
	}
	engine := durabletest.NewNative(1, classes...)
	t.Cleanup(func() { engine.Close() })
	c := &control{t: t, w: durabletest.NewWorld(engine, "Controller", "room"), made: map[string]int{}}
	c.do("connect a")
	return c
}

var fetched = regexp.MustCompile(`^(?:\S+: )?fetch \S+ (?:GET|POST) (\S+)`)

// do performs actions and takes what they have brought.
func (c *control) do(lines ...string) string {
	c.t.Helper()
	var all []string
	for _, line := range lines {
		if err := c.w.Do(line); err != nil {
			c.t.Fatalf("%s: %v", line, err)
		}
		all = append(all, c.take()...)
	}
	return strings.Join(all, "\n")
}

func (c *control) take() []string {
	c.t.Helper()
	lines := c.w.Take()
	for _, line := range lines {
		if found := fetched.FindStringSubmatch(line); found != nil {
			c.made[found[1]]++
		}
		if strings.Contains(line, "trap") {
			c.t.Fatalf("trapped: %.2000s", line)
		}
	}
	c.out = append(c.out, lines...)
	return lines
}

// call calls a method and returns its result, or its error after "!".
func (c *control) call(method string, args ...any) string {
	c.t.Helper()
	result, ok := c.ask(method, args...)
	if !ok {
		c.t.Fatalf("%s was not answered: %.1000s", method, strings.Join(c.out, "\n"))
	}
	return result
}

// ask is [control.call], and says whether the call was answered.
func (c *control) ask(method string, args ...any) (result string, ok bool) {
	c.t.Helper()
	c.calls++
	if args == nil {
		args = []any{}
	}
	list, err := json.Marshal(args)
	if err != nil {
		c.t.Fatal(err)
	}
	id, tab := fmt.Sprintf("call%d", c.calls), fmt.Sprintf("tab%d", c.calls)
	c.do("connect "+tab, fmt.Sprintf(`frame %s {"type":"rpc","id":%q,"method":%q,"args":%s}`, tab, id, method, list), "close "+tab)
	for i := len(c.out) - 1; i >= 0; i-- {
		_, frame, _ := strings.Cut(c.out[i], "send "+tab+" ")
		var reply struct {
			ID, Error string
			Success   bool
			Result    json.RawMessage
		}
		if json.Unmarshal([]byte(frame), &reply) == nil && reply.ID == id {
			if !reply.Success {
				return "!" + reply.Error, true
			}
			return string(reply.Result), true
		}
	}
	return "", false
}

// info returns a run as it is shown.
func (c *control) info(id string) (r agent.RunInfo) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.call("run", id)), &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// must calls a method that must succeed.
func (c *control) must(method string, args ...any) string {
	c.t.Helper()
	result := c.call(method, args...)
	if strings.HasPrefix(result, "!") {
		c.t.Fatalf("%s: %s", method, result)
	}
	return result
}

// begin begins a run.
func (c *control) begin(e errand) {
	c.t.Helper()
	c.must("begin", e)
	c.do("tick 1s")
}

// serve answers the request that is under way.
func (c *control) serve(status, body string) {
	c.t.Helper()
	c.do("respond "+status, "data "+body, "end")
}

// TestPausedWaitGoesOn is the acceptance A6. What is awaited comes during the pause, and an hour
// passes: the code gets it, and no time limit ends.
func TestPausedWaitGoesOn(t *testing.T) {
	for _, loss := range []string{"none", "helper", "root", "all"} {
		t.Run(loss, func(t *testing.T) {
			c := newControl(t)
			lose := func() {
				switch loss {
				case "helper":
					c.w.Evict("helper-1")
				case "root":
					c.w.Evict("")
				case "all":
					c.w.Evict("helper-1")
					c.w.Evict("")
				}
			}
			c.begin(errand{ID: "r", Class: "Patient", Timeout: 20 * time.Minute, Silence: 15 * time.Minute})
			c.must("pause", "r", "lunch")
			if r := c.info("r"); r.Status != run.Paused || r.PauseReason != "lunch" {
				t.Fatalf("the run is %s for %q", r.Status, r.PauseReason)
			}
			c.serve("200", "the answer")
			lose()
			c.do("run")
			if held := c.w.Holding(); len(held) > 0 {
				t.Errorf("the pause holds %v", held)
			}
			c.do("jump 1h", "run")
			lose()
			if r := c.info("r"); r.Status != run.Paused {
				t.Fatalf("after an hour the run is %s: %s", r.Status, r.Failure)
			}
			c.must("resume", "r")
			c.do("run")
			if r := c.info("r"); r.Status != run.Completed || r.Summary != "the answer" {
				t.Errorf("the run is %s: %q %s", r.Status, r.Summary, r.Failure)
			}
			if got := c.call("ends"); got != `["r completed"]` {
				t.Errorf("the handler was told %s", got)
			}
			if held := c.w.Holding(); len(held) > 0 {
				t.Errorf("in the end there is %v", held)
			}
		})
	}
}

// TestPausedSleepHoldsNothing pauses a sleep, and resumes it after its time.
func TestPausedSleepHoldsNothing(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Idle"})
	c.must("pause", "r")
	c.do("run")
	if held := c.w.Holding(); len(held) > 0 {
		t.Errorf("the pause holds %v", held)
	}
	c.do("jump 2h", "run")
	c.must("resume", "r")
	c.do("run")
	if r := c.info("r"); r.Status != run.Completed || r.Summary != "rested" {
		t.Errorf("the run is %s: %q %s", r.Status, r.Summary, r.Failure)
	}
}

// TestTimesStandStillInAPause checks that neither the timeout nor the silence of a run goes on while
// it is paused, and that both do after it.
func TestTimesStandStillInAPause(t *testing.T) {
	for name, e := range map[string]errand{
		"timeout": {ID: "r", Class: "Listener", Timeout: 5 * time.Minute, Silence: time.Hour},
		"silence": {ID: "r", Class: "Listener", Timeout: time.Hour, Silence: 5 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			c := newControl(t)
			c.begin(e)
			c.must("pause", "r")
			c.do("tick 30m")
			c.must("resume", "r")
			c.do("tick 4m")
			if r := c.info("r"); r.Status != run.Running {
				t.Fatalf("after the pause the run is %s: %s", r.Status, r.Failure)
			}
			c.do("tick 2m")
			if r := c.info("r"); r.Status != run.Aborted || r.Reason != run.TimedOut {
				t.Errorf("in the end the run is %s: %s", r.Status, r.Failure)
			}
		})
	}
}

// TestRunThatNobodyListensTo checks that a run is not given up for a silence that is none: it sleeps
// until its silence would be too long, or its parent was away.
func TestRunThatNobodyListensTo(t *testing.T) {
	for name, away := range map[string][]string{
		"asleep":          {"jump 2m", "run"},
		"asleep and away": {"jump 2m", "crash", "connect a", "run"},
		"away":            {"tick 5s", "crash", "jump 10m", "connect a", "run"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newControl(t)
			c.begin(errand{ID: "r", Class: "Idle", Silence: 50 * time.Second})
			c.do(away...)
			if r := c.info("r"); r.Status != run.Completed || r.Summary != "rested" {
				t.Errorf("the run is %s: %q %s", r.Status, r.Summary, r.Failure)
			}
		})
	}
}

// TestHelpersBelowArePausedToo pauses a run that waits for two helpers of its own.
func TestHelpersBelowArePausedToo(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Relay"})
	c.must("pause", "r")
	c.serve("200", "the answer")
	c.do("run")
	if held := c.w.Holding(); len(held) > 0 {
		t.Errorf("the pause holds %v", held)
	}
	c.do("jump 1h", "run")
	if r := c.info("r"); r.Status != run.Paused {
		t.Fatalf("the run is %s: %s", r.Status, r.Failure)
	}
	c.must("resume", "r")
	c.do("run")
	if r := c.info("r"); r.Summary != "the answer, rested" {
		t.Errorf("the run is %s: %q %s", r.Status, r.Summary, r.Failure)
	}
}

// TestRunThatWaitsForAPausedOne pauses a helper of a helper alone. The helper in the middle waits, and
// holds nothing. Its own pause does not end that of the helper below.
func TestRunThatWaitsForAPausedOne(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Relay"})
	tell := func(method string) string {
		out := c.do("drill d relay r", `frame d {"type":"rpc","id":"below","method":"`+method+`","args":["r-0"]}`, "tick 1s", "close d", "tick 2m")
		_, reply, _ := strings.Cut(out, `"id":"below",`)
		reply, _, _ = strings.Cut(reply, "\n")
		return reply
	}
	if reply := tell("pause"); !strings.Contains(reply, `"success":true`) {
		t.Fatalf("the pause was answered with %s", reply)
	}
	c.serve("200", "the answer")
	c.do("run")
	if r, held := c.info("r"), c.w.Holding(); r.Status != run.Waiting || len(held) > 0 {
		t.Errorf("the run is %s, and there is %v", r.Status, held)
	}
	c.must("pause", "r")
	if reply := tell("resume"); !strings.Contains(reply, "run r-0 is paused with the run of its parent: resume that one") {
		t.Errorf("the end of the pause below was answered with %s", reply)
	}
	c.must("resume", "r")
	c.do("run")
	if r, held := c.info("r"), c.w.Holding(); r.Status != run.Waiting || len(held) > 0 {
		t.Errorf("after the pause the run is %s, and there is %v", r.Status, held)
	}
	tell("resume")
	c.do("run")
	if r := c.info("r"); r.Status != run.Completed || r.Summary != "the answer, rested" {
		t.Errorf("the run is %s: %q %s", r.Status, r.Summary, r.Failure)
	}
}

// TestQueuedRunIsPaused pauses a run that waits for a place. It does not begin when a place is free.
func TestQueuedRunIsPaused(t *testing.T) {
	c := newControl(t)
	for _, id := range []string{"one", "two", "three", "four"} {
		c.begin(errand{ID: id, Class: "Patient"})
	}
	c.must("pause", "three")
	c.must("cancel", "one")
	c.do("tick 1s")
	if three, four := c.info("three"), c.info("four"); three.Status != run.Paused || four.Status != run.Running {
		t.Fatalf("the runs are %s and %s", three.Status, four.Status)
	}
	c.must("resume", "three")
	c.do("tick 1s")
	if three := c.info("three"); three.Status != run.Starting {
		t.Fatalf("without a place the run is %s", three.Status)
	}
	c.must("cancel", "two")
	c.do("tick 1s")
	if three := c.info("three"); three.Status != run.Running {
		t.Errorf("with a place the run is %s", three.Status)
	}
}

// TestPausedRunIsCancelled is the acceptance A7 for a run that is paused.
func TestPausedRunIsCancelled(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Relay"})
	c.must("pause", "r")
	c.must("cancel", "r")
	c.do("run")
	if r := c.info("r"); r.Status != run.Aborted || r.PauseReason != "" {
		t.Errorf("the run is %s, paused for %q", r.Status, r.PauseReason)
	}
	if got := c.call("ends"); got != `["r aborted"]` {
		t.Errorf("the handler was told %s", got)
	}
	if got := c.call("resume", "r"); got != "!run r is aborted: it cannot be resumed" {
		t.Errorf("a late resume: %s", got)
	}
	if held := c.w.Holding(); len(held) > 0 {
		t.Errorf("there is %v", held)
	}
}

// TestRefusedControl checks the errors of control, which change nothing.
func TestRefusedControl(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "over", Class: "Idle"})
	c.do("run")
	c.begin(errand{ID: "live", Class: "Patient"})
	c.begin(errand{ID: "still", Class: "Patient"})
	c.must("pause", "still", "for now")
	before := c.call("runs")
	for _, test := range []struct {
		method string
		args   []any
		want   string
	}{
		{"pause", []any{"unknown"}, `there is no run "unknown"`},
		{"pause", []any{"over"}, "run over is completed: it cannot be paused"},
		{"pause", []any{"still", "again"}, "run still is paused already"},
		{"pause", []any{"live", 5}, "argument 1: json: cannot unmarshal number into Go value of type string"},
		{"resume", []any{"unknown"}, `there is no run "unknown"`},
		{"resume", []any{"live"}, "run live is running: it cannot be resumed"},
		{"resume", []any{"over"}, "run over is completed: it cannot be resumed"},
		{"restart", []any{"unknown"}, `there is no run "unknown"`},
		{"restart", []any{"live"}, "run live is running: cancel it before you restart it"},
		{"restart", []any{"still"}, "run still is paused: cancel it before you restart it"},
		{"delete", []any{"still"}, "run still is paused: cancel it before you delete it"},
		{"runs", []any{map[string]any{"status": []string{"asleep"}}}, `status: a run is never "asleep"`},
		{"runs", []any{map[string]any{"cursor": "x1"}}, `cursor: "x1" did not come with a page`},
		{"runs", []any{map[string]any{"limit": -1}}, "limit: -1 is no number of runs"},
		{"runs", []any{map[string]any{"begunAfter": -1}}, "begunAfter: -1 is no time"},
		{"runs", []any{map[string]any{"begunBefore": -1}}, "begunBefore: -1 is no time"},
		{"runs", []any{map[string]any{"label": map[string]string{"key": ""}}}, `label: "" is no key of a label: 1 to 64 bytes of text are`},
		{"runs", []any{map[string]any{"workflow": strings.Repeat("x", 129)}}, "workflow: a name of 129 bytes, at most 128"},
		{"deleteRuns", []any{map[string]any{"cursor": "x1"}}, `cursor: "x1" did not come with a page`},
		{"deleteRuns", []any{}, "argument 0 is missing"},
	} {
		if got := c.call(test.method, test.args...); got != "!"+test.want {
			t.Errorf("%s %v: got %s, want !%s", test.method, test.args, got, test.want)
		}
	}
	if after := c.call("runs"); after != before {
		t.Errorf("something has changed:\n%s\n%s", before, after)
	}
}

// parts answers the requests of a stepper in their order, until one is answered with an error.
func (c *control) parts(statuses ...string) {
	c.t.Helper()
	for i, status := range statuses {
		c.serve(status, fmt.Sprintf("%d", i))
	}
	c.do("run")
}

// TestRestartFromAStep is the acceptance A8. The first two of five steps are not made again.
func TestRestartFromAStep(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Stepper", Labels: map[string]string{"for": "ann"}})
	c.parts("200", "200", "200", "500")
	if r := c.info("r"); r.Status != run.Failed || !strings.Contains(r.Failure, "part 4: attempt 1 of 5: status 500") {
		t.Fatalf("the run is %s: %s", r.Status, r.Failure)
	}
	clear(c.made)
	c.must("restart", "r", map[string]string{"from": "part 3"})
	c.do("tick 1s")
	c.parts("200", "200", "200")
	again := c.info("r.1")
	if again.Status != run.Completed || again.Summary != "0 1 0 1 2 rested" {
		t.Errorf("the new run is %s: %q %s", again.Status, again.Summary, again.Failure)
	}
	for part, want := range []int{0, 0, 1, 1, 1} {
		if got := c.made[fmt.Sprintf("https://server.test/part%d", part+1)]; got != want {
			t.Errorf("part %d was asked for %d times, want %d", part+1, got, want)
		}
	}
	old := c.info("r")
	if again.RestartOf != "r" || old.RestartedAs != "r.1" || !again.Detached || again.Labels["for"] != "ann" {
		t.Errorf("the new run is %+v, the old one %+v", again, old)
	}
	if got := c.call("ends"); got != `["r error","r.1 completed"]` {
		t.Errorf("the handler was told %s", got)
	}
	if got := c.must("runs", map[string]any{"brief": true, "detached": true}); strings.Count(got, `"runId"`) != 2 {
		t.Errorf("the list is %s", got)
	}
}

// TestRestartAheadOfACancellation restarts a run from a step before its helper hears that it is cancelled.
func TestRestartAheadOfACancellation(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Stepper"})
	c.serve("200", "0")
	c.serve("200", "1")
	c.do("hold")
	c.must("cancel", "r")
	c.must("restart", "r", map[string]string{"from": "part 2"})
	c.do("arrive helper-1:journal/r.1", "arrive :journal/r.1", "release", "tick 5s")
	c.parts("200", "200", "200", "200")
	if r := c.info("r.1"); r.Status != run.Completed || r.Summary != "0 0 1 2 3 rested" {
		t.Errorf("the new run is %s: %q %s", r.Status, r.Summary, r.Failure)
	}
}

// TestRestartAnew restarts a run from its beginning, and restarts that.
func TestRestartAnew(t *testing.T) {
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Stepper"})
	c.parts("500")
	c.must("restart", "r")
	if got := c.call("restart", "r"); got != "!run r was restarted as r.1, which is starting" && got != "!run r was restarted as r.1, which is running" {
		t.Errorf("a restart beside a restart: %s", got)
	}
	c.parts("200", "500")
	c.must("restart", "r.1", map[string]string{"from": "part 2"})
	c.do("tick 1s")
	c.parts("200", "200", "200", "200")
	if r := c.info("r.2"); r.Status != run.Completed || r.Summary != "0 0 1 2 3 rested" || r.RestartOf != "r.1" {
		t.Errorf("the last run is %s of %s: %q %s", r.Status, r.RestartOf, r.Summary, r.Failure)
	}
	if n := c.made["https://server.test/part1"]; n != 2 {
		t.Errorf("part 1 was asked for %d times, want 2", n)
	}
}

// TestRestartOfARestartFromEachStep restarts a run from its last step, and the new run from each step. What stands before that
// step was copied twice, and is not done again.
func TestRestartOfARestartFromEachStep(t *testing.T) {
	for from := 1; from <= 4; from++ {
		t.Run(fmt.Sprint("part ", from), func(t *testing.T) {
			c := newControl(t)
			c.begin(errand{ID: "r", Class: "Stepper"})
			c.parts("200", "200", "200", "500")
			c.must("restart", "r", map[string]string{"from": "part 4"})
			c.do("tick 1s")
			c.parts("500")
			clear(c.made)
			c.must("restart", "r.1", map[string]string{"from": fmt.Sprint("part ", from)})
			c.do("tick 1s")
			c.parts(slices.Repeat([]string{"200"}, 6-from)...)
			if r := c.info("r.2"); r.Status != run.Completed || r.RestartOf != "r.1" {
				t.Errorf("the last run is %s of %s: %q %s", r.Status, r.RestartOf, r.Summary, r.Failure)
			}
			for part := 1; part <= 4; part++ {
				want := 0
				if part >= from {
					want = 1
				}
				if got := c.made[fmt.Sprint("https://server.test/part", part)]; got != want {
					t.Errorf("part %d was asked for %d times, want %d", part, got, want)
				}
			}
		})
	}
}

// TestRestartThatCannotBegin restarts from steps that there are not, and from a helper that is gone.
func TestRestartThatCannotBegin(t *testing.T) {
	for name, test := range map[string]struct {
		class, from, want string
	}{
		"no such step":     {"Stepper", "part 9", `the helper could not be started: refused: run r cannot begin again there: there is no step "part 9" in the journal`},
		"no second one":    {"Stepper", "part 1 (2)", `the helper could not be started: refused: run r cannot begin again there: there is no step "part 1 (2)" in the journal`},
		"nothing is kept":  {"Patient", "answer", `the helper could not be started: refused: run r cannot begin again there: there is no step "answer" in the journal`},
		"a model is asked": {"Helper", "answer", "the helper could not be started: refused: Helper is no program, and its runs have no steps to begin from"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newControl(t)
			c.begin(errand{ID: "r", Class: test.class, Query: "chunks=1"})
			if test.class != "Helper" {
				c.serve("500", "no")
			}
			c.do("run")
			c.must("restart", "r", map[string]string{"from": test.from})
			c.do("run")
			if r := c.info("r.1"); r.Status != run.Failed || r.Failure != test.want {
				t.Errorf("the new run is %s: %s", r.Status, r.Failure)
			}
			if held := c.w.Holding(); len(held) > 0 {
				t.Errorf("there is %v", held)
			}
		})
	}
	c := newControl(t)
	c.begin(errand{ID: "r", Class: "Stepper"})
	c.parts("500")
	c.must("restart", "r", map[string]string{"from": "part 1"})
	c.do("tick 1s")
	c.must("cancel", "r.1")
	c.do("run")
	c.must("delete", "r")
	if got := c.call("restart", "r", map[string]string{"from": "part 1"}); got != `!there is no run "r"` {
		t.Errorf("a run that is deleted: %s", got)
	}
}

// TestLongJournalTravelsInPieces restarts a run whose journal takes several calls.
func TestLongJournalTravelsInPieces(t *testing.T) {
	l := newLossy(t, "none", -1)
	l.do("connect a")
	l.begin(errand{ID: "r", Class: "Stepper"})
	long := strings.Repeat("x", 200<<10)
	for range 4 {
		l.serve("200", long)
	}
	l.do("run")
	l.must("cancel", "r")
	l.do("run")
	out := len(l.out)
	l.lossesBegin() // of none, but a copy that never ends is found
	l.serving = true
	l.must("restart", "r", map[string]string{"from": "part 5"})
	l.rest()
	if r := l.info("r.1"); r.Status != run.Completed {
		t.Errorf("the new run is %s: %s", r.Status, r.Failure)
	}
	calls := slices.DeleteFunc(slices.Clone(l.out[out:]), func(line string) bool { return !strings.Contains(line, "call journal/r.1") })
	if len(calls) < 2 {
		t.Errorf("the journal came in %d pieces", len(calls))
	}
}

// TestLabels checks what labels a run can have.
func TestLabels(t *testing.T) {
	c := newControl(t)
	nine := map[string]string{}
	for i := range 9 {
		nine[fmt.Sprint(i)] = "x"
	}
	for name, test := range map[string]struct {
		labels map[string]string
		want   string
	}{
		"too many":       {nine, "9 labels, at most 8"},
		"a long key":     {map[string]string{strings.Repeat("k", 65): "x"}, `"` + strings.Repeat("k", 65) + `" is no key of a label: 1 to 64 bytes of text are`},
		"an empty key":   {map[string]string{"": "x"}, `"" is no key of a label: 1 to 64 bytes of text are`},
		"a long value":   {map[string]string{"k": strings.Repeat("v", 257)}, `the value of the label "k" has 257 bytes, at most 256`},
		"all they allow": {map[string]string{strings.Repeat("k", 64): strings.Repeat("v", 256)}, ""},
	} {
		got := c.call("begin", errand{ID: strings.ReplaceAll(name, " ", "-"), Class: "Patient", Labels: test.labels})
		if test.want != "" && got != "!"+test.want || test.want == "" && strings.HasPrefix(got, "!") {
			t.Errorf("%s: got %s, want !%s", name, got, test.want)
		}
	}
}

// TestListsAndDeletions checks filters, pages, and the deletion of what a filter chooses.
func TestListsAndDeletions(t *testing.T) {
	c := newControl(t)
	for i := range 5 {
		c.begin(errand{ID: fmt.Sprintf("r%d", i), Class: []string{"Idle", "Patient"}[i%2], Labels: map[string]string{"n": fmt.Sprint(i % 3)}})
		if i%2 == 1 {
			c.must("cancel", fmt.Sprintf("r%d", i))
		}
		c.do("tick 1s")
	}
	c.do("run")
	ids := func(filter map[string]any) (ids string, cursor string) {
		t.Helper()
		filter["page"] = true
		var page struct {
			Runs   []agent.RunInfo
			Cursor string
		}
		if err := json.Unmarshal([]byte(c.must("runs", filter)), &page); err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Runs {
			ids += r.ID + " "
		}
		return ids, page.Cursor
	}
	begun := func(id string) int64 { return c.info(id).BegunAt }
	for _, test := range []struct {
		filter map[string]any
		want   string
	}{
		{map[string]any{}, "r4 r3 r2 r1 r0 "},
		{map[string]any{"workflow": "Patient"}, "r3 r1 "},
		{map[string]any{"status": []string{"aborted", "error"}}, "r3 r1 "},
		{map[string]any{"label": map[string]string{"key": "n", "value": "1"}}, "r4 r1 "},
		{map[string]any{"label": map[string]string{"key": "n", "value": "7"}}, ""},
		{map[string]any{"begunAfter": begun("r2")}, "r4 r3 "},
		{map[string]any{"begunBefore": begun("r2")}, "r1 r0 "},
		{map[string]any{"workflow": "Idle", "begunAfter": begun("r0"), "status": []string{"completed"}}, "r4 r2 "},
	} {
		if got, _ := ids(test.filter); got != test.want {
			t.Errorf("%v: got %q, want %q", test.filter, got, test.want)
		}
	}
	first, cursor := ids(map[string]any{"limit": 2})
	c.must("delete", "r3")
	c.begin(errand{ID: "late", Class: "Patient"})
	second, next := ids(map[string]any{"limit": 2, "cursor": cursor})
	third, end := ids(map[string]any{"limit": 2, "cursor": next})
	if first+second+third != "r4 r3 r2 r1 r0 " || end != "" {
		t.Errorf("the pages are %q, %q and %q, and then %q", first, second, third, end)
	}
	if got := c.must("deleteRuns", map[string]any{"workflow": "Idle", "limit": 2}); got != `{"deleted":2}` {
		t.Errorf("two are deleted: %s", got)
	}
	if got := c.must("deleteRuns", map[string]any{}); got != `{"deleted":2}` {
		t.Errorf("all that are over: %s", got)
	}
	if got, _ := ids(map[string]any{}); got != "late " {
		t.Errorf("what is left: %s", got)
	}
}

// TestPausedCodeGoesOn pauses code of a model before each of its events, and lets it go on after an hour.
func TestPausedCodeGoesOn(t *testing.T) {
	paused := 0
	for ticks := range 12 {
		c := newControl(t)
		c.must("begin", errand{ID: "r", Class: "CodingHelper", Query: `code: let n = 1; for (let i = 0; i < 3; i++) n = (await tools.double({n})).n; return n`})
		for range ticks {
			c.do("tick")
		}
		if c.call("pause", "r"); c.info("r").Status == run.Paused {
			paused++
			c.do("jump 1h", "run")
			if held := c.w.Holding(); len(held) > 0 {
				t.Errorf("paused behind %d ticks, it holds %v", ticks, held)
			}
			c.call("resume", "r") // a model call that was under way may have ended the run
		}
		c.do("run")
		if r := c.info("r"); r.Status != run.Completed || !strings.Contains(r.Summary, `"result":8`) {
			t.Errorf("paused behind %d ticks, the run is %s: %q %s", ticks, r.Status, r.Summary, r.Failure)
		}
	}
	if paused < 4 {
		t.Errorf("the code was paused %d times", paused)
	}
}
