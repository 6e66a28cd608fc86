package chat

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// Agent is what a conversation needs to know about the agent that holds it.
type Agent struct {
	// Class is the agent's class name, such as "Assistant".
	Class string
	// Helper says that objects of the class live in a parent. They have no alarm:
	// what is due wakes them by a timer, and when their memory is lost, their parent
	// wakes them (invariant I7).
	Helper bool
	// Instructions are the model's system prompt.
	Instructions string
	// Model chooses the model by the deployment's variables and the names of its
	// secrets. Its error is shown to whoever asks something.
	Model func(vars map[string]string, secrets []string) (model.Model, error)
	// Tools are what the model can have called.
	Tools []Tool
	// Program is what a helper runs instead of asking a model, or nil.
	Program Program
	// Methods are what clients can call by name.
	Methods map[string]Method
	// Runs bounds the runs of helpers. What is 0 in it is as usual: 16 at work, 1024 that
	// wait.
	Runs run.Limits
	// Keep says how many final runs are kept, and how long. What is 0 in it is as usual:
	// 500 of them, for a week.
	Keep run.Keep
	// Budget is what one turn may use.
	Budget Budget
	// BeforeRun sees every run before it begins, and may refuse it with an error that the
	// model is told. OnProgress sees a run whenever its helper has reported progress, and
	// AfterRun every run that is over, also a refused one, unless it panics as often as its turn
	// may before it is given up.
	BeforeRun, OnProgress, AfterRun RunHook
	// Handlers take the ends of detached runs, by name. One whose error is not nil is
	// called again, five times in all over three minutes, with all that it did standing.
	Handlers map[string]RunHook
	// Callbacks are what schedules call, by name. One whose error is not nil is called
	// again later, with all that it did standing.
	Callbacks map[string]Callback
	// MaxSteps is how many steps a turn has: model calls with the tools that they want. 0
	// is as usual, 10. However many they are, the model is asked [turn.Limits].Work times at most.
	MaxSteps int
	// ModelSilence is how long a model may go without a word in one call, and ModelTime how long
	// one call may take in all. 0 is as usual, a minute and 30 minutes.
	ModelSilence, ModelTime time.Duration
	// History is how many tokens of the conversation the model is told, by estimate. 0 is as
	// usual, 100,000.
	History int
	// Hooks are called as turns go on.
	Hooks Hooks
	// DuringTurn says what becomes of messages that come while a turn speaks.
	DuringTurn Policy
	// AcceptState may refuse a state that a client sets. Nil accepts all.
	AcceptState func(state json.RawMessage) error
}

// Host is the in-memory part of one conversation.
type Host struct {
	agent   Agent
	name    string
	vars    map[string]string
	secrets []string
	roster  roster
	// shown is the last transcript that was sent, nil where only its row may know of it, and
	// shownMoved says that the row has to follow.
	shown      *sentTranscript
	shownMoved bool
	// live is the turn that speaks, or nil.
	live *live
	// tails are the streams that a parent reads of this object, followed those that
	// it reads of its helpers.
	tails    map[string]*tail
	followed map[string]*following
	// alarm is that of a root; a helper has none.
	alarm durable.Alarm
	// wokenAt is when the parent of a helper wakes it, or 0.
	wokenAt int64
	// looks counts how often runs were looked after since one began, or was lost sight of.
	looks int
	// telling counts what helpers were told and have not taken yet, by run.
	telling map[string]int
	// drills are the sockets of helpers that this parent holds, sockets those that
	// this helper's parent holds for it.
	drills  map[durable.ConnID]*drill
	sockets map[durable.ConnID]*socket
	// authorized are the sockets that were opened with a token. nextEnd is when the first of them expires, or 0.
	authorized []authorization
	nextEnd    int64
	// delivered says that a run's result was journaled, and tools may go on. moved says that
	// the queue has changed, roomy that a turn has left it, cancelled are the turns that code
	// wants stopped, clearing says that everything is being wiped, and apart that no code of
	// the author's goes on or begins in this event.
	delivered, moved, roomy, clearing, apart bool
	// wiping says that the last event has commanded that slots be wiped.
	wiping    bool
	cancelled []int64
}

// NewHost returns a conversation that waits for its Opened event.
func NewHost(agent Agent) *Host {
	if !slices.Contains(policies, agent.DuringTurn) {
		panic("chat: " + agent.Class + " has the policy " + string(agent.DuringTurn) + ", which there is not")
	}
	agent.Runs.Concurrent = cmp.Or(agent.Runs.Concurrent, 16)
	agent.Runs.Queued = cmp.Or(agent.Runs.Queued, 1024)
	agent.Keep.Runs = cmp.Or(agent.Keep.Runs, 500)
	agent.MaxSteps = cmp.Or(agent.MaxSteps, 10)
	agent.History = cmp.Or(agent.History, 100_000)
	agent.ModelSilence = cmp.Or(agent.ModelSilence, usualModelSilence*time.Millisecond)
	agent.ModelTime = cmp.Or(agent.ModelTime, usualModelTime*time.Millisecond)
	agent.Keep.Age = cmp.Or(agent.Keep.Age, 7*24*time.Hour)
	return &Host{agent: agent}
}

// Step lets one event happen to the conversation.
func (h *Host) Step(tx *durable.Tx, event durable.Event) {
	h.wiped(tx)
	h.expire(tx)
	switch e := event.(type) {
	case durable.Opened:
		h.open(tx, e)
	case durable.SocketOpened:
		h.arrive(tx, e)
	case durable.SocketMessage:
		if !h.relay(tx, e) {
			h.receive(tx, e)
		}
	case durable.SocketClosed:
		h.depart(tx, e.Conn)
	case durable.RequestReceived:
		h.respond(tx, e)
	case durable.AlarmFired:
		h.alarm.Fired(tx)
		h.wake(tx)
	case durable.TimerFired:
		if e.Timer == dueTimer {
			h.wake(tx)
			break
		}
		h.progress(tx, e.Timer, e)
	case durable.FetchResponded:
		h.fetched(tx, e.Fetch, e)
	case durable.FetchChunk:
		h.fetched(tx, e.Fetch, e)
	case durable.FetchEnded:
		h.fetched(tx, e.Fetch, e)
	case durable.FetchFailed:
		h.fetched(tx, e.Fetch, e)
	default:
		h.link(tx, event)
	}
	h.unwind(tx)
	if !h.apart {
		h.overspent(tx)
	}
	h.apart = false
	h.keepShown(tx)
	if h.agent.Helper {
		durable.ArmTimer(tx, dueTimer, h.wokenAt)
		tx.Rewrite(h.divert)
		return
	}
	h.alarm.Arm(tx)
}

// link lets an event between objects happen: what helpers bring, and what a parent
// asks.
func (h *Host) link(tx *durable.Tx, event durable.Event) {
	switch e := event.(type) {
	case durable.CallReceived:
		tx.Do(durable.Answer{Call: e.Call, Data: served.Serve(serving{host: h, tx: tx}, e.Data)})
	case durable.CallAnswered:
		h.answered(tx, e.Call, e.Data, "")
	case durable.CallFailed:
		h.answered(tx, e.Call, nil, e.Error)
	case durable.StreamRequested:
		if err := served.Open(serving{host: h, tx: tx, stream: e.Stream}, e.Data); err != nil {
			tx.Do(durable.Emit{Stream: e.Stream, Data: wire.Refuse(err)}, durable.EndStream{Stream: e.Stream})
		}
	case durable.StreamDrained:
		if t, ok := h.tails[e.Stream]; ok {
			t.taken = true
			h.pump(tx, e.Stream)
		}
	case durable.StreamCancelled:
		delete(h.tails, e.Stream)
		h.hangUp(tx, e.Stream)
	case durable.StreamData:
		if conn, ok := strings.CutPrefix(e.Stream, drillOf); ok {
			h.drillData(tx, durable.ConnID(conn), e.Data)
			break
		}
		h.take(tx, strings.TrimPrefix(e.Stream, tailOf), e.Data)
	case durable.StreamEnded:
		h.streamOver(tx, e.Stream, "it ended without an end")
	case durable.StreamFailed:
		h.streamOver(tx, e.Stream, e.Error)
	}
}

func (h *Host) streamOver(tx *durable.Tx, name, why string) {
	if conn, ok := strings.CutPrefix(name, drillOf); ok {
		h.drillOver(tx, durable.ConnID(conn))
		return
	}
	if r, ok := run.Find(tx, strings.TrimPrefix(name, tailOf)); ok {
		h.lost(tx, r, why)
	}
}

// Load says what the conversation holds in memory.
func (h *Host) Load() durable.Load {
	load := durable.Load{Bytes: 4096 + 128*len(h.roster.order), Busy: len(h.tails) > 0 || len(h.followed) > 0}
	if h.live != nil {
		load.Busy = load.Busy || h.live.answer != nil || h.live.fetching()
		load.Bytes += h.live.fold.Bytes()
		for _, r := range h.live.running {
			load.Bytes += r.routine.Bytes()
		}
	}
	return load
}

func (h *Host) open(tx *durable.Tx, e durable.Opened) {
	durable.Migrate(tx, durable.ScheduleSchema, durable.DamageSchema, stream.Schema, turn.Schema, flow.Schema, run.Schema, schedule.Schema, schema)
	h.vars, h.secrets = e.Vars, e.Secrets
	h.name = e.Name
	if stored := setting(tx, settingName); h.name == "" {
		h.name = stored
	} else if stored == "" {
		set(tx, settingName, h.name)
	}
	h.roster.load(tx, h.loadDrills(tx, h.loadUntil(tx, e.Conns)))
	h.forgiveAbsent(tx)
	h.watchUntil(tx)
	if h.agent.Helper {
		h.wokenAt = wokenAt(tx)
		tx.Rearm()
	}
	h.apart = e.Lost != durable.LostQuietly
	cause := causes[e.Lost]
	if letter, call := h.lapse(tx, e.Lost), h.lapseCallback(tx, e.Lost); letter || call { // one is charged, and not the turn besides
		cause = turn.InstanceLost
	}
	h.wipeAgain(tx)
	h.rejoin(tx)
	if t, ok := turn.Speaking(tx); ok {
		h.revive(tx, t, cause)
	} else {
		h.chargeNext(tx, cause)
	}
	h.advance(tx)
}

// send sends one frame to some connections; to none, it costs nothing.
func send(tx *durable.Tx, frame string, to ...durable.ConnID) {
	if len(to) > 0 {
		tx.Do(durable.Send{To: to, Text: frame})
	}
}
