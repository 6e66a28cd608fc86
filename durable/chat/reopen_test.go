package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// broken is an agent whose code is replaced during a turn by code that panics wherever it is
// called.
type broken struct{ now bool }

func (b *broken) code() {
	if b.now {
		panic("a bug")
	}
}

func (b *broken) nap(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
	b.code()
	return json.RawMessage(`"slept"`), flow.Sleep(c, time.Hour)
}

func (b *broken) root() agent.Agent {
	return agent.Agent{
		Name:  "Broken",
		Tools: []agent.Tool{{Name: "research", Run: b.nap}, {Name: "compare", Approval: func(json.RawMessage) bool { return true }, Run: b.nap}},
		Hooks: agent.Hooks{
			BeforeStep: func(*agent.Conversation, *agent.StepRequest) error { b.code(); return nil },
			OnError:    func(_ *agent.Conversation, e agent.TurnError) string { b.code(); return e.Words },
		},
	}
}

// TestCodeThatPanicsAsItsObjectIsOpened checks that such code ends its turn and not the object. An
// author's code that is resumed in a new instance has some attempts, and then the turn fails. The
// turns behind it fail likewise. When the code is mended, everything works again.
func TestCodeThatPanicsAsItsObjectIsOpened(t *testing.T) {
	for name, script := range map[string]string{
		"a tool":                 "say a R1 u1: tool=research\ntick",
		"a tool, and who waits":  "say a R1 u1: tool=research\ntick\nsay a R2 u2: chunks=1",
		"a tool that is allowed": "say a R1 u1: tool=compare\nrun\napprove a $CALL",
		"a model call":           "say a R1 u1: chunks=5 delay=10\ntick\ntick",
		"a model call, and more": "say a R1 u1: chunks=5 delay=10\ntick\ntick\nsay a R2 u2: chunks=1",
	} {
		for _, loss := range []string{"evict", "crash"} {
			t.Run(name+", "+loss, func(t *testing.T) {
				b := &broken{}
				engine := durabletest.NewNative(1, chattest.Class(b.root()))
				w := durabletest.NewWorld(engine, "Broken", "room")
				act(t, w, "connect a")
				for line := range strings.Lines(script) {
					for _, row := range sql(t, engine, `SELECT call FROM ask`) {
						line = strings.ReplaceAll(line, "$CALL", row.Text(0))
					}
					act(t, w, strings.TrimSpace(line))
				}
				b.now = true
				act(t, w, loss, "connect b", "tick 3h")
				out := strings.Join(w.Take(), "\n")
				for _, row := range sql(t, engine, `SELECT request, status, reason FROM turn`) {
					if status := row.Text(1); status != string(turn.Failed) && row.Text(0) != "R1" || status == string(turn.Running) || status == string(turn.Queued) {
						t.Errorf("%s is %s: %s", row.Text(0), status, row.Text(2))
					}
				}
				if n := strings.Count(out, "trap"); n > 3*turn.Limits.Retries {
					t.Errorf("%d traps", n)
				}
				act(t, w, "connect c", "get /agents/x/room/get-messages")
				if out := transcriptOf(t, w); !strings.Contains(out, "respond http 200") {
					t.Errorf("the object does not open: %s", out)
				}
				b.now = false
				act(t, w, "say c R9 u9: chunks=1", "run")
				if out := transcriptOf(t, w); !strings.Contains(out, `"id":"R9","body":"","done":true,"outcome":"completed"`) {
					t.Errorf("it is not answered: %s", out)
				}
				if n := sql(t, engine, `SELECT (SELECT COUNT(*) FROM await) + (SELECT COUNT(*) FROM schedule)`)[0].Int(0); n != 0 {
					t.Errorf("%d rows are left of what was under way", n)
				}
			})
		}
	}
}

// newTouchy returns a world whose turn R2 panics whenever it begins.
func newTouchy() (*durabletest.World, *durabletest.Native) {
	class := chattest.Class(agent.Agent{Name: "Touchy", Hooks: agent.Hooks{
		BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
			if s.TurnInfo.Request == "R2" {
				panic("a bug")
			}
			return nil
		},
	}})
	engine := durabletest.NewNative(1, class)
	w := durabletest.NewWorld(engine, "Touchy", "room")
	return w, engine
}

// TestTurnThatPanicsAsItBegins checks that a turn that panics as it begins fails. The turn before
// it does not fail, although its end is undone when both are in one event.
func TestTurnThatPanicsAsItBegins(t *testing.T) {
	w, engine := newTouchy()
	act(t, w, "connect a", "say a R1 u1: chunks=3 delay=10", "say a R2 u2: chunks=1", "say a R3 u3: chunks=1", "run")
	w.Take()
	var ends []string
	for _, row := range sql(t, engine, `SELECT request, status FROM turn ORDER BY seq`) {
		ends = append(ends, row.Text(0)+" "+row.Text(1))
	}
	if got, want := strings.Join(ends, ", "), "R1 completed, R2 error, R3 completed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTurnThatPanicsAsItBeginsIsBegunByNoOtherEvent checks that a message which comes while such a
// turn waits for its next attempt is taken, and does not trap.
func TestTurnThatPanicsAsItBeginsIsBegunByNoOtherEvent(t *testing.T) {
	w, engine := newTouchy()
	act(t, w, "connect a", "say a R1 u1: chunks=3 delay=10", "say a R2 u2: chunks=1")
	for range 50 {
		if rows := sql(t, engine, `SELECT 1 FROM turn JOIN schedule ON kind = 'turn' WHERE request = 'R2' AND stuck = 2`); len(rows) > 0 {
			break
		}
		act(t, w, "tick")
	}
	w.Take()
	act(t, w, "connect b", "say b R3 u3: chunks=1")
	if out := transcriptOf(t, w); strings.Contains(out, "trap") {
		t.Errorf("a message that comes meanwhile traps:\n%s", out)
	}
	act(t, w, "run")
	w.Take()
	if rows := sql(t, engine, `SELECT 1 FROM turn WHERE request = 'R3' AND status = 'completed'`); len(rows) != 1 {
		t.Error("it is not answered")
	}
}

// TestProgramThatPanicsAsItsHelperIsOpened checks that the run fails and its parent is told.
func TestProgramThatPanicsAsItsHelperIsOpened(t *testing.T) {
	b := &broken{}
	frail := agent.Agent{Name: "Frail", Helper: true, Program: b.nap}
	root := agent.Agent{Name: "Root", Tools: []agent.Tool{{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		o, err := agent.StartAgent(c, agent.Agent{Name: "Frail"}, input, agent.Prompt(""), agent.Preview(nil)).Outcome()
		if err != nil {
			return nil, err
		}
		return json.Marshal(o)
	}}}}
	w := durabletest.NewWorld(durabletest.NewNative(1, chattest.Class(root), chattest.Class(frail)), "Root", "room")
	act(t, w, "connect a", "say a R1 u1: tool=research", "tick")
	b.now = true
	act(t, w, "evict helper-1", "run")
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{`"kind":"error"`, turn.ErrLost.Error(), `"id":"R1","body":"","done":true,"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(out, "helper-1: trap"); n > turn.Limits.Retries+1 {
		t.Errorf("%d traps", n)
	}
}

// TestHookAfterRunsThatPanicsAsItsTurnIsGivenUp checks that the hook is not called in the end, so
// that the turn ends, and its run with it.
func TestHookAfterRunsThatPanicsAsItsTurnIsGivenUp(t *testing.T) {
	b := &broken{}
	slow := agent.Agent{Name: "Slow", Helper: true, Program: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"slept"`), flow.Sleep(c, 24*time.Hour)
	}}
	root := agent.Agent{
		Name:     "Root",
		AfterRun: func(*agent.Conversation, agent.RunInfo) error { b.code(); return nil },
		Tools: []agent.Tool{{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			b.code()
			_, err := agent.StartAgent(c, agent.Agent{Name: "Slow"}, input, agent.Prompt(""), agent.Preview(nil)).Outcome()
			return input, err
		}}},
	}
	engine := durabletest.NewNative(1, chattest.Class(root), chattest.Class(slow))
	w := durabletest.NewWorld(engine, "Root", "room")
	act(t, w, "connect a", "say a R1 u1: tool=research", "tick 1s")
	b.now = true
	act(t, w, "evict", "connect b", "connect c", "tick 3h")
	out := strings.Join(w.Take(), "\n")
	if got := sql(t, engine, `SELECT turn.status, run.status FROM turn, run`); len(got) != 1 || got[0].Text(0) != string(turn.Failed) || got[0].Text(1) != "aborted" {
		t.Errorf("the turn and its run are %v", got)
	}
	if n := strings.Count(out, "trap"); n > 2*turn.Limits.Retries {
		t.Errorf("%d traps", n)
	}
	if n := strings.Count(out, "the hook after a run was not called"); n != 1 {
		t.Errorf("it was reported %d times that the hook was not called", n)
	}
	b.now = false
	act(t, w, "connect d", "say d R9 u9: chunks=1", "run")
	if out := transcriptOf(t, w); !strings.Contains(out, `"id":"R9","body":"","done":true,"outcome":"completed"`) {
		t.Errorf("it is not answered: %s", out)
	}
}

// TestAnswerToATurnThatGoesOnApartIsTaken checks that an answer is taken even if it comes before
// the turn is resumed.
func TestAnswerToATurnThatGoesOnApartIsTaken(t *testing.T) {
	b := &broken{}
	root := b.root()
	root.Methods = map[string]agent.Method{"trap": func(*agent.Call) (any, error) { panic("asked to") }}
	root.Hooks = agent.Hooks{}
	root.Model = wanting{}
	engine := durabletest.NewNative(1, chattest.Class(root))
	w := durabletest.NewWorld(engine, "Broken", "room")
	act(t, w, "connect a", "connect b", "say a R1 u1: both", "tick", `frame b {"type":"rpc","id":"c1","method":"trap","args":[]}`, "approve a c2")
	w.Take()
	if n := sql(t, engine, `SELECT COUNT(*) FROM await`)[0].Int(0); n != 2 {
		t.Errorf("%d tools sleep, want both", n)
	}
}

// wanting is a model that calls two tools, one of which a person has to approve.
type wanting struct{ thinker }

func (wanting) Begin(tx *durable.Tx, id string, _ model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return wanting{}, nil
}

func (wanting) Take(*durable.Tx, durable.Event) ([]model.Delta, error) {
	return []model.Delta{
		model.ToolCallStarted{ID: "c1", Name: "research"},
		model.ToolCall{ID: "c1", Name: "research", Input: json.RawMessage(`{}`)},
		model.ToolCallStarted{ID: "c2", Name: "compare"},
		model.ToolCall{ID: "c2", Name: "compare", Input: json.RawMessage(`{}`)},
		model.Finished{Reason: model.ToolCalls},
	}, nil
}
