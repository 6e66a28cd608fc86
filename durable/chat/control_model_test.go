package chat_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// newModelControl is a control whose helper Looker has a model and a tool. looked counts the calls of
// the tool.
func newModelControl(t *testing.T, looked *int) *control {
	t.Helper()
	looker := agent.Agent{Name: "Looker", Helper: true, Tools: []agent.Tool{
		{Name: "web_search", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return flow.Step(c, "look", func(*durable.Tx) (json.RawMessage, error) {
				*looked++
				return input, nil
			})
		}},
	}}
	classes := append(chattest.Classes(), chattest.Class(controller), chattest.Class(looker))
	engine := durabletest.NewNative(1, classes...)
	t.Cleanup(func() { engine.Close() })
	c := &control{t: t, w: durabletest.NewWorld(engine, "Controller", "room"), made: map[string]int{}}
	c.do("connect a")
	return c
}

// TestPauseComesBeforeTheNextTool pauses a helper while its model answers. The answer comes to its
// end and is kept, and the tool that it asks for begins after the pause.
func TestPauseComesBeforeTheNextTool(t *testing.T) {
	for _, loss := range []string{"none", "helper", "all"} {
		t.Run(loss, func(t *testing.T) {
			looked := 0
			c := newModelControl(t, &looked)
			c.must("begin", errand{ID: "r", Class: "Looker", Query: "tool=web_search chunks=2 pchunks=2 every=1s"})
			c.must("pause", "r")
			c.do("run")
			if looked != 0 {
				t.Fatalf("the tool was called %d times during the pause", looked)
			}
			if held := c.w.Holding(); len(held) > 0 {
				t.Errorf("the pause holds %v", held)
			}
			if loss != "none" {
				c.w.Evict("helper-1")
			}
			if loss == "all" {
				c.w.Evict("")
			}
			c.do("connect b", "run")
			before := c.info("r")
			if before.Status != run.Paused || looked != 0 {
				t.Fatalf("the run is %s, and the tool was called %d times", before.Status, looked)
			}
			c.must("resume", "r")
			c.do("run")
			if r := c.info("r"); r.Status != run.Completed || looked != 1 {
				t.Errorf("the run is %s %s, and the tool was called %d times", r.Status, r.Failure, looked)
			}
			if calls := c.info("r").Usage.ModelCalls; calls != 2 {
				t.Errorf("there were %d model calls, want 2", calls)
			}
		})
	}
}

// TestModelCallThatIsLostInAPauseIsMadeAgain loses the memory of a helper whose model answers while
// the run is paused. The call is made again after the pause.
func TestModelCallThatIsLostInAPauseIsMadeAgain(t *testing.T) {
	looked := 0
	c := newModelControl(t, &looked)
	c.must("begin", errand{ID: "r", Class: "Looker", Query: "tool=web_search chunks=2 pchunks=2 every=1s"})
	c.must("pause", "r")
	c.w.Evict("helper-1")
	c.do("run")
	if held := c.w.Holding(); len(held) > 0 || c.info("r").Status != run.Paused {
		t.Errorf("the run is %s, and there is %v", c.info("r").Status, held)
	}
	c.must("resume", "r")
	c.do("run")
	if r := c.info("r"); r.Status != run.Completed || looked != 1 {
		t.Errorf("the run is %s %s, and the tool was called %d times", r.Status, r.Failure, looked)
	}
}

// TestPausedRunIsAnswered approves a call of a run that is paused. Its tool begins after the pause.
func TestPausedRunIsAnswered(t *testing.T) {
	for _, loss := range []string{"none", "helper", "all"} {
		t.Run(loss, func(t *testing.T) {
			c := newControl(t)
			c.begin(errand{ID: "r", Class: "Careful", Query: "tool=web_search chunks=1 pchunks=1"})
			c.do("run")
			if r := c.info("r"); r.Status != run.Waiting {
				t.Fatalf("the run is %s: %s", r.Status, r.Failure)
			}
			var call string
			for _, line := range c.out {
				if found := regexp.MustCompile(`toolCallId\\*":\\*"(call_[\w-]{16})`).FindStringSubmatch(line); found != nil {
					call = found[1]
				}
			}
			c.must("pause", "r")
			lose := func() {
				if loss != "none" {
					c.w.Evict("helper-1")
				}
				if loss == "all" {
					c.w.Evict("")
				}
			}
			lose()
			c.do("approve a "+call, "run")
			lose()
			c.do("jump 1h", "run")
			if held := c.w.Holding(); len(held) > 0 || c.info("r").Status != run.Paused {
				t.Errorf("the run is %s, and there is %v", c.info("r").Status, held)
			}
			c.must("resume", "r")
			c.do("run")
			if r := c.info("r"); r.Status != run.Completed {
				t.Errorf("the run is %s: %s", r.Status, r.Failure)
			}
		})
	}
}
