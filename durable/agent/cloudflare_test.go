package agent_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// verbs returns what the binding was asked, in order.
func verbs(lines []string) (asked []string) {
	for _, line := range lines {
		if _, rest, found := strings.Cut(line, "binding://REPORTS/workflow/"); found && strings.HasPrefix(line, "fetch ") {
			verb, _, _ := strings.Cut(rest, " ")
			asked = append(asked, verb)
		}
	}
	return asked
}

// TestCloudflareIsTerminated shows that a turn that is stopped terminates the Workflow of its tool, also
// when the object has lost its memory before, or loses it before the platform has answered.
func TestCloudflareIsTerminated(t *testing.T) {
	begin := []string{"connect tab", "say tab R1 u1: Research tides", "tick 1s", "respond 200", "data {}", "end"}
	for name, test := range map[string]struct {
		then []string
		want []string
	}{
		"stopped":                          {[]string{"cancel tab R1"}, []string{"create", "terminate"}},
		"stopped after an eviction":        {[]string{"evict", "cancel tab R1"}, []string{"create", "terminate"}},
		"stopped while it is asked":        {[]string{"tick 3s", "evict", "cancel tab R1"}, []string{"create", "status", "terminate"}},
		"cleared":                          {[]string{"evict", "clear tab"}, []string{"create", "terminate"}},
		"lost before the answer":           {[]string{"cancel tab R1", "evict", "tick 31s"}, []string{"create", "terminate", "terminate"}},
		"lost in a crash before it":        {[]string{"cancel tab R1", "crash", "tick 31s"}, []string{"create", "terminate", "terminate"}},
		"answered, and not asked for more": {[]string{"cancel tab R1", "respond 200", "data {}", "end", "tick 24h"}, []string{"create", "terminate"}},
	} {
		t.Run(name, func(t *testing.T) {
			lines := play([]agent.Agent{reporter()}, append(slices.Clone(begin), test.then...)...)
			if got := verbs(lines); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestCloudflareGoesOn loses all memory before each event in turn. The output is always the same, and
// the instance is made once.
func TestCloudflareGoesOn(t *testing.T) {
	calm, made := playCloud(t, 0)
	if made != 1 {
		t.Fatalf("made %d times", made)
	}
	for at := 2; at <= calm; at++ {
		if _, made := playCloud(t, at); made != 1 {
			t.Errorf("lost before event %d: made %d times", at, made)
		}
	}
}

// playCloud plays a turn whose tool runs a Workflow, with a binding that answers at once and an
// instance that has ended when it is asked for the second time. All memory is lost before the event
// of a number. It returns how many events there were, and how many instances were made.
func playCloud(t *testing.T, lostBefore int) (events, instances int) {
	engine := durabletest.NewNative(1, chat.Class(reporter(), providers...))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Assistant", "room")
	asked, open, done := 0, "", false
	ids := map[string]bool{}
	do := func(action string) {
		if events++; events == lostBefore {
			must(w.Do("evict"))
			open = ""
			if !strings.HasPrefix(action, "tick") && !strings.HasPrefix(action, "say") {
				return
			}
		}
		must(w.Do(action))
		for _, line := range w.Take() {
			if got := verbs([]string{line}); got != nil {
				open = got[0]
				ids[instance.FindString(line)] = true
			}
			done = done || strings.Contains(line, `\"output\":{\"pages\":7}`)
		}
	}
	answer := func(lines ...string) {
		for asking := open; open == asking && len(lines) > 0; lines = lines[1:] {
			if do(lines[0]); len(lines) == 1 {
				open = strings.TrimPrefix(open, asking)
			}
		}
	}
	do("connect tab")
	do("say tab R1 u1: Research tides")
	for !done {
		if events > 500 {
			t.Fatalf("lost before event %d: it does not end", lostBefore)
		}
		switch open {
		case "create":
			answer("respond 200", "data {}", "end")
		case "status":
			state := `data {"status":"running"}`
			if asked++; asked > 1 {
				state = `data {"status":"complete","output":{"pages":7}}`
			}
			answer("respond 200", state, "end")
		default:
			do("tick")
		}
	}
	return events, len(ids)
}

// TestCloudflareWithoutBinding shows that the model is told the line of the configuration.
func TestCloudflareWithoutBinding(t *testing.T) {
	lines := play([]agent.Agent{reporter()}, "connect tab", "say tab R1 u1: Research tides", "tick 1s",
		"unsent Error: there is no binding REPORTS", "run", read)
	if got := outcome(lines); !strings.Contains(got, `"workflows": [{ "binding": "REPORTS"`) || !strings.Contains(got, "nothing has happened") {
		t.Errorf("got %s", got)
	}
	if got := verbs(lines); !slices.Equal(got, []string{"create"}) {
		t.Errorf("asked %q", got)
	}
}

// instance is the form of an instance's id.
var instance = regexp.MustCompile(`t-[a-z2-7]{26}`)
