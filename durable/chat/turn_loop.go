package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// newLoop returns the loop of the object's turns.
func (o *Object) newLoop() *loop.Loop {
	c := loop.Config{
		Class: o.agent.Name, MaxSteps: o.agent.MaxSteps, Budget: o.agent.Budget,
		ModelIdleTimeout: o.agent.ModelIdleTimeout, ModelTimeout: o.agent.ModelTimeout,
		Runs: o.runs, Report: o.turnFact,
		Model:      func() (model.Model, error) { return o.model(o.vars, o.secrets) },
		Request:    func(tx *durable.Tx, t turn.Turn) model.Request { return o.promptOf(tx, t).Request(tx, t) },
		BeforeStep: o.beforeStep, BeforeCalls: o.beforeCalls, AfterStep: o.afterStep, OnError: o.onError,
		CheckResult: func(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
			return o.checkResult(tx, o.turnInfo, call, output, err)
		},
		TakeCallID: o.takeCallID,
		Tool: func(tx *durable.Tx, name string) loop.Tool {
			t, _ := o.tool(tx, name)
			return loop.Tool{Client: t.Client, Approval: t.Approval}
		},
		Code: o.codeOf,
	}
	if o.agent.Program != nil {
		c.Program = o.programOf
	}
	return loop.New(c)
}

// codeOf returns the code of a tool call.
func (o *Object) codeOf(tx *durable.Tx, call turn.Call) loop.Code {
	tool, ok := o.tool(tx, call.Name)
	detached := o.detached(tx)
	return func(c *flow.Context) (json.RawMessage, error) {
		if !ok || tool.Run == nil {
			return nil, fmt.Errorf("there is no tool named %s", call.Name)
		}
		return tool.Run(o.context(c, author.Code{Call: call, Detached: detached}), call.Input)
	}
}

// programOf returns the code of the agent's program, for the run that a turn works on.
func (o *Object) programOf(tx *durable.Tx, t turn.Turn) (turn.Call, loop.Code) {
	k, _ := task.OfTurn(tx, t.Seq)
	call := turn.Call{Input: k.Request.Input}
	return call, func(c *flow.Context) (json.RawMessage, error) {
		return o.agent.Program(o.context(c, author.Code{Call: call, Run: k.Run, Detached: k.Request.Detached}), call.Input)
	}
}

// Drop ends the running tools, in memory only. Otherwise their coroutines would wait for ever.
func (o *Object) Drop() { o.loop.Drop() }
