package mcpserver

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file is about how a call is answered.

const (
	// patience is how long a request waits for an answer that is one JSON object.
	patience = 2_000
	// taskAge is how long a task is kept, and taskPoll how long a client should wait before it asks again.
	taskAge, taskPoll = 24 * 3_600_000, 1_000
)

// waiter is a request that waits for the answer to a call.
type waiter struct {
	from
	// timed says that its timer runs, and began that its answer is a stream. undrained is how much of
	// the stream its client has not taken, in bytes, and progress the last one that it was told.
	timed, began bool
	undrained    int
	progress     float64
	// given are answers that came with the request, to questions that were not asked yet.
	given mcp.InputResponses
}

func newWaiter(f from) *waiter { return &waiter{from: f, progress: -1, given: f.given} }

// reply sends the answer.
func (w *waiter) reply(tx *durable.Tx, k *call, status int, body []byte) {
	if w.began {
		tx.Do(durable.Emit{Stream: w.request, Data: mcp.AppendEvent(nil, "", body)}, durable.EndStream{Stream: w.request})
	} else {
		respond(tx, w.request, status, body)
	}
	w.leave(tx, k)
}

// leave takes the request from its call.
func (w *waiter) leave(tx *durable.Tx, k *call) {
	if w.timed && !w.began {
		tx.Do(durable.StopTimer{Timer: SlowTimer + k.id})
	}
	k.waiter = nil
}

// Flush implements [author.MCPServer].
func (p *Server) Flush(tx *durable.Tx) (ended bool) {
	for _, k := range slices.Clone(p.calls) {
		p.flush(tx, k)
	}
	before := len(p.calls)
	p.calls = slices.DeleteFunc(p.calls, func(k *call) bool { return k.over })
	p.watch(tx)
	return len(p.calls) < before
}

func (p *Server) flush(tx *durable.Tx, k *call) {
	if k.over {
		return
	}
	if output, err, done := k.routine.Done(); done {
		p.finish(tx, k, output, err)
		return
	}
	asks := len(k.asked) > 0 && k.routine.WaitsForPeople()
	if k.kind == ofSession {
		p.askClient(tx, k)
	} else if k.waiter != nil && p.becomesAtOnce(k, asks) {
		p.become(tx, k)
	}
	if asks && k.kind != ofSession {
		if p.takeGiven(tx, k) {
			p.flush(tx, k)
			return
		}
		p.ask(tx, k)
		return
	}
	if asks != (k.state == asking) {
		k.to(map[bool]state{true: asking, false: working}[asks])
	}
	if w := k.waiter; w != nil && !w.timed && !w.began {
		w.timed = true
		tx.Do(durable.StartTimer{Timer: SlowTimer + k.id, After: patience})
	}
	k.store(tx)
	if asks && k.waiter == nil {
		k.suspend()
	}
}

// store stores what has changed of a call that outlives its event.
func (k *call) store(tx *durable.Tx) {
	if k.stored && !k.changed {
		return
	}
	k.updated = tx.Now
	if !k.stored && k.kind == ofSession {
		tx.Schedule(dueExpiry, k.id, k.expires)
	}
	k.put(tx)
	k.stored, k.changed = true, false
}

// finish answers a call whose code has ended.
func (p *Server) finish(tx *durable.Tx, k *call, output json.RawMessage, failure error) {
	flow.Forget(tx, routineOf+k.id)
	p.close(tx, k, "nobody waits for it any more")
	k.routine = nil
	result, wrong := k.resultOf(output, failure)
	switch {
	case k.kind == ofSession:
		p.finishOfSession(tx, k, result, wrong)
		return
	case k.waiter != nil && wrong != nil:
		k.waiter.reply(tx, k, wrong.Status(k.waiter.caller.Version), mcp.EncodeError(k.waiter.id, wrong))
	case k.waiter != nil:
		k.waiter.reply(tx, k, 200, p.encode(k.waiter.id, k.waiter.caller.Version, result))
	default: // a task, or a call whose client has been asked and has not come back
		p.keep(tx, k, result, wrong)
		return
	}
	if k.stored {
		remove(tx, k.id)
	}
}

// keep stores the result of a call for its client to ask for.
func (p *Server) keep(tx *durable.Tx, k *call, result mcp.Result, wrong *mcp.Error) {
	k.to(completed)
	if k.result = json.RawMessage(bare(result)); wrong != nil {
		k.state, k.result = failed, json.RawMessage(mcp.EncodeError(mcp.ID{}, wrong))
	}
	k.message = ""
	k.store(tx)
	p.taskChanged(tx, k.row)
}

// bare returns a result as JSON without the message around it.
func bare(result mcp.Result) string {
	if result == nil {
		return ""
	}
	m, err := mcp.ParseMessage(mcp.EncodeResult(mcp.NumberID(1), mcp.Version, mcp.Info{}, result))
	if err != nil {
		return ""
	}
	return m.Result.JSON()
}

// resultOf returns what the code of a call has returned as its client is sent it.
func (k *call) resultOf(output json.RawMessage, err error) (mcp.Result, *mcp.Error) {
	if coded, ok := errors.AsType[interface {
		error
		ProtocolError() int64
	}](err); ok {
		return nil, &mcp.Error{Code: coded.ProtocolError(), Message: coded.Error()}
	}
	if k.method == mcp.MethodCallTool {
		return resultOf(output, err), nil
	}
	if err != nil {
		return nil, invalid(err.Error())
	}
	v, err := mcp.Parse(output)
	if err != nil {
		return nil, errorOf(err)
	}
	result, err := mcp.ParseOutcome(mcp.GetPrompt{}, mcp.ClientCapabilities{}, v)
	if err != nil {
		return nil, errorOf(err)
	}
	return result, nil
}

// slow answers a request that has waited for long: with questions if there are any, with a task if the
// client takes one, and otherwise with a stream.
func (p *Server) slow(tx *durable.Tx, k *call) {
	w := k.waiter
	if w == nil || w.began {
		return
	}
	w.timed = false
	switch {
	case len(k.asked) > 0 && k.kind != ofSession:
		p.ask(tx, k)
	case w.caller.Capabilities.Tasks && k.method == mcp.MethodCallTool:
		p.become(tx, k)
	default:
		p.stream(tx, k)
	}
}

// becomesAtOnce says whether a call that has not ended in its event becomes a task at once.
func (p *Server) becomesAtOnce(k *call, asks bool) bool {
	t, ok := p.tool(k.name)
	return ok && k.method == mcp.MethodCallTool && k.waiter.caller.Capabilities.Tasks && !k.waiter.began && (t.Long || t.OnlyTask && !asks)
}

// become makes a task of a call, and answers the request with it.
func (p *Server) become(tx *durable.Tx, k *call) {
	k.kind, k.expires = ofTask, tx.Now+taskAge
	k.to(k.state)
	tx.Schedule(dueExpiry, k.id, k.expires)
	k.store(tx)
	w := k.waiter
	w.reply(tx, k, 200, p.encode(w.id, w.caller.Version, mcp.TaskCreated{Task: k.task()}))
}
