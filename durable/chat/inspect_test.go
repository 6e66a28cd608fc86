package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/schedule"
)

const development = "var TRIBUTARY_ENV=development"

var inspected = regexp.MustCompile(`send \S+ (\{.*"id":"inspection".*)`)

// sectionRows asks the object of a tab for its sections, and returns the rows of one: each cell behind
// the name of its column, without those that are empty.
func sectionRows(t *testing.T, w *durabletest.World, tab, name string) (lines []string) {
	t.Helper()
	w.Take()
	act(t, w, `frame `+tab+` {"type":"rpc","id":"inspection","method":"inspect","args":[]}`, "tick 1ms")
	var answer struct {
		Success bool
		Result  struct {
			Sections []struct {
				Name    string
				Columns []string
				Rows    [][]any
			}
		}
	}
	found := inspected.FindStringSubmatch(strings.Join(w.Take(), "\n"))
	if found == nil || json.Unmarshal([]byte(found[1]), &answer) != nil || !answer.Success {
		t.Fatalf("no inspection: %q", found)
	}
	for _, s := range answer.Result.Sections {
		for _, row := range s.Rows {
			var cells []string
			for i, cell := range row {
				if at, ok := cell.(float64); ok && strings.HasSuffix(s.Columns[i], "_at") {
					cell = fmt.Sprintf("%+.0fs", (at-float64(w.Now()))/1000)
				}
				if s.Name == name && cell != "" {
					cells = append(cells, fmt.Sprint(s.Columns[i], ": ", cell))
				}
			}
			if cells != nil {
				lines = append(lines, strings.Join(cells, ", "))
			}
		}
	}
	return lines
}

func wantRows(t *testing.T, w *durabletest.World, tab, section string, want ...string) {
	t.Helper()
	got, all := strings.Join(sectionRows(t, w, tab, section), "\n"), strings.Join(want, "\n")
	if !regexp.MustCompile("^" + all + "$").MatchString(got) {
		t.Errorf("%s:\ngot  %s\nwant %s", section, got, all)
	}
}

// TestInspectedSteps shows a step that waits for its next attempt, and one before it.
func TestInspectedSteps(t *testing.T) {
	w, engine := clerksRoom(clerkOf(deliver))
	act(t, w, development, "connect a", "say a R1 u1: tool=research go", "tick 1s")
	act(t, w, "drill b clerk "+sql(t, engine, `SELECT id FROM run`)[0].Text(0), "tick 1s")
	wantRows(t, w, "b", "steps",
		`code: \S+, step: deliver \(2\), state: waiting, attempt: 1 of 3, error: nobody is at home, again_at: \+11\ds`,
		`code: \S+, step: deliver, state: completed, attempt: 1 of 3`)
	act(t, w, "tick 7m")
	wantRows(t, w, "b", "steps",
		`code: \S+, step: wait, state: running, attempt: 1 of 5`,
		`code: \S+, step: deliver \(3\), state: completed, attempt: 1 of 3`,
		`code: \S+, step: deliver \(2\), state: completed, attempt: 3 of 3, error: nobody is at home`,
		`code: \S+, step: deliver, state: completed, attempt: 1 of 3`)
}

// TestInspectedSignals shows signals that are kept, at both ends, and those that a cancelled run has
// not received.
func TestInspectedSignals(t *testing.T) {
	o := openOffice(t)
	o.do(development, "connect a")
	o.begin(`{"id":"r","names":["go","stop"]}`)
	o.do(posting{"r", "go", "s1", "1"}.line(), posting{"r", "later", "s2", "2"}.line(), "tick 1s", "drill b receiver r", "tick 1s")
	wantRows(t, o.w, "a", "signals", `run: r, sent: 2, received: 1, kept: 1, dropped: 0`)
	wantRows(t, o.w, "b", "signals", `run: r, sent: 2, received: 1, kept: 1, dropped: 0`)
	o.do(`frame a {"type":"rpc","id":"c","method":"cancelRun","args":["r"]}`, "tick 1s")
	wantRows(t, o.w, "a", "signals", `run: r, sent: 2, received: 1, kept: 0, dropped: 1`)
	wantRows(t, o.w, "b", "signals", `run: r, sent: 2, received: 1, kept: 0, dropped: 1`)
	wantRows(t, o.w, "a", "runs", `run: r, class: \w+, status: aborted, dropped_signals: 1`)
}

// TestInspectedControl shows a run that is paused, and one that repeats another from a step.
func TestInspectedControl(t *testing.T) {
	c := newControl(t)
	c.do(development, "evict") // the object reads its variables when it comes into memory
	c.begin(errand{ID: "i", Class: "Idle"})
	c.must("pause", "i", "for lunch")
	c.do("connect z")
	wantRows(t, c.w, "z", "runs", `run: i, class: Idle, status: paused, paused: for lunch(, the helper has still to be told)?, dropped_signals: 0`)
	c.must("cancel", "i")
	c.begin(errand{ID: "r", Class: "Stepper", Labels: map[string]string{"for": "ann", "by": "bob"}})
	c.parts("200", "500")
	c.must("restart", "r", map[string]string{"from": "part 2"})
	c.do("tick 1s")
	wantRows(t, c.w, "z", "runs",
		`run: r\.1, class: Stepper, status: running, labels: by=bob, for=ann, restart_of: r, from_step: part 2, dropped_signals: 0`,
		`run: r, class: Stepper, status: error, labels: by=bob, for=ann, restarted_as: r\.1, dropped_signals: 0`)
}

// TestInspectedOrigin shows a run that a helper has begun, where it is hosted and where it was begun.
func TestInspectedOrigin(t *testing.T) {
	v := newVoyage(t, "", 0)
	v.do(development, "connect a", "say a R1 u1: tool=research class=Pilot id=p begin=d1,own,sleep=2s,reach=half,sleep=2s join=d1,half", "drill b pilot p", "release")
	wantRows(t, v.world, "a", "runs", `run: d1, class: Reporter, status: completed, origin: p, dropped_signals: 0`)
	wantRows(t, v.world, "b", "runs", `run: d1, class: Reporter, status: completed, dropped_signals: 0`)
}

// TestInspectedOwed shows what a helper that cannot be reached has not acknowledged: how often it was said, and when it is
// said again. Nothing is shown before, nor when all is acknowledged.
func TestInspectedOwed(t *testing.T) {
	o := openOffice(t)
	o.do(development, "connect a")
	o.begin(`{"id":"r","names":["stay"]}`)
	o.begin(`{"id":"other","names":["stay"]}`)
	o.do("tick 1m")
	wantRows(t, o.w, "a", "owed")
	o.w.Hold(func(durabletest.HandledEvent) {})
	o.do(posting{"r", "go", "s1", "1"}.line(), posting{"r", "go", "s2", "2"}.line(), `frame a {"type":"rpc","id":"c","method":"cancelRun","args":["other"]}`)
	wantRows(t, o.w, "a", "owed",
		`what: signals: 2, to: Receiver in helper-1, id: r, tried: 1, again_at: \+\d+s`,
		`what: cancellation, to: Receiver in helper-2, id: other, tried: 1, again_at: \+\d+s`,
		`what: end of a run, to: the handler over, id: other, tried: 1, again_at: \S+`)
	for until := o.w.Now() + 300_000; o.w.Now() < until; {
		for _, lane := range o.w.Lanes() {
			o.w.Cut(lane)
		}
		o.w.Tick()
	}
	wantRows(t, o.w, "a", "owed",
		`what: signals: 2, to: Receiver in helper-1, id: r, tried: 1\d, again_at: \+\d+s`,
		`what: cancellation, to: Receiver in helper-2, id: other, tried: \d+, again_at: \+\d+s`)
	o.do("release", "tick 1m")
	wantRows(t, o.w, "a", "owed")
}

// TestInspectedRepetitions shows the end of a run whose handler fails, and a schedule whose callback does.
func TestInspectedRepetitions(t *testing.T) {
	a := agent.Agent{
		Name:      "Own",
		Handlers:  map[string]agent.RunHook{"over": func(*agent.Conversation, agent.RunInfo) error { return errors.New("not now") }},
		Callbacks: map[string]agent.Callback{"remind": func(*agent.Conversation, agent.Scheduled) error { return errors.New("not now") }},
		Methods: map[string]agent.Method{"begin": func(c *agent.Call) (any, error) {
			if _, err := c.Schedule(schedule.After(time.Second), "remind", nil); err != nil {
				return nil, err
			}
			_, err := agent.StartDetached(&c.Conversation, agent.Agent{Name: "Nobody"}, "over", nil, agent.RunID("r"))
			return nil, err
		}},
	}
	quick := agent.Agent{Name: "Nobody", Helper: true, Program: func(*agent.Context, json.RawMessage) (json.RawMessage, error) { return nil, nil }}
	engine := durabletest.NewNative(1, chattest.Class(a), chattest.Class(quick))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Own", "room")
	act(t, w, development, "connect a", `frame a {"type":"rpc","id":"1","method":"begin","args":[]}`, "tick 2s")
	wantRows(t, w, "a", "owed",
		`what: end of a run, to: the handler over, id: r, tried: 1, again_at: \+\ds`,
		`what: schedule, to: the callback remind, id: \S+, tried: 1, again_at: \+\ds`)
	act(t, w, "tick 3h")
	wantRows(t, w, "a", "owed")
}
