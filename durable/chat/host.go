package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/callback"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// host is the object as an author's code uses it. It implements [author.Object].
type host struct{ o *Object }

// conversation returns the conversation for a hook, a handler or a callback, within an event.
func (o *Object) conversation(tx *durable.Tx) *agent.Conversation {
	return author.Bind.Conversation(host{o}, tx).(*agent.Conversation)
}

// context returns the context of code that awaits.
func (o *Object) context(c *flow.Context, code author.Code) *agent.Context {
	return author.Bind.Context(host{o}, c, code).(*agent.Context)
}

// infoOf returns the public view of a run.
func infoOf(r run.Run) agent.RunInfo { return author.Bind.RunInfo(r).(agent.RunInfo) }

func (h host) Runs() *supervisor.Supervisor { return h.o.runs }

func (h host) Loop() *loop.Loop { return h.o.loop }

func (h host) Tails() *task.Tails { return h.o.tails }

func (h host) Var(name string) string { return h.o.vars[name] }

func (h host) HasSecret(name string) bool { return slices.Contains(h.o.secrets, name) }

func (h host) Path() string {
	if h.o.agent.Helper {
		return ""
	}
	return "/agents/" + protocol.Kebab(h.o.agent.Name) + "/" + h.o.name
}

func (h host) State(tx *durable.Tx) json.RawMessage { return stateOf(tx) }

func (h host) SetState(tx *durable.Tx, state json.RawMessage) { h.o.keepState(tx, state) }

func (h host) Acting(*durable.Tx) string { return h.o.acting() }

func (h host) ActFor(claims string) (until func()) { return h.o.actFor(claims) }

func (h host) Report(tx *durable.Tx, call string, p run.Progress) {
	if h.o.mcpServer != nil {
		h.o.mcpServer.Report(tx, call, p)
	}
}

func (h host) LogToClient(tx *durable.Tx, call, level string, data json.RawMessage) {
	if h.o.mcpServer != nil {
		h.o.mcpServer.Log(tx, call, level, data)
	}
}

func (h host) ClientCan(call, method string) bool {
	return h.o.mcpServer != nil && h.o.mcpServer.Can(call, method)
}

func (h host) Said(tx *durable.Tx) string {
	var text strings.Builder
	for _, body := range message.Transcript(tx) {
		if m, ok := message.Parse(tx, "", body); ok {
			fmt.Fprintf(&text, "%s: %s\n\n", m.Role, message.TextOf(m))
		}
	}
	return text.String()
}

func (h host) Pending(tx *durable.Tx) []run.Pending { return h.o.pending(tx) }

func (h host) Decide(tx *durable.Tx, v author.Verdict) author.Outcome { return h.o.decide(tx, v) }

func (h host) CheckCallback(name string) error {
	return h.o.callbacks().Check(name)
}

func (h host) KeepOnce() time.Duration { return h.o.agent.KeepOnce }

func (h host) FollowSchedules(tx *durable.Tx) { callback.Follow(tx) }

func (h host) Submit(tx *durable.Tx, r author.TurnRequest) (turn.Turn, bool, error) {
	return h.o.submit(tx, r)
}

func (h host) Notify(tx *durable.Tx, text, claims string) error { return h.o.notify(tx, text, claims) }

func (h host) Narrate(tx *durable.Tx, text string) error { return h.o.narrate(tx, text) }

func (h host) QueueJob(tx *durable.Tx, text string) error { return h.o.queueJob(tx, text) }

func (h host) Tool(name string) any {
	for _, t := range h.o.agent.Tools {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func (h host) Cancel(tx *durable.Tx, t turn.Turn) {
	if t.Status == turn.Queued {
		h.o.abort(tx, t)
		return
	}
	h.o.agenda.cancel = append(h.o.agenda.cancel, t.Seq)
}

func (h host) Answer(tx *durable.Tx, t turn.Turn) string {
	if h.o.loop.Has(t.Seq) {
		return message.TextOf(h.o.loop.Draft().Fold.Message())
	}
	m, _ := message.Load(tx, t.Reply)
	return message.TextOf(m)
}

func (h host) Emit(tx *durable.Tx, c author.Call, piece json.RawMessage) {
	audience.Send(tx, protocol.CallResult(c.ID, piece, false), c.Conn)
}

func (h host) CheckWait(tx *durable.Tx, c author.Call) error {
	return h.o.checkWait(tx, waitingCall{c.Conn, c.ID}, h.o.acting())
}

func (h host) Wait(tx *durable.Tx, c author.Call, t turn.Turn, streamed bool) {
	h.o.waitForTurn(tx, waitingCall{c.Conn, c.ID}, t, streamed)
}
