package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

func world(t *testing.T, actions ...string) *durabletest.World {
	t.Helper()
	return worldOf(t, chattest.Subject.Name, actions...)
}

func worldOf(t *testing.T, root string, actions ...string) *durabletest.World {
	t.Helper()
	w := durabletest.NewWorld(durabletest.NewNative(1, chattest.Classes()...), root, "room")
	act(t, w, actions...)
	return w
}

func act(t *testing.T, w *durabletest.World, actions ...string) {
	t.Helper()
	for _, action := range actions {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
}

func transcriptOf(t *testing.T, w *durabletest.World) string {
	t.Helper()
	out := strings.Join(w.Take(), "\n")
	if strings.Contains(out, "trap") {
		t.Fatalf("trapped: %.300s", out)
	}
	return out
}

// TestMarkupIsNotSixTimesItsSize checks that angle brackets are stored and shown as they came, from
// any sender. An escaped bracket has six bytes, so a text that just fitted would not fit any more.
func TestMarkupIsNotSixTimesItsSize(t *testing.T) {
	markup := strings.Repeat("<", 200_000)
	provider := []string{"var MODEL_PROVIDER=openai", "var MODEL_NAME=m", "var MODEL_BASE_URL=http://127.0.0.1:9/v1", "connect a", "say a R1 u1: hello", "respond 200"}
	said := func(delta string) []string {
		chunk := strings.ReplaceAll(`{"choices":[{"index":0,"delta":`+delta+`}]}`, `\`, `\\`)
		return append(provider, "data data: "+chunk+`\n\n`, `data data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n`, `data data: [DONE]\n\n`, "run")
	}
	for title, tt := range map[string]struct {
		class   string
		actions []string
		// want is how often the tab is sent the whole markup.
		want int
	}{
		"a question": {"TestAgent", []string{"connect a", "say a R1 u1: chunks=1 " + strings.Repeat(markup, 5), "run", "connect b"}, 2},
		"a state":    {"TestAgent", []string{"connect a", `frame a {"type":"cf_agent_state","state":{"n":"` + markup + `"}}`, "connect b"}, 1},
		"an answer":  {"TestAgent", said(`{"content":"` + markup + `"}`), 1},
		"a call":     {"Worker", said(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":"plan","arguments":"{\"description\":\"` + markup + `\"}"}}]}`), 1},
	} {
		t.Run(title, func(t *testing.T) {
			out := transcriptOf(t, worldOf(t, tt.class, tt.actions...))
			if n := strings.Count(out, markup); n < tt.want {
				t.Errorf("the markup is there %d times, want %d: %.300s", n, tt.want, out)
			}
			if at := strings.Index(out, "u003c"); at >= 0 {
				t.Errorf("escaped: %.100s", out[max(0, at-80):])
			}
		})
	}
}

// TestAnswerThatGrowsTooLongIsCutOff also checks that the conversation continues.
func TestAnswerThatGrowsTooLongIsCutOff(t *testing.T) {
	w := world(t, "connect a", "say a R1 u1: chunks=1000 size=65536", "run", "evict", "say a R2 u2: chunks=1", "run")
	out := transcriptOf(t, w)
	for _, want := range []string{"grew too long", `"id":"R2","body":"","done":true,"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestLongQuestionIsAsked checks that the model is told the newest message, however long it is.
func TestLongQuestionIsAsked(t *testing.T) {
	w := world(t, "var MODEL_PROVIDER=openai", "var MODEL_NAME=m", "var MODEL_BASE_URL=http://127.0.0.1:9/v1", "connect a",
		"say a R1 u1: "+strings.Repeat("why ", 350_000))
	if asked := strings.Count(lineOf(transcriptOf(t, w), "fetch "), "why "); asked != 350_000 {
		t.Errorf("the model is told %d words of 350,000", asked)
	}
}

// lineOf returns the first line of a transcript that begins with a given text, or "".
func lineOf(transcript, begins string) string {
	for line := range strings.Lines(transcript) {
		if strings.HasPrefix(line, begins) {
			return line
		}
	}
	return ""
}

// TestLongInputIsRefused checks that the run has a final row without the input, and that no helper
// is made.
func TestLongInputIsRefused(t *testing.T) {
	out := transcriptOf(t, worldOf(t, "Chief", "connect a", "say a R1 u1: tool=research "+strings.Repeat("why ", 70_000), "run"))
	for _, want := range []string{`"agentType":"Helper","order":0}`, `bytes, at most 262144`, `\"reason\":\"refused\"`, `"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(out, "open tail/") {
		t.Error("a helper was asked")
	}
}

// TestLongPreviewIsNotShown checks that the helper is asked all the same.
func TestLongPreviewIsNotShown(t *testing.T) {
	out := transcriptOf(t, worldOf(t, "Chief", "connect a", "say a R1 u1: tool=research chunks=1 "+strings.Repeat("why ", 5_000), "run"))
	for _, want := range []string{`"agentType":"Helper","order":0}`, "open tail/", `"kind":"finished"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestProgramThatSaysTooMuchFails also checks that its parent is told the beginning of its words.
func TestProgramThatSaysTooMuchFails(t *testing.T) {
	out := transcriptOf(t, worldOf(t, "Chief", "connect a", "say a R1 u1: tool=research class=Counter loud", "run"))
	for _, want := range []string{"all that its message has room for", "cut off here, 600014 bytes", `\"status\":\"error\"`, `"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
}

// TestCodeThatTrapsIsGivenUp checks that the state that is lost with each trap is recovered, but
// that the code is not retried for ever.
func TestCodeThatTrapsIsGivenUp(t *testing.T) {
	w := worldOf(t, "Chief", "connect a", "say a R1 u1: tool=research class=Counter trap", "run")
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{`"kind":"error"`, turn.ErrLost.Error(), `"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s", want)
		}
	}
	if n := strings.Count(out, ": trap"); n != loss.Most {
		t.Errorf("%d traps, want %d", n, loss.Most)
	}
}

// thinker is a model that thinks in markup for a long time, and then calls a tool.
type thinker struct{}

func (thinker) Name() string { return "thinker" }

func (thinker) Begin(tx *durable.Tx, id string, _ model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return thinker{}, nil
}

func (thinker) Take(*durable.Tx, durable.Event) ([]model.Delta, error) {
	return []model.Delta{
		model.ReasoningDelta{Text: strings.Repeat("<&>", 230_000)},
		model.ReasoningEnded{Provider: json.RawMessage(`{"signature":"<&>"}`)},
		model.ToolCallStarted{ID: "c1", Name: "nap"},
		model.ToolCall{ID: "c1", Name: "nap", Input: json.RawMessage(`{}`)},
		model.Finished{Reason: model.ToolCalls},
	}, nil
}

func (thinker) Cancel(*durable.Tx) {}

// TestThoughtsOfMarkupFitTheirRow checks thoughts that are stored for the provider that wants them
// back.
func TestThoughtsOfMarkupFitTheirRow(t *testing.T) {
	engine := durabletest.NewNative(1, chattest.Class(agent.Agent{
		Name: "Thinker", Model: thinker{},
		Tools: []agent.Tool{{Name: "nap", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`"slept"`), flow.Sleep(c, time.Hour)
		}}},
	}))
	w := durabletest.NewWorld(engine, "Thinker", "room")
	act(t, w, "connect a", "say a R1 u1: why", "tick")
	transcriptOf(t, w)
	rows := sql(t, engine, `SELECT octet_length(thoughts) FROM step`)
	if len(rows) != 1 || rows[0].Int(0) < 690_000 || rows[0].Int(0) > limit.Answer {
		t.Errorf("thoughts of 690,000 bytes have taken %v", rows)
	}
}

// tireless is a model that calls a tool every time.
type tireless struct{ thinker }

func (tireless) Begin(tx *durable.Tx, id string, _ model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	return tireless{}, nil
}

func (tireless) Take(tx *durable.Tx, _ durable.Event) ([]model.Delta, error) {
	id := tx.NewID()
	return []model.Delta{
		model.ToolCallStarted{ID: id, Name: "nod"},
		model.ToolCall{ID: id, Name: "nod", Input: json.RawMessage(`{}`)},
		model.Finished{Reason: model.ToolCalls},
	}, nil
}

// TestTurnThatGetsOnForEverEnds checks that a turn ends at its limit of work, however many steps
// its agent allows. Nothing fails in it, so no attempt is ever counted.
func TestTurnThatGetsOnForEverEnds(t *testing.T) {
	defer func(limits turn.Budget) { turn.Limits = limits }(turn.Limits)
	turn.Limits.ModelCalls = 50
	engine := durabletest.NewNative(1, chattest.Class(agent.Agent{
		Name: "Tireless", Model: tireless{}, MaxSteps: 1 << 30,
		Tools: []agent.Tool{{Name: "nod", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`"yes"`), nil
		}}},
	}))
	w := durabletest.NewWorld(engine, "Tireless", "room")
	act(t, w, "connect a", "say a R1 u1: go on", "run")
	if out := transcriptOf(t, w); !strings.Contains(out, `"id":"R1","body":"the answer needed too many model calls","done":true,"error":true`) {
		t.Errorf("got %s", tailWriter(out))
	}
	for _, row := range sql(t, engine, `SELECT status, reason, work FROM turn`) {
		if row.Text(0) != string(turn.Failed) || row.Text(1) != turn.ErrModelCalls.Error() || row.Int(2) != 50 {
			t.Errorf("got %v", row)
		}
	}
	act(t, w, "connect b", "say b R2 u2: again", "tick")
	transcriptOf(t, w)
	if work := sql(t, engine, `SELECT work FROM turn WHERE request = 'R2'`)[0].Int(0); work == 0 {
		t.Errorf("the next turn has not asked its model")
	}
}

// TestOneConnectionCannotHaveEverybodyWait checks that a connection's calls beyond its share are
// refused, while other connections' calls are accepted. Its own are accepted again after a turn
// ends.
func TestOneConnectionCannotHaveEverybodyWait(t *testing.T) {
	w := worldOf(t, "Clerk", "connect a", "connect b")
	call := func(tab string, n int) string {
		act(t, w, runTurnOf(tab, fmt.Sprint("c", n), `"text":"one chunks=1 delay=10","id":"s1","mode":"wait"`))
		return transcriptOf(t, w)
	}
	for n := range 32 {
		if out := call("a", n); strings.Contains(out, `"success":false`) {
			t.Fatalf("call %d: %s", n, out)
		}
	}
	if out := call("a", 32); !strings.Contains(out, `"id":"c32","success":false,"error":"32 calls of this connection wait for turns already"`) {
		t.Errorf("the 33rd call: %s", out)
	}
	for tab, n := range map[string]int{"a": 31, "b": 33} { // a call that waits already, and a call of another connection
		if out := call(tab, n); strings.Contains(out, `"success":false`) {
			t.Errorf("call %d of %s: %s", n, tab, out)
		}
	}
	act(t, w, "run")
	if n := strings.Count(transcriptOf(t, w), `"success":true,"done":true,"result":{"submissionId":"s1"`); n != 33 {
		t.Errorf("%d calls were answered, want 33", n)
	}
	if out := call("a", 34); !strings.Contains(out, `"success":true`) {
		t.Errorf("a call afterwards: %s", out)
	}
}
