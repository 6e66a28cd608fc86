// Package chat is a conversation and the browsers that watch it. It accepts requests, runs turns
// one after the other, and streams a model's answer into the durable log and to every tab. It
// brings tabs that were away up to date. An application uses [Class] alone.
//
// The algorithms, and the order of frames, are those that the published client relies on. Some
// lines look as if they could be simpler: the client breaks if they are. Scripts in testdata test
// these cases.
//
// README.md beside this file explains how a question is answered and how a tab joins. It also holds
// the decisions.
package chat

import (
	"cmp"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/drill"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Object is the in-memory part of one conversation.
type Object struct {
	agent agent.Agent
	// tables are which of the tables are made.
	tables durable.Tables
	// model opens the model.
	model    opener
	name     string
	vars     map[string]string
	secrets  []string
	audience audience.Audience
	// loop is how the turn under way goes on. viewers are those who are shown it.
	loop    *loop.Loop
	viewers viewers
	// runs follows the runs that this object has begun.
	runs *supervisor.Supervisor
	// schemas are those of the tools' outputs.
	schemas run.Schemas
	// tails are the streams through which the parent reads this object's runs.
	tails *task.Tails
	// alarm is the alarm of a root. A helper has none.
	alarm durable.Alarm
	// drill connects browsers' sockets to helpers. listings are the runs whose helpers were asked for
	// their transcripts, by the requests that wait.
	drill    *drill.Drill
	listings map[string]listing
	// senders are the requests that have brought signals and wait for a helper's answer.
	senders []sender
	// mcpServer is how other programs use the agent, or nil.
	mcpServer author.MCPServer
	// authorized are the sockets that were opened with a token. nextEnd is when the first of them
	// expires, or 0.
	authorized []authorization
	nextEnd    int64
	// servers are those of the agent's option MCP, or nil.
	servers author.Servers
	// owners are the persons whose the sockets are, as far as that is known. signed says that the front door has
	// said what the signature of the object's address is. Only the servers need this.
	owners map[durable.ConnID]string
	signed bool
	// actor are the claims for which the code of this event works, or nil for those of the active turn.
	actor *string
	// change is a stored message that calls of code change in this event. unshown is the last one that was
	// changed and not shown, and shownAt is when one was shown.
	change  change
	unshown protocol.Message
	shownAt int64
	// agenda is work that code in the event has requested, and that the end of the event does.
	agenda agenda
	// watch is how the host is told that an event may be lost inside.
	watch watch
	// clearing says that everything is being wiped. quarantined says that none of the author's code
	// begins or continues in this event.
	clearing, quarantined bool
}

// agenda is the work to do at the end of an event.
type agenda struct {
	// resume says that a run's result was journaled, and tools can go on.
	resume bool
	// next says that the queue has changed, and room that a turn has left it.
	next, room bool
	// cancel are the turns that code has asked to stop.
	cancel []int64
}

// newObject returns a conversation that waits for its Opened event.
func newObject(a agent.Agent, model opener) *Object {
	a.Runs.Concurrent = cmp.Or(a.Runs.Concurrent, 16)
	a.Runs.Queued = cmp.Or(a.Runs.Queued, 1024)
	a.Keep.Runs = cmp.Or(a.Keep.Runs, 500)
	a.MaxSteps = cmp.Or(a.MaxSteps, 10)
	a.History = cmp.Or(a.History, 100_000)
	a.Keep.Age = cmp.Or(a.Keep.Age, 7*24*time.Hour)
	o := &Object{agent: a, model: model}
	o.runs = o.newSupervisor()
	o.tails = task.New(work{o})
	o.loop = o.newLoop()
	o.drill = drill.New(o.runs)
	if a.MCP != nil {
		o.servers = author.Bind.Servers(a.MCP, host{o})
	}
	o.mcpServer = author.Bind.Endpoint(a, host{o})
	return o
}

// Step handles one event of the conversation.
func (o *Object) Step(tx *durable.Tx, event durable.Event) {
	tx.Use(&o.tables)
	if o.announced(tx, event) {
		return
	}
	_, asked := event.(durable.RequestReceived)
	o.audience.BeginEvent(tx, asked)
	o.runs.NoteWiped(tx)
	o.closeExpired(tx)
	if event != (durable.TimerFired{Timer: audience.ReplayTimer}) {
		o.audience.ForgetAhead()
	}
	o.handle(tx, event)
	if _, opened := event.(durable.Opened); opened && o.watch.resumes {
		return // the rest follows in the event Resumed
	}
	o.drainAgenda(tx)
	for o.mcpServer != nil && o.mcpServer.Flush(tx) {
		o.drainAgenda(tx)
	}
	o.answerNews(tx)
	o.broadcastServers(tx)
	if !o.quarantined {
		o.loop.EndOverBudget(tx)
	}
	o.quarantined = false
	o.endChange(tx)
	o.loop.Flush(tx)
	o.loop.Store(tx)
	o.audience.StoreTranscript(tx)
	o.endTraffic(tx)
	o.lookOn(tx)
	if o.agent.Helper {
		o.tails.Arm(tx, dueTimer, o.runs.AwaitsHandler(), o.armed)
		tx.Rewrite(o.drill.Route)
		return
	}
	o.alarm.Arm(tx)
}

// Load returns an estimate of the conversation's memory, and whether it is busy.
func (o *Object) Load() durable.Load {
	bytes, busy := o.loop.Load()
	if o.servers != nil {
		bytes, busy = bytes+o.servers.Bytes(), busy || o.servers.Busy()
	}
	if o.mcpServer != nil {
		more, calls := o.mcpServer.Load()
		bytes, busy = bytes+more, busy || calls
	}
	return durable.Load{Bytes: 4096 + o.audience.Bytes() + bytes + o.tables.Bytes(), Busy: busy || o.audience.Replaying() || o.audience.Owing() || o.tails.HasReader() || o.runs.Following(), Watched: o.watch.on}
}

func (o *Object) open(tx *durable.Tx, e durable.Opened) {
	o.tables.Open(tx, layout)
	o.vars, o.secrets = e.Vars, e.Secrets
	o.name = e.Name
	stored, begun := setting.Pair(tx, settingName, loss.Begun)
	if o.name == "" {
		o.name = stored
	} else if stored == "" {
		setting.Set(tx, settingName, o.name)
	}
	o.audience.Load(tx, o.drill.Load(tx, o.loadExpiries(tx, e.Conns)))
	o.dropCallsOfLostConnections(tx)
	o.scheduleExpiry(tx)
	if o.agent.Helper {
		if o.tails.Load(tx); o.tails.Paused() {
			o.loop.Pause()
		}
	}
	lost := loss.Of(tx, e.Lost, begun)
	o.quarantined = lost != durable.LostQuietly
	o.watch = watch{cause: causes[lost], opened: true}
	if o.quarantined {
		o.charge(tx, "the instance was lost: "+string(lost))
		o.giveUpRuns(tx)
	}
	if o.watchWork(tx); o.watch.on && !o.quarantined {
		o.watch.resumes = true
		return
	}
	o.resume(tx)
}

// resume has the work go on that was under way when the memory was lost.
func (o *Object) resume(tx *durable.Tx) {
	if o.agent.Helper {
		tx.Rearm()
	}
	o.runs.RewipeSlots(tx)
	o.runs.Resume(tx)
	if o.servers != nil {
		o.servers.Open(tx)
	}
	if t, ok := turn.Active(tx); ok {
		o.audience.ReopenOffers(t.Request)
		o.viewers = viewersOf(tx, t)
		o.viewers.replayed = o.audience.All() // it is not known which were sent a replay, so all count
		o.loop.ResumeTurn(tx, t, loop.Lost{Cause: o.watch.cause, Quarantined: o.quarantined, Place: o.watch.charged})
	} else {
		admission.ChargeNextTurn(tx, o.quarantined, o.watch.cause)
	}
	if o.mcpServer != nil {
		o.mcpServer.Open(tx, o.quarantined)
	}
	o.startNext(tx)
}
