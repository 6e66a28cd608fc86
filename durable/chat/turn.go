package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// startTurn starts a turn. Its stream begins at once, before the model answers: from here on, a tab
// that connects finds a stream to attach to. Connections that may have missed something are sent
// the transcript first, because a client puts an answer behind the messages that it knows when the
// answer begins.
func (o *Object) startTurn(tx *durable.Tx, t turn.Turn, lost ...durable.ConnID) {
	if _, ok := message.Load(tx, t.Reply); t.Continues && !ok { // an earlier turn has cut off the message that this one continues
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
		o.startNext(tx)
		return
	}
	if t.Edits && !o.applyEdit(tx, t) { // somebody else waits for an answer to the message as it stands
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
		o.startNext(tx)
		return
	}
	if t.Log != 0 { // the turn begins at the end of the log, since an earlier turn may have run a call of the run
		t.First = stream.Next(tx, stream.ID(t.Log))
	}
	o.dequeue(tx, &t, turn.Running)
	setting.Delete(tx, settingTerminal) // the conversation no longer ends with the earlier failure
	if o.applyCut(tx, t) && len(lost) == 0 {
		lost = o.audience.All(t.Conn)
	}
	o.audience.SendTranscript(tx, lost...)
	o.offerToWaiting(tx, t)
	o.audience.PrepareStream(tx, t.Request, t.Conn)
	o.viewers = viewersOf(tx, t)
	o.audience.NoteAnswer(tx, o.loop.Begin(tx, t))
	stuck := loop.RetriesSpent(t) // either this turn crashes the instance or the next one, which then begins in another event
	o.quarantined = o.quarantined || stuck
	if text, ok := o.narrationOf(tx, t); ok {
		o.loop.Narrate(tx, text)
		return
	}
	if stuck {
		o.loop.Fail(tx, turn.ErrLost.Error())
		return
	}
	o.loop.Proceed(tx)
}

// newLoop returns the loop of the object's turns.
func (o *Object) newLoop() *loop.Loop {
	c := loop.Config{
		Class: o.agent.Name, Helper: o.agent.Helper, MaxSteps: o.agent.MaxSteps, Budget: o.agent.Budget,
		Runs: o.runs, Report: o.turnFact,
		Sockets:    o.listeners,
		Timeouts:   o.timeouts,
		Model:      func() (model.Model, error) { return o.model(o.vars, o.secrets) },
		Request:    func(tx *durable.Tx, t turn.Turn) model.Request { return o.promptOf(tx, t).Request(tx, t) },
		Prepare:    o.prepare,
		BeforeStep: o.beforeStep, BeforeCalls: o.beforeCalls, AfterStep: o.afterStep, OnError: o.onError,
		CheckResult: func(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
			defer o.actForCall(tx, call.ID)()
			return o.checkResult(tx, o.turnInfo, call, output, err)
		},
		TakeCallID: o.takeCallID,
		Tool: func(tx *durable.Tx, name string) loop.Tool {
			t, _ := o.tool(tx, name)
			described := loop.Tool{Client: t.Client, Approval: t.Approval}
			if isDescribed(t) {
				described.Describe = func(input json.RawMessage) (json.RawMessage, int64) { return describe(tx.Now, t, input) }
			}
			return described
		},
		Code: o.codeOf, Program: o.programOf,
		Asked: o.isOpen, Withdraw: o.withdrawOf,
	}
	return loop.New(c)
}

// unknownListeners is how many sockets a helper counts with: it does not know how many its root has.
const unknownListeners = 32

// listeners returns how many sockets see the words of a turn.
func (o *Object) listeners() int {
	if o.agent.Helper {
		return max(o.audience.Count(), unknownListeners)
	}
	return o.audience.Count()
}

// timeouts returns how long a model call may take.
func (o *Object) timeouts() (model.Timeouts, error) {
	a := o.agent
	return model.Settings{Vars: o.vars}.Timeouts(model.Timeouts{Call: a.ModelTimeout, Idle: a.ModelIdleTimeout, FirstByte: a.ModelFirstByteTimeout})
}

// codeOf returns the code of a tool call.
func (o *Object) codeOf(tx *durable.Tx, call turn.Call) (loop.Code, flow.Options) {
	tool, ok := o.tool(tx, call.Name)
	k, claims := o.taskOfTurn(tx), o.loop.Turn().Claims
	part, own := o.loop.Draft().Fold.Call(call.ID)
	if !own { // another turn may run a call that was approved
		p, _ := approval.Find(tx, call.ID)
		claims = p.Claims
	}
	approvedBy, shown := "", ""
	if !own || part.Approval != nil {
		answer, _ := approval.Remembered(tx, call.ID)
		approvedBy = answer.Person
		if author.Bind.Digest(tool) != "" { // a tool of a server, which may have changed since it was shown
			shown = host{o}.Shown(tx, call.ID, call.ID)
		}
	}
	return func(c *flow.Context) (json.RawMessage, error) {
		if !ok || tool.Run == nil {
			return nil, fmt.Errorf("there is no tool named %s", call.Name)
		}
		return tool.Run(o.context(c, author.Code{
			Call: call, Detached: k.Request.Detached, ApprovedBy: approvedBy, Shown: shown, Version: k.Request.Version, Claims: claims,
		}), call.Input)
	}, flow.Options{Inbox: k.Run}
}

// programOf returns the code of the agent's program, for the run that a turn works on, or the code
// of a job.
func (o *Object) programOf(tx *durable.Tx, t turn.Turn) (turn.Call, loop.Code, flow.Options) {
	if o.agent.Program == nil {
		return turn.Call{}, o.jobOf(tx, t), flow.Options{}
	}
	k, _ := task.OfTurn(tx, t.Seq)
	call := turn.Call{Input: k.Request.Input}
	return call, func(c *flow.Context) (json.RawMessage, error) {
		return o.agent.Program(o.context(c, author.Code{
			Call: call, Run: k.Run, Base: k.Request.Base, Detached: k.Request.Detached, Version: k.Request.Version, Claims: t.Claims,
		}), call.Input)
	}, flow.Options{Inbox: k.Run, Keep: true}
}

// Drop ends the running tools, in memory only. Otherwise their coroutines would wait for ever.
func (o *Object) Drop() {
	o.loop.Drop()
	if o.mcpServer != nil {
		o.mcpServer.Drop()
	}
}
