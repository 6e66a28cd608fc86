package flow_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// cloud is a binding of a Workflow with its instances, and the schedule's owner of a world.
type cloud struct {
	*world
	// instances are the states of the instances, and asked is every request, a line each.
	instances map[string]string
	asked     []string
	// answer replaces the binding's answer to a verb, if it is there. Status 0 is no answer at all.
	answer map[string]reply
	seen   int
}

type reply struct {
	status int
	body   string
	unsent bool
}

func newCloud(t *testing.T) *cloud {
	return &cloud{world: open(t), instances: map[string]string{}, answer: map[string]reply{}}
}

// reports runs a Workflow, and reports its outcome.
func reports(c *flow.Context) (json.RawMessage, error) {
	return flow.RunWorkflow(c, flow.Workflow{Binding: "REPORTS", Params: json.RawMessage(`{"n":3}`), SuccessRetention: hour})
}

// serve answers the requests that have been made since its last call, and those that follow.
func (c *cloud) serve() {
	c.t.Helper()
	for ; c.seen < len(c.tx.Commands()); c.seen++ {
		fetch, ok := c.tx.Commands()[c.seen].(durable.Fetch)
		if !ok {
			continue
		}
		var body struct{ ID string }
		if err := json.Unmarshal(fetch.Body, &body); err != nil {
			c.t.Fatal(err)
		}
		verb := strings.TrimPrefix(fetch.URL, "binding://REPORTS/workflow/")
		c.asked = append(c.asked, verb)
		c.tell(fetch.Fetch, c.reply(verb, body.ID))
		c.routine.Resume(c.tx)
	}
}

func (c *cloud) reply(verb, id string) reply {
	if set, ok := c.answer[verb]; ok {
		return set
	}
	state, there := c.instances[id]
	switch {
	case verb == "create" && there:
		return reply{status: 409, body: `{"error":"(instance.already_exists)"}`}
	case verb == "create":
		c.instances[id] = `{"status":"running"}`
	case !there:
		return reply{status: 404, body: `{"error":"(instance.not_found)"}`}
	case verb == "terminate":
		c.instances[id] = `{"status":"terminated"}`
	case verb == "status":
		return reply{status: 200, body: state}
	}
	return reply{status: 200, body: "{}"}
}

func (c *cloud) tell(name string, r reply) {
	events := []durable.Event{durable.FetchFailed{Fetch: name, Error: "broke off", Unsent: r.unsent}}
	switch {
	case r.unsent:
	case r.status == 0:
		return
	case r.status > 0:
		events = []durable.Event{
			durable.FetchResponded{Fetch: name, Status: r.status, Header: map[string]string{}},
			durable.FetchChunk{Fetch: name, Data: []byte(r.body)},
			durable.FetchEnded{Fetch: name},
		}
	}
	for _, e := range events {
		if !flow.Terminated(c.tx, name, e) {
			c.routine.Fetched(c.tx, name, e)
		}
	}
}

// pass advances the time to each entry of the schedule that falls due, as its owner does.
func (c *cloud) pass(d time.Duration) {
	c.t.Helper()
	end := c.tx.Now + d.Milliseconds()
	for due := durable.NextDue(c.tx); due > 0 && due <= end; due = durable.NextDue(c.tx) {
		c.tx.Now = max(c.tx.Now, due)
		for _, entry := range durable.TakeDue(c.tx) {
			switch entry.Kind {
			case flow.DueSleep:
				flow.Wake(c.tx, entry.ID)
			case flow.DueWorkflow:
				c.routine.Ask(c.tx, entry.ID)
			case flow.DueTerminate:
				flow.TerminateAgain(c.tx, entry.ID)
			}
		}
		c.routine.Resume(c.tx)
		c.serve()
	}
	c.tx.Now = end
}

// set sets the state of the one instance.
func (c *cloud) set(state string) {
	for id := range c.instances {
		c.instances[id] = state
	}
}

func (c *cloud) wantAsked(want ...string) {
	c.t.Helper()
	if !slices.Equal(c.asked, want) {
		c.t.Errorf("asked %q, want %q", c.asked, want)
	}
	c.asked = nil
}

func (c *cloud) failed(words string) {
	c.t.Helper()
	_, err, done := c.routine.Done()
	if !done {
		c.t.Fatal("it is still under way")
	}
	wantWords(c.t, err, words)
}

// atRest checks that nothing is scheduled and nothing is under way.
func (c *cloud) atRest() {
	c.t.Helper()
	if n := c.scheduled(); n != 0 || c.routine.Fetching() {
		c.t.Errorf("%d entries wait, fetching %v", n, c.routine.Fetching())
	}
}

func TestRunWorkflow(t *testing.T) {
	c := newCloud(t)
	c.start(reports)
	first := c.tx.Commands()[0].(durable.Fetch)
	if !strings.Contains(string(first.Body), `"params":{"n":3},"retention":{"successRetention":3600000}}`) {
		t.Errorf("it is made of %s", first.Body)
	}
	c.serve()
	c.pass(2 * time.Second)
	c.wantAsked("create", "status")
	c.set(`{"status":"waiting"}`)
	c.pass(7500 * time.Millisecond) // after 5 and after 9.5 seconds
	c.wantAsked("status", "status")
	if c.routine.Fetching() || c.scheduled() != 1 {
		t.Error("more than one entry is held")
	}
	c.set(`{"status":"complete","output":{"pages":7}}`)
	c.pass(time.Minute)
	c.wantAsked("status")
	c.wants(`{"pages":7}`)
	c.atRest()
	for id := range c.instances {
		if len(id) != 28 || !strings.HasPrefix(id, "t-") || strings.Trim(id[2:], "abcdefghijklmnopqrstuvwxyz234567") != "" {
			t.Errorf("its id is %q", id)
		}
	}
}

// TestWorkflowIntervals shows how often an instance is asked that takes a day, and that this is no
// await each time.
func TestWorkflowIntervals(t *testing.T) {
	c := newCloud(t)
	c.start(reports)
	c.serve()
	c.pass(24 * time.Hour)
	if asked := len(c.asked); asked < 24*60 || asked > 24*60+20 {
		t.Errorf("asked %d times", asked)
	}
	if awaits := c.tx.SQL(`SELECT COUNT(*) FROM await`)[0].Int(0); awaits != 4 {
		t.Errorf("%d awaits, want now, random, the Workflow and its creation", awaits)
	}
}

// TestWorkflowLosesMemory loses all memory before each event, with and without the answers that were
// on their way.
func TestWorkflowLosesMemory(t *testing.T) {
	for name, answered := range map[string]bool{"before an answer": false, "after an answer": true} {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t)
			c.start(reports)
			for range 4 {
				if answered {
					c.serve()
				} else {
					c.lose("create")
				}
				c.evict()
			}
			c.serve()
			if len(c.instances) != 1 {
				t.Errorf("%d instances", len(c.instances))
			}
			for range 3 {
				c.pass(20 * time.Second)
				c.evict()
			}
			c.set(`{"status":"complete"}`)
			c.evict()
			c.pass(time.Minute)
			c.wants(`null`)
			c.atRest()
		})
	}
}

// lose has the binding do what it is asked, and loses its answers.
func (c *cloud) lose(verb string) {
	for ; c.seen < len(c.tx.Commands()); c.seen++ {
		if fetch, ok := c.tx.Commands()[c.seen].(durable.Fetch); ok && strings.HasSuffix(fetch.URL, verb) {
			var body struct{ ID string }
			_ = json.Unmarshal(fetch.Body, &body)
			c.reply(verb, body.ID)
		}
	}
}

func TestWorkflowEnds(t *testing.T) {
	for name, test := range map[string]struct {
		state, verb string
		answer      reply
		want        string
	}{
		"failed":     {state: `{"status":"errored","error":{"name":"TypeError","message":"no page"}}`, want: "the Workflow REPORTS failed: TypeError: no page"},
		"terminated": {state: `{"status":"terminated"}`, want: "the Workflow REPORTS was terminated"},
		"nonsense":   {state: `{`, want: "the state of the Workflow REPORTS"},
		"gone":       {verb: "status", answer: reply{status: 404}, want: "has no instance t-"},
		"too large":  {verb: "status", answer: reply{status: 200, body: strings.Repeat("x", flow.MaxBody+1)}, want: "more than 1048576 bytes"},
		"no binding": {verb: "status", answer: reply{unsent: true}, want: `"workflows": [{ "binding": "REPORTS"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t)
			c.start(reports)
			c.serve()
			c.set(test.state)
			if test.verb != "" {
				c.answer[test.verb] = test.answer
			}
			c.pass(2 * time.Second)
			c.failed(test.want)
			c.evict()
			c.failed(test.want)
			c.wantAsked("create", "status")
			c.atRest()
		})
	}
}

func TestWorkflowPlatformFails(t *testing.T) {
	for name, broken := range map[string]reply{"502": {status: 502, body: `{"error":"later"}`}, "broken off": {status: -1}} {
		t.Run(name, func(t *testing.T) {
			c := newCloud(t)
			c.answer["create"] = broken
			c.start(reports)
			c.serve()
			c.pass(5 * time.Second)
			c.wantAsked("create", "create")
			delete(c.answer, "create")
			c.answer["status"] = broken
			c.pass(time.Hour)
			delete(c.answer, "status")
			c.set(`{"status":"complete","output":1}`)
			c.pass(time.Minute)
			c.wants(`1`)
			c.atRest()
		})
	}
	c := newCloud(t)
	c.answer["create"] = reply{status: 502, body: `{"error":"later"}`}
	c.start(reports)
	c.serve()
	c.pass(time.Minute)
	c.failed("the Workflow REPORTS was not begun: 502 later")
	c.wantAsked("create", "create", "create", "create", "create", "terminate", "terminate") // it may be there after all
	c.atRest()
}

// TestWorkflowPlatformFailsForDays checks that the wait ends when the platform has failed for a day, and
// that an answer in between begins the day again. All memory is lost meanwhile.
func TestWorkflowPlatformFailsForDays(t *testing.T) {
	for want, broken := range map[string]reply{"502 later": {status: 502, body: `{"error":"later"}`}, "broke off": {status: -1}, "it gave no answer": {}} {
		c := newCloud(t)
		c.start(reports)
		c.serve()
		for range 2 {
			c.answer["status"] = broken
			c.pass(23 * time.Hour)
			if _, _, done := c.routine.Done(); done {
				t.Fatalf("%s: it is over too early", want)
			}
			delete(c.answer, "status")
			c.pass(2 * time.Minute)
		}
		c.answer["status"] = broken
		c.pass(12 * time.Hour)
		c.evict()
		c.pass(13 * time.Hour)
		c.failed("the platform has not said for 24 hours how the instance t-")
		c.failed("of the Workflow REPORTS goes on, which may still be running: ")
		c.failed(want)
		if got := c.asked[len(c.asked)-1]; got != "status" {
			t.Errorf("%s: the last request is %s", want, got)
		}
		c.atRest()
	}
}

func TestWorkflowIsNotSent(t *testing.T) {
	c := newCloud(t)
	c.answer["create"] = reply{unsent: true}
	c.start(reports)
	c.serve()
	c.failed(`see whether wrangler.jsonc has "workflows": [{ "binding": "REPORTS", "name": "…", "class_name": "…" }]`)
	c.failed("nothing has happened")
	c.wantAsked("create")
	c.atRest()
	for _, w := range []flow.Workflow{
		{Binding: "no/name"},
		{Binding: ""},
		{Binding: "REPORTS", Params: json.RawMessage(`{`)},
		{Binding: "REPORTS", Params: json.RawMessage(`"` + strings.Repeat("x", flow.MaxParams) + `"`)},
	} {
		c := newCloud(t)
		c.start(func(c *flow.Context) (json.RawMessage, error) { return flow.RunWorkflow(c, w) })
		if _, err, done := c.routine.Done(); !done || err == nil {
			t.Errorf("%.40v: got %v", w, err)
		}
		c.wantAsked()
	}
}

// TestWorkflowIsTerminated shows that an instance is terminated whose await is cancelled, in each of
// the ways and moments in which that happens, and that the terminate is repeated until it is heard.
func TestWorkflowIsTerminated(t *testing.T) {
	limited := func(c *flow.Context) (json.RawMessage, error) {
		out, err := flow.Within(c, time.Minute, func() (json.RawMessage, error) { return reports(c) })
		if !errors.Is(err, flow.ErrTimeout) {
			return nil, fmt.Errorf("got %s, %w", out, err)
		}
		return json.RawMessage(`"late"`), nil
	}
	kept := func(c *flow.Context) (json.RawMessage, error) {
		if _, err := flow.Do(c, "first", func(*flow.Attempt) (bool, error) { return true, nil }); err != nil {
			return nil, err
		}
		return reports(c)
	}
	stop := func(c *cloud) { c.routine.Stop(c.tx) }
	forget := func(c *cloud) { // its memory is lost, and nobody runs it again
		c.routine.Drop()
		flow.Forget(c.tx, routine)
	}
	retire := func(c *cloud) { // and its journal is kept
		c.routine.Drop()
		flow.Retire(c.tx, routine)
	}
	for name, test := range map[string]struct {
		code flow.Func
		do   func(c *cloud)
	}{
		"stopped":                    {reports, stop},
		"stopped after a loss":       {reports, func(c *cloud) { c.evict(); stop(c) }},
		"forgotten without a life":   {reports, forget},
		"retired without a life":     {kept, retire},
		"over its time":              {limited, func(c *cloud) { c.pass(time.Minute) }},
		"over its time after a loss": {limited, func(c *cloud) { c.evict(); c.pass(time.Minute) }},
	} {
		for _, lost := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, lost %v", name, lost), func(t *testing.T) {
				c := newCloud(t)
				c.start(test.code)
				c.serve()
				if lost {
					c.answer["terminate"] = reply{}
				}
				test.do(c)
				c.serve()
				if lost {
					c.pass(29 * time.Second)
					delete(c.answer, "terminate")
				}
				c.pass(time.Second)
				for id, state := range c.instances {
					if state != `{"status":"terminated"}` {
						t.Errorf("%s is %s", id, state)
					}
				}
				c.atRest()
			})
		}
	}
}

// TestWorkflowMadeLate shows that an instance is terminated that the platform makes only after it was
// told to terminate it.
func TestWorkflowMadeLate(t *testing.T) {
	c := newCloud(t)
	c.start(reports)
	create := c.tx.Commands()[0].(durable.Fetch)
	c.seen = len(c.tx.Commands())
	c.routine.Stop(c.tx)
	c.serve()
	var body struct{ ID string }
	if err := json.Unmarshal(create.Body, &body); err != nil {
		t.Fatal(err)
	}
	c.instances[body.ID] = `{"status":"running"}`
	c.pass(30 * time.Second)
	c.wantAsked("terminate", "terminate")
	if c.instances[body.ID] != `{"status":"terminated"}` {
		t.Error("it goes on")
	}
	c.atRest()
}

// TestWorkflowCannotBeTerminated shows that the object gives up after a time, and says so.
func TestWorkflowCannotBeTerminated(t *testing.T) {
	c := newCloud(t)
	c.start(reports)
	c.serve()
	c.answer["terminate"] = reply{status: 502}
	c.routine.Stop(c.tx)
	c.serve()
	c.pass(24 * time.Hour)
	if asked := len(c.asked); asked != 1+9 {
		t.Errorf("asked %d times: %q", asked, c.asked)
	}
	last := c.tx.Commands()[len(c.tx.Commands())-1]
	if log, ok := last.(durable.Log); !ok || log.Level != durable.Error {
		t.Errorf("got %+v", last)
	}
	c.atRest()
}
