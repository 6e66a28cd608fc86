package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// mill is a workflow that waits for a signal, and then asks a person.
var mill = agent.Agent{Name: "Mill", Helper: true, Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
	grain, err := flow.Do(c, "fetch", func(a *flow.Attempt) (string, error) {
		s, err := flow.Receive[string](a, "grain")
		return s.Payload, err
	})
	if err != nil {
		return "", err
	}
	a, err := agent.Ask[bool](c, agent.Question{Title: "Grind " + grain + "?"})
	return fmt.Sprintf("%s %v by %s for %s %v", grain, a.Value, a.By, c.Claims().Subject, c.Claims().All), err
})}

// miller is a helper that begins a mill, and tries to control it in its own list.
var miller = agent.Agent{
	Name: "Miller", Helper: true, Handlers: map[string]agent.RunHook{"ground": noteEnd},
	Program: agent.NewProgram(func(c *agent.Context, _ map[string]string) (string, error) {
		begun := agent.RunAgent(c, mill, map[string]string{}, agent.RunID("mill"), agent.Detached("ground"), agent.Label("kind", "mill"))
		if !begun.OK {
			return "", fmt.Errorf("%s", begun.Error)
		}
		_, restarted := c.RestartRun("mill", agent.RestartOptions{})
		state, sent := c.Signal("mill", "grain", "wheat", "")
		return fmt.Sprintln(c.PauseRun("mill", "no wind"), c.ResumeRun("mill"), restarted, state, sent), nil
	}),
}

// valley hosts what millers begin.
var valley = agent.Agent{
	Name: "Valley", Handlers: map[string]agent.RunHook{"ended": noteEnd},
	Methods: map[string]agent.Method{
		"begin": func(call *agent.Call) (any, error) {
			return agent.StartDetached(&call.Conversation, miller, "ended", map[string]string{}, agent.RunID("miller"))
		},
		"run": agent.InspectRun, "runs": agent.ListRuns, "pause": agent.PauseRun, "resume": agent.ResumeRun, "cancel": agent.CancelRun,
		"restart": agent.RestartRun, "signal": agent.SendSignal, "pendingApprovals": agent.PendingApprovals, "approve": agent.Approve,
	},
}

func noteEnd(c *agent.Conversation, r agent.RunInfo) error {
	var ends []string
	if state := c.State(); state != nil {
		if err := json.Unmarshal(state, &ends); err != nil {
			return err
		}
	}
	return c.SetState(append(ends, r.ID+" "+string(r.Status)+" "+r.Summary))
}

// millwright is a person in the valley. All memory is lost after the number loseAfter of steps.
type millwright struct {
	*desk
}

const millwrightClaims = `{"sub":"mia","scopes":["a"]}`

func newMillwright(t *testing.T) *millwright {
	t.Helper()
	b := &desk{T: t, loseAfter: -1}
	b.engine = &losing{Native: durabletest.NewNative(1, chattest.Class(valley), chattest.Class(miller), chattest.Class(mill)), dies: -1}
	t.Cleanup(func() { b.engine.Close() })
	b.w = durabletest.NewWorld(b.engine, "Valley", "room")
	act(t, b.w, "hold", "connect a", "connect b")
	return &millwright{b}
}

// must calls a method that succeeds, and lets everything happen that it brings. If the process has died
// of the call, it is made again, and may be refused then.
func (m *millwright) must(method string, result any, args ...any) {
	m.Helper()
	before := m.engine.dies
	err := m.call(millwrightClaims, method, result, args...)
	if again := before >= 0 && m.engine.dies < 0; err != "" && !again {
		m.Fatalf("%s: %s", method, err)
	}
	m.settle(10 * time.Minute)
}

// statuses are those of a run at the root, and in the list of the helper that has begun it.
func (m *millwright) statuses(id string) string {
	m.Helper()
	var statuses []string
	for _, slot := range []string{"", "helper-1"} {
		storage, err := m.engine.Storage(m.w.Object(slot))
		if err != nil {
			m.Fatal(err)
		}
		rows, err := storage.SQL(`SELECT status FROM run WHERE id = ?`, []any{id})
		if err != nil {
			m.Fatal(err)
		}
		for _, row := range rows {
			statuses = append(statuses, row.Text(0))
		}
	}
	return strings.Join(statuses, ", ")
}

// ends are those that the handlers of an object have been given.
func (m *millwright) ends(slot string) (ends []string) {
	m.Helper()
	storage, err := m.engine.Storage(m.w.Object(slot))
	if err != nil {
		m.Fatal(err)
	}
	rows, err := storage.SQL(`SELECT value FROM setting WHERE key = 'state'`, nil)
	if err != nil {
		m.Fatal(err)
	}
	for _, row := range rows {
		if err := json.Unmarshal([]byte(row.Text(0)), &ends); err != nil {
			m.Fatal(err)
		}
	}
	return ends
}

func (m *millwright) want(what string, got, want any) {
	m.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// grind signals a mill, and approves what it asks then.
func (m *millwright) grind(id, grain string) {
	m.Helper()
	var sent struct{ State, Error string }
	m.must("signal", &sent, map[string]any{"run": id, "name": "grain", "payload": grain})
	m.want("signal", sent.State+sent.Error, "kept")
	q := m.question()
	m.want("the path of the question", q.Path, []string{id})
	m.must("approve", nil, q.ID)
}

// listed are the ids of the runs that a filter chooses.
func (m *millwright) listed(filter map[string]any) (ids []string) {
	m.Helper()
	var list []agent.RunInfo
	m.must("runs", &list, filter)
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return ids
}

// TestRootControlsARunOfAHelper pauses, signals, answers, restarts and cancels a workflow that a helper
// has begun, at the root. The helper can do none of this in its own list. It has the claims and the
// labels that the helper has given it. The ends of all its restarts reach the helper once.
func TestRootControlsARunOfAHelper(t *testing.T) { controlFromTheRoot(newDesk(t)) }

// TestRootControlsARunOfAHelperWhateverIsLost does so with a loss of all memory at each moment.
func TestRootControlsARunOfAHelperWhateverIsLost(t *testing.T) { lost(t, controlFromTheRoot) }

func controlFromTheRoot(b *desk) {
	m := newMillwright(b.T)
	m.loseAfter = b.loseAfter
	defer func() { b.steps = m.steps }()
	m.must("begin", nil)
	var miller agent.RunInfo
	m.must("run", &miller, "miller")
	if n := strings.Count(miller.Summary, "the root hosts run mill, and controls it"); n != 4 {
		m.Errorf("the helper was told %q %s", miller.Summary, miller.Failure)
	}
	m.want("begun", m.statuses("mill"), "running, running")

	m.must("pause", nil, "mill", "no wind")
	m.want("paused", m.statuses("mill"), "paused, paused")
	m.must("resume", nil, "mill")
	m.want("resumed", m.statuses("mill"), "running, running")
	m.must("pause", nil, "mill", "no wind")
	m.want("paused again", m.statuses("mill"), "paused, paused")
	var sent struct{ State string }
	m.must("signal", &sent, map[string]any{"run": "mill", "name": "grain", "payload": "rye"})
	m.want("signal", sent.State, "kept")
	m.must("resume", nil, "mill")
	m.want("asking", m.statuses("mill"), "waiting, waiting")
	m.must("pause", nil, "mill", "no wind")
	m.want("paused while it asks", m.statuses("mill"), "paused, paused")
	m.must("resume", nil, "mill")
	m.must("approve", nil, m.question().ID)
	want := []string{"mill completed rye true by mia for mia false"}
	m.want("ends", m.ends("helper-1"), want)

	m.must("restart", nil, "mill")
	m.want("restarted", m.statuses("mill.1"), "running, running")
	m.grind("mill.1", "oats")
	want = append(want, "mill.1 completed oats true by mia for mia false")
	m.want("ends", m.ends("helper-1"), want)

	m.must("restart", nil, "mill.1", agent.RestartOptions{From: "fetch"})
	m.must("cancel", nil, "mill.2", "enough")
	want = append(want, "mill.2 aborted ")
	m.want("ends", m.ends("helper-1"), want)
	m.want("the ends of the root", m.ends(""), []string{"miller completed " + miller.Summary})

	m.want("origin", m.listed(map[string]any{"origin": "miller"}), []string{"mill.2", "mill.1", "mill"})
	m.want("another origin", m.listed(map[string]any{"origin": "mill"}), []string(nil))
	m.want("label", m.listed(map[string]any{"origin": "miller", "label": run.Label{Key: "kind", Value: "mill"}, "limit": 1}), []string{"mill.2"})
	if err := m.call(millwrightClaims, "runs", nil, map[string]any{"origin": strings.Repeat("x", 1000)}); !strings.HasPrefix(err, "origin: ") {
		m.Errorf("an origin of 1000 bytes: %q", err)
	}
	if held := m.w.Holding(); len(held) > 0 {
		m.Errorf("in the end there is %v", held)
	}
}

// TestRestartOfAHelpersRunIsToldOnce loses the commands of each event in turn, and all memory with them,
// while the root restarts a workflow that a helper has begun.
func TestRestartOfAHelpersRunIsToldOnce(t *testing.T) {
	t.Parallel()
	for n, died := 0, true; died; n++ {
		m := newMillwright(t)
		m.must("begin", nil)
		m.must("cancel", nil, "mill", "enough")
		m.engine.dies = n
		m.must("restart", nil, "mill")
		m.must("cancel", nil, "mill.1", "enough")
		died = m.engine.dies < 0
		m.engine.dies = -1
		m.settle(10 * time.Minute)
		m.want("ends", m.ends("helper-1"), []string{"mill aborted ", "mill.1 aborted "})
		m.want("statuses", m.statuses("mill.1"), "aborted, aborted")
		if held := m.w.Holding(); len(held) > 0 {
			m.Errorf("in the end there is %v", held)
		}
		if t.Failed() {
			t.Fatalf("with the commands of event %d lost", n)
		}
	}
}
