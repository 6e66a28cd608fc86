//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// bomb is an agent whose code ends its instance, or its process, at one place, as often as it comes there.
type bomb struct {
	// at is the place, and with what it panics. left is how often it does so, or a negative number.
	at   string
	with any
	left int
	// went counts.
	went int
}

// reach comes to a place.
func (b *bomb) reach(place string) {
	if b.at != place || b.left == 0 {
		return
	}
	b.left--
	b.went++
	panic(b.with)
}

// agent returns an agent that comes to these places, by the words that its model is told.
func (b *bomb) agent() agent.Agent {
	nap := func(c *agent.Context, in json.RawMessage) (json.RawMessage, error) {
		b.reach("tool begins")
		err := flow.Sleep(c, time.Minute)
		b.reach("tool goes on")
		return json.RawMessage(`"slept"`), err
	}
	both := func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		busy := flow.Go(c, "busy", func() (int, error) {
			for range 1000 {
				if err := flow.Sleep(c, 5*time.Second); err != nil {
					return 0, err
				}
			}
			return 0, nil
		})
		_, err := flow.Fetch(c, flow.Request{Method: "GET", URL: "https://evil.example"})
		b.reach("beside what gets on")
		busy.Cancel()
		return json.RawMessage(`"answered"`), err
	}
	return agent.Agent{
		Tools: []agent.Tool{
			{Name: "research", Run: nap},
			{Name: "compare", Run: both},
			agent.Code(agent.NewTool("nap", "", func(c *agent.Context, in word) (word, error) {
				b.reach("stretch")
				err := flow.Sleep(c, time.Second)
				b.reach("stretch goes on")
				return in, err
			})),
		},
		Hooks: agent.Hooks{
			BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
				switch { // a question that is lost as it comes is not asked again
				case s.Step > 0:
					b.reach("model is asked")
				case s.TurnInfo.Request == "R2":
					b.reach("next turn begins")
				}
				return nil
			},
			BeforeCall: func(*agent.Conversation, *agent.ToolCall) error { b.reach("reply is read"); return nil },
			AfterCall:  func(*agent.Conversation, *agent.ToolCall) error { b.reach("result is checked"); return nil },
			AfterStep:  func(*agent.Conversation, agent.StepResult) error { b.reach("step is over"); return nil },
		},
		Callbacks: map[string]agent.Callback{"callback": func(*agent.Conversation, agent.Scheduled) error {
			b.reach("callback")
			return nil
		}},
	}
}

// places are where the work of a turn is.
var places = []string{"tool begins", "tool goes on", "model is asked", "reply is read", "result is checked", "step is over"}

// bombed returns the world of such an agent, and codeBombed that of one whose model writes code.
func bombed(t *testing.T, b *bomb) (*durabletest.World, *durabletest.Native) {
	t.Helper()
	return bombedAs(t, b.agent())
}

func codeBombed(t *testing.T, b *bomb) (*durabletest.World, *durabletest.Native) {
	t.Helper()
	return bombedAs(t, agent.Agent{Tools: b.agent().Tools[2:], Model: chattest.Coding{}})
}

func bombedAs(t *testing.T, a agent.Agent) (*durabletest.World, *durabletest.Native) {
	t.Helper()
	a.Name = "Own"
	engine := durabletest.NewNative(1, chattest.Class(a))
	t.Cleanup(func() { engine.Close() })
	return durabletest.NewWorld(engine, "Own", "room"), engine
}

// goOn has people come again and again, and time pass, until no turn is under way. It says how the last turn
// has ended.
func goOn(t *testing.T, w *durabletest.World, engine *durabletest.Native) (status, reason string) {
	t.Helper()
	for n := range 100 {
		act(t, w, fmt.Sprint("connect again", n), "tick 10m")
		rows := sql(t, engine, `SELECT status, reason FROM turn ORDER BY seq DESC LIMIT 1`)
		if len(rows) > 0 && turn.Status(rows[0].Text(0)).Final() {
			return rows[0].Text(0), rows[0].Text(1)
		}
	}
	return "", "it goes on for ever"
}

// TestWorkThatEndsItsProcessIsGivenUp has code of an event kill the process, or trap, each time. The work is
// given up with words after three losses that are known. The first loss of a process is not known.
func TestWorkThatEndsItsProcessIsGivenUp(t *testing.T) {
	for _, place := range places {
		for with, most := range map[any]int{durabletest.ErrKilled: loss.Most + 1, "a bug": loss.Most} {
			t.Run(fmt.Sprint(place, ", ", with), func(t *testing.T) {
				b := &bomb{at: place, with: with, left: -1}
				w, engine := bombed(t, b)
				act(t, w, "connect a", "say a R1 u1: tool=research")
				status, reason := goOn(t, w, engine)
				if status != string(turn.Failed) || reason != turn.ErrLost.Error() {
					t.Errorf("the turn is %s: %s", status, reason)
				}
				if b.went != most {
					t.Errorf("it was lost %d times, want %d", b.went, most)
				}
				b.at = ""
				act(t, w, "connect b", "say b R2 u2: chunks=1")
				if status, reason := goOn(t, w, engine); status != string(turn.Completed) {
					t.Errorf("the next turn is %s: %s", status, reason)
				}
			})
		}
	}
}

// TestCallbackThatEndsItsProcessIsGivenUp has a callback kill the process each time. The callback fails, and
// no turn is charged.
func TestCallbackThatEndsItsProcessIsGivenUp(t *testing.T) {
	b := &bomb{at: "callback", with: durabletest.ErrKilled, left: -1}
	a := b.agent()
	a.Name = "Own"
	a.Methods = map[string]agent.Method{"later": func(call *agent.Call) (any, error) {
		return call.Schedule(schedule.After(time.Minute), "callback", nil, schedule.MaxAttempts(3))
	}}
	engine := durabletest.NewNative(1, chattest.Class(a))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Own", "room")
	act(t, w, "connect a", `frame a {"type":"rpc","id":"1","method":"later","args":[]}`)
	for n := range 20 {
		act(t, w, fmt.Sprint("connect again", n), "tick 3h")
	}
	if rows := sql(t, engine, `SELECT state FROM callback`); len(rows) != 1 || rows[0].Text(0) != "failed" {
		t.Errorf("the schedule is %v", rows)
	}
	if b.went > 2*3 { // each of three attempts, once unknown and once known
		t.Errorf("the process was killed %d times", b.went)
	}
}

// TestKillsBetweenEventsNeverCount kills the process between two events, at every one of them and many times
// each, and after losses inside events. No turn is given up.
func TestKillsBetweenEventsNeverCount(t *testing.T) {
	for name, inside := range map[string]int{"alone": 0, "behind two losses that are known": loss.Most - 1} {
		t.Run(name, func(t *testing.T) {
			b := &bomb{at: "tool goes on", with: durabletest.ErrKilled, left: inside}
			w, engine := bombed(t, b)
			act(t, w, "connect a", "say a R1 u1: tool=research chunks=2")
			for n := range 400 {
				kill := "crash"
				if n%3 == 2 {
					kill = "evict"
				}
				for range 8 {
					act(t, w, kill, fmt.Sprint("connect c", n))
				}
				act(t, w, "tick")
				rows := sql(t, engine, `SELECT status, reason FROM turn`)
				if turn.Status(rows[0].Text(0)).Final() {
					break
				}
			}
			status, reason := goOn(t, w, engine)
			if status != string(turn.Completed) {
				t.Errorf("the turn is %s: %s", status, reason)
			}
			if b.went != inside {
				t.Errorf("it was lost %d times inside events, want %d", b.went, inside)
			}
		})
	}
}

// TestOnlyResumedWorkIsAnnounced checks that the events of an object are announced only while it goes on with
// work that was lost, and that nothing is left of an announcement.
func TestOnlyResumedWorkIsAnnounced(t *testing.T) {
	w, engine := bombed(t, &bomb{})
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	written := func(actions ...string) int {
		before := storage.Written("setting")
		act(t, w, actions...)
		return storage.Written("setting") - before
	}
	usual := written("connect a", "say a R0 u0: chunks=1", "tick 1m")
	if more := written("say a R1 u1: chunks=1", "tick 1m"); more > usual {
		t.Errorf("a turn writes %d settings", more)
	}
	if idle := written("evict", "connect b", "get /agents/x/room/get-messages"); idle != 0 {
		t.Errorf("an object without work writes %d settings as it is opened", idle)
	}
	act(t, w, "say b R2 u2: tool=research", "tick")
	if resumed := written("evict", "get /agents/x/room/get-messages"); resumed == 0 {
		t.Error("nothing was announced")
	}
	act(t, w, "tick 10m")
	if rows := sql(t, engine, `SELECT value FROM setting WHERE key IN ('begun', 'lost')`); len(rows) > 0 {
		t.Errorf("an announcement is left: %v", rows)
	}
}

// TestRunThatEndsItsProcessIsGivenUp has a helper's program end the process each time that it goes on. The
// run of its parent ends with words.
func TestRunThatEndsItsProcessIsGivenUp(t *testing.T) {
	b := &bomb{at: "program goes on", with: durabletest.ErrKilled, left: -1}
	type question struct {
		Query string `json:"query"`
	}
	digger := agent.Agent{Name: "Digger", Helper: true, Program: agent.NewProgram(func(c *agent.Context, in question) (string, error) {
		err := flow.Sleep(c, time.Minute)
		b.reach("program goes on")
		return "", err
	})}
	root := agent.Agent{Name: "Own", Tools: []agent.Tool{agent.AgentTool[question](digger, "research", "")}}
	engine := durabletest.NewNative(1, chattest.Class(root), chattest.Class(digger))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Own", "room")
	act(t, w, "connect a", "say a R1 u1: tool=research")
	if status, reason := goOn(t, w, engine); status == "" {
		t.Errorf("the turn is %s: %s", status, reason)
	}
	rows := sql(t, engine, `SELECT status, failure FROM run`)
	if len(rows) != 1 || rows[0].Text(0) != "error" || !strings.Contains(rows[0].Text(1), turn.ErrLost.Error()) {
		t.Errorf("the run is %v", rows)
	}
	if b.went != loss.Most+1 {
		t.Errorf("the process was killed %d times", b.went)
	}
}

// TestCallOfAProgramThatEndsItsProcessIsGivenUp has a tool that another program calls end the process.
func TestCallOfAProgramThatEndsItsProcessIsGivenUp(t *testing.T) {
	b := &bomb{at: "tool goes on", with: durabletest.ErrKilled, left: -1}
	nap := agent.NewTool("nap", "", func(c *agent.Context, in word) (word, error) {
		err := flow.Sleep(c, time.Minute)
		b.reach("tool goes on")
		return in, err
	})
	p := exposed(t, agent.Agent{Tools: []agent.Tool{nap}, Expose: &agent.Expose{Tools: []string{"nap"}}})
	p.capabilities = takesTasks
	id := p.slowTask(`"name":"nap","arguments":{"word":"a"}`)
	for n := range 20 {
		act(t, p.w, fmt.Sprint("connect again", n), "tick 10m")
	}
	if got := p.ask("tasks/get", fmt.Sprintf(`"taskId":%q`, id)); !strings.Contains(got, "failed each time") {
		t.Errorf("told %s", got)
	}
	if b.went > loss.Most+1 {
		t.Errorf("the process was killed %d times", b.went)
	}
}

// TestStretchThatEndsItsProcessIsGivenUp has a tool end the process in a stretch of code. The code is given up
// with words, and its turn goes on.
func TestStretchThatEndsItsProcessIsGivenUp(t *testing.T) {
	for _, place := range []string{"stretch", "stretch goes on"} {
		for with, most := range map[any]int{durabletest.ErrKilled: 2*loss.Most + 2, "a bug": 2 * loss.Most} {
			b := &bomb{at: place, with: with, left: -1}
			w, engine := codeBombed(t, b)
			act(t, w, "connect a", `say a R1 u1: code: return await tools.nap({word: "a"})`)
			if status, reason := goOn(t, w, engine); status != string(turn.Completed) && reason != turn.ErrLost.Error() {
				t.Errorf("%s, %v: the turn is %s: %s", place, with, status, reason)
			}
			if b.went == 0 || b.went > most {
				t.Errorf("%s, %v: it was lost %d times", place, with, b.went)
			}
		}
	}
}

// TestKillsBetweenStretchesNeverCount kills the process many times between the event that counts a stretch of
// code and the event of the stretch. The code goes on.
func TestKillsBetweenStretchesNeverCount(t *testing.T) {
	w := codeWorld(t, agent.Agent{Tools: []agent.Tool{agent.Code(agent.NewTool("echo", "", echo))}})
	act(t, w, "connect a", `say a R1 u1: code: await tools.echo({word: "a"}); return await tools.echo({word: "b"})`)
	kills := 0
	for idle := 0; idle < 6; {
		act(t, w, "tick")
		told := strings.Join(w.Take(), "\n")
		if idle++; told != "" {
			idle = 0
		}
		for range 2 * flow.MaxSliceLosses {
			if strings.Contains(told, "timer stretch ") {
				kills++
				act(t, w, "evict", "get /agents/x/room/get-messages")
			}
		}
		w.Take()
	}
	act(t, w, "get /agents/x/room/get-messages")
	wantCode(t, readCode(t, w.Take()), `{"status":"completed","result":{"word":"b"}}`, `1 output-available {"word":"a"}`, `2 output-available {"word":"b"}`)
	if kills < 2*flow.MaxSliceLosses {
		t.Errorf("the memory was lost %d times between stretches", kills)
	}
}

// TestReplayThatEndsItsProcessIsGivenUp has code kill the process each time that it is run again over its
// journal.
func TestReplayThatEndsItsProcessIsGivenUp(t *testing.T) {
	b := &bomb{with: durabletest.ErrKilled, left: -1}
	w, engine := bombed(t, b)
	act(t, w, "connect a", "say a R1 u1: tool=research", "tick")
	b.at = "tool begins"
	act(t, w, "evict")
	if status, reason := goOn(t, w, engine); status != string(turn.Failed) || reason != turn.ErrLost.Error() {
		t.Errorf("the turn is %s: %s", status, reason)
	}
	if b.went != loss.Most {
		t.Errorf("it was lost %d times", b.went)
	}
}

// TestWorkBesideWhatGetsOnIsGivenUp has a part of a tool's code kill the process each time, while another part
// of it gets on without end.
func TestWorkBesideWhatGetsOnIsGivenUp(t *testing.T) {
	b := &bomb{at: "beside what gets on", with: durabletest.ErrKilled, left: -1}
	w, engine := bombed(t, b)
	act(t, w, "connect a", "say a R1 u1: tool=compare", "tick")
	for n := 0; n < 20 && b.left != 0; n++ {
		act(t, w, fmt.Sprint("connect again", n))
		for range 6 { // the other part gets on
			act(t, w, "tick 6s")
		}
		if rows := sql(t, engine, `SELECT status FROM turn`); turn.Status(rows[0].Text(0)).Final() {
			break
		}
		act(t, w, "respond 200", "end")
	}
	rows := sql(t, engine, `SELECT status, reason FROM turn`)
	if status, reason := rows[0].Text(0), rows[0].Text(1); status != string(turn.Failed) || reason != turn.ErrLost.Error() {
		t.Errorf("the turn is %s: %s", status, reason)
	}
	if b.went != loss.Most+1 {
		t.Errorf("it was lost %d times", b.went)
	}
}

// TestTurnThatEndsItsProcessAsItBeginsIsGivenUp has a turn that waits kill the process each time that it
// begins. The turn before it ends as it should.
func TestTurnThatEndsItsProcessAsItBeginsIsGivenUp(t *testing.T) {
	b := &bomb{at: "next turn begins", with: durabletest.ErrKilled, left: -1}
	w, engine := bombed(t, b)
	act(t, w, "connect a", "say a R1 u1: tool=research", "say a R2 u2: chunks=1")
	for n := range 100 {
		act(t, w, fmt.Sprint("connect again", n), "tick 10m")
	}
	for _, row := range sql(t, engine, `SELECT request, status FROM turn`) {
		if want := map[string]turn.Status{"R1": turn.Completed, "R2": turn.Failed}[row.Text(0)]; row.Text(1) != string(want) {
			t.Errorf("%s is %s, want %s", row.Text(0), row.Text(1), want)
		}
	}
	if b.went == 0 || b.went > loss.Most+4 { // the turn before it is charged for the first ones
		t.Errorf("it was lost %d times", b.went)
	}
}

// TestHelperThatCrashesAtASignalIsReadAgain has the code of a helper trap once, in the call that brings it a signal. The
// call is made again. This time the helper answers at once, and its code resumes in the next event. The owner does not read
// a run that waits, so the answer tells it that the run resumes.
func TestHelperThatCrashesAtASignalIsReadAgain(t *testing.T) {
	b := &bomb{at: "received", with: "a bug", left: 1}
	waits := agent.Agent{Name: "Waits", Helper: true, Program: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		s, err := flow.Receive[json.RawMessage](c, "go")
		b.reach("received")
		return s.Payload, err
	}}
	root := agent.Agent{
		Name:     "Own",
		Handlers: map[string]agent.RunHook{"over": func(*agent.Conversation, agent.RunInfo) error { return nil }},
		Methods: map[string]agent.Method{
			"signal": agent.SendSignal,
			"begin": func(c *agent.Call) (any, error) {
				_, err := agent.StartDetached(&c.Conversation, waits, "over", nil, agent.RunID("r"))
				return nil, err
			},
		},
	}
	engine := durabletest.NewNative(1, chattest.Class(root), chattest.Class(waits))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Own", "room")
	act(t, w, "connect a", `frame a {"type":"rpc","id":"1","method":"begin","args":[]}`, "tick 1m")
	act(t, w, `frame a {"type":"rpc","id":"2","method":"signal","args":[{"run":"r","name":"go","payload":1}]}`, "tick 2m")
	if b.went != 1 {
		t.Fatalf("the code was lost %d times", b.went)
	}
	if rows := sql(t, engine, `SELECT status, output FROM run`); len(rows) != 1 || rows[0].Text(0) != string(run.Completed) || rows[0].Text(1) != "1" {
		t.Errorf("the run is %v", rows)
	}
}

// TestTurnThatTrapsIsChargedForEachAttempt has the code of a turn trap twice. The turn is charged for each time, and the
// pause before the next attempt grows.
func TestTurnThatTrapsIsChargedForEachAttempt(t *testing.T) {
	b := &bomb{at: "tool goes on", with: "a bug", left: loss.Most - 1}
	w, engine := bombed(t, b)
	act(t, w, "connect a", "say a R1 u1: tool=research chunks=1", "tick")
	for attempt := 1; attempt < loss.Most; attempt++ {
		for n := 0; b.went < attempt && n < 10; n++ {
			act(t, w, "tick")
		}
		act(t, w, fmt.Sprint("connect again", attempt))
		rows := sql(t, engine, `SELECT stuck FROM turn`)
		if spent := rows[0].Int(0); b.went != attempt || spent != int64(attempt) {
			t.Errorf("lost %d times, the turn is charged for %d", b.went, spent)
		}
		due := sql(t, engine, `SELECT due FROM schedule WHERE kind = 'go-on'`)
		if len(due) != 1 || due[0].Int(0)-w.Now() != durable.BackoffAfterCrash(attempt) {
			t.Errorf("attempt %d is at %v, and it is %d", attempt, due, w.Now())
		}
	}
	if status, reason := goOn(t, w, engine); status != string(turn.Completed) {
		t.Errorf("the turn is %s: %s", status, reason)
	}
}

// TestRunThatGetsOnIsNotGivenUp kills the process inside of events of the root again and again, at each of their
// statements. The run whose stream it reads gets on between, so it is not given up.
func TestRunThatGetsOnIsNotGivenUp(t *testing.T) {
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	act(t, w, "connect a", "say a R1 u1: tool=background chunks=400 delay=1000", "tick 10s")
	storage, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	for n := range 60 {
		storage.KillAt(n % 12)
		act(t, w, "tick 2s")
		storage.Calm()
		act(t, w, fmt.Sprint("connect b", n))
		if n%3 == 2 {
			act(t, w, "tick 3s")
		}
		rows := sql(t, engine, `SELECT status, reason FROM run`)
		if len(rows) != 1 || rows[0].Text(0) != string(run.Running) && rows[0].Text(0) != string(run.Completed) {
			t.Fatalf("behind %d kills the run is %v", n+1, rows)
		}
	}
}
