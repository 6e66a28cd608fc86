package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file calls the agent's hooks. A hook that panics traps, and its event is rolled back, as for
// any other bug.

func (o *Object) turnInfo(tx *durable.Tx) agent.TurnInfo {
	t := o.loop.Turn()
	k, _ := task.OfTurn(tx, t.Seq)
	return agent.TurnInfo{Request: t.Request, Conn: t.Conn, Submission: t.Submission, Run: k.Run, Step: o.loop.Step(), Claims: claimsOf(t.Claims)}
}

// turnInfo returns the turn for which a hook is called. It is called only if the hook is.
type turnInfo func(tx *durable.Tx) agent.TurnInfo

// logHookError logs the error of a hook that has no other effect.
func logHookError(tx *durable.Tx, hook string, err error) {
	if err != nil {
		tx.Log(durable.Error, "a hook failed", "hook", hook, "error", err.Error())
	}
}

// beforeStep calls the hook for a request to the model. The code of this event may have cancelled the
// turn.
func (o *Object) beforeStep(tx *durable.Tx, r *model.Request) error {
	t := o.loop.Turn()
	if hook := o.agent.Hooks.BeforeStep; hook != nil {
		defer o.actForTurn()()
		if err := hook(o.conversation(tx), &agent.StepRequest{TurnInfo: o.turnInfo(tx), Attempt: t.Attempt, Request: r}); err != nil {
			return err
		}
	}
	if slices.Contains(o.agenda.cancel, t.Seq) {
		return loop.ErrCancelled
	}
	return nil
}

// beforeCalls calls the hook for the calls among a model's deltas. The hook may replace their
// inputs. beforeCalls returns the chunks of the calls that the hook refuses, or whose tools
// require scopes that the turn does not have.
func (o *Object) beforeCalls(tx *durable.Tx, deltas []model.Delta) []protocol.Chunk {
	defer o.actForTurn()()
	var refusals []protocol.Chunk
	for i, d := range deltas {
		call, ok := d.(model.ToolCall)
		if !ok {
			continue
		}
		input, err := call.Input, error(nil)
		if o.agent.Hooks.BeforeCall != nil {
			input, err = o.beforeCall(tx, call)
		}
		if err == nil {
			err = o.lacksScope(tx, call)
		}
		if err != nil {
			refusals = append(refusals, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call.ID, ErrorText: reply.ErrorText(err, "the call was refused")})
			continue
		}
		call.Input = input
		deltas[i] = call
	}
	return refusals
}

func (o *Object) beforeCall(tx *durable.Tx, call model.ToolCall) (json.RawMessage, error) {
	info := agent.ToolCall{TurnInfo: o.turnInfo(tx), ID: call.ID, Name: call.Name, Input: call.Input}
	if err := o.agent.Hooks.BeforeCall(o.conversation(tx), &info); err != nil {
		tx.Log(durable.Warn, "a call was refused", "call", call.ID, "tool", call.Name, "error", err.Error())
		return nil, err
	}
	if protocol.Check(info.Input) != nil || info.Input[0] != '{' || len(info.Input) > limit.RunInput {
		logHookError(tx, "BeforeCall", fmt.Errorf("the input that it gave to %s is no JSON object of at most %d bytes", call.Name, limit.RunInput))
		return nil, errors.New("the call was given an input that it cannot have")
	}
	return info.Input, nil
}

// checkResult returns the output of a call if the tool's schema and the hook accept it, and
// otherwise the error that replaces it.
func (o *Object) checkResult(tx *durable.Tx, in turnInfo, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
	return o.checked(tx, in, call, output, err, func(output json.RawMessage) error { return o.checkOutput(tx, call.Name, output) })
}

// checked is [Object.checkResult] for a tool whose output is checked by a function.
func (o *Object) checked(tx *durable.Tx, in turnInfo, call turn.Call, output json.RawMessage, err error, fits func(json.RawMessage) error) (json.RawMessage, error) {
	if err == nil {
		err = fits(output)
	}
	if o.agent.Hooks.AfterCall != nil {
		output, err = o.afterCall(tx, in(tx), call, output, err)
		if err == nil {
			err = fits(output)
		}
	}
	return output, err
}

// afterCall calls the hook for a call that has ended.
func (o *Object) afterCall(tx *durable.Tx, in agent.TurnInfo, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
	info := agent.ToolCall{TurnInfo: in, ID: call.ID, Name: call.Name, Input: call.Input, Output: output}
	if err != nil {
		info.Failure, info.Output = cmp.Or(err.Error(), "it failed"), nil
	}
	if failed := o.agent.Hooks.AfterCall(o.conversation(tx), &info); failed != nil {
		logHookError(tx, "AfterCall", failed)
		return output, err
	}
	if info.Failure != "" {
		return nil, errors.New(info.Failure)
	}
	return info.Output, nil
}

// afterStep calls the hook for the step that the active turn has just made. If s is nil, that is the
// last step of the turn's journal.
func (o *Object) afterStep(tx *durable.Tx, s *turn.Step) {
	hook := o.agent.Hooks.AfterStep
	if hook == nil {
		return
	}
	if s == nil {
		steps := turn.Steps(tx, o.loop.Turn())
		if len(steps) == 0 {
			return
		}
		s = &steps[len(steps)-1]
	}
	defer o.actForTurn()()
	info := o.turnInfo(tx)
	result := agent.StepResult{TurnInfo: info, Text: s.Text, Finish: model.FinishReason(s.Finish), Usage: model.Usage{Input: s.InputTokens, Output: s.OutputTokens}}
	for _, c := range o.loop.Draft().ToolCalls {
		part, _ := o.loop.Draft().Fold.Call(c.ID)
		c.Output, c.Failure = part.Output, part.ErrorText
		result.Calls = append(result.Calls, callOf(info, c))
	}
	logHookError(tx, "AfterStep", hook(o.conversation(tx), result))
}

func callOf(info agent.TurnInfo, c turn.Call) agent.ToolCall {
	return agent.ToolCall{TurnInfo: info, ID: c.ID, Name: c.Name, Input: c.Input, Output: c.Output, Failure: c.Failure}
}

// onError lets a hook change the error text of the active turn.
func (o *Object) onError(tx *durable.Tx, words string) string {
	hook := o.agent.Hooks.OnError
	if hook == nil || o.loop.EndingCrashes() {
		return words
	}
	defer o.actForTurn()()
	shaped := hook(o.conversation(tx), agent.TurnError{TurnInfo: o.turnInfo(tx), Words: words})
	return cmp.Or(strings.ToValidUTF8(shaped[:min(len(shaped), limit.HookWords)], ""), words)
}

// repaired is the model's result for a call that was interrupted, or nil.
func (o *Object) repaired(tx *durable.Tx, c turn.Call) json.RawMessage {
	defer o.actForTurn()()
	result := o.agent.Hooks.Repair(o.conversation(tx), callOf(o.turnInfo(tx), c))
	switch {
	case result == nil:
		return nil
	case protocol.Check(result) != nil, len(result) > limit.Output:
		logHookError(tx, "Repair", fmt.Errorf("the result that it gave to %s is no JSON of at most %d bytes", c.Name, limit.Output))
		return nil
	}
	return result
}

// promptOf returns what the requests of a turn are built from.
func (o *Object) promptOf(tx *durable.Tx, t turn.Turn) prompt.Builder {
	b := prompt.Builder{Instructions: o.agent.Instructions, Output: schemaOf(tx, t), History: o.agent.History}
	b.Tools = o.toolsOffered(tx)
	if o.servers != nil {
		b.Instructions += o.servers.Notice(tx)
	}
	if hook := o.agent.Hooks.Compact; hook != nil {
		b.Compact = func(left prompt.LeftOut) ([]model.Message, error) {
			defer o.actForTurn()()
			return hook(o.conversation(tx), agent.LeftOut{TurnInfo: o.turnInfo(tx), Messages: left.Messages, Tokens: left.Tokens, Earlier: left.Earlier})
		}
	}
	if o.agent.Hooks.Repair != nil {
		b.Repair = func(c turn.Call) json.RawMessage { return o.repaired(tx, c) }
	}
	return b
}

// refusedBy calls the hook before runs, and returns the reason if the hook refuses the run.
func (o *Object) refusedBy(tx *durable.Tx, hook agent.RunHook, r run.Run) run.Result {
	if hook == nil {
		return run.Result{}
	}
	defer o.actFor(r.Claims)()
	r.Status, r.BegunAt = run.Starting, tx.Now
	err := hook(o.conversation(tx), infoOf(r))
	if err == nil {
		return run.Result{}
	}
	tx.Log(durable.Warn, "a run was refused", "run", r.ID, "class", r.Class, "error", err.Error())
	return run.Result{Reason: run.Refused, Failure: err.Error()}
}

// callAfterRun calls the hook after runs. The run has ended even if the hook fails.
func (o *Object) callAfterRun(tx *durable.Tx, r run.Run) {
	if o.loop.EndingCrashes() {
		tx.Log(durable.Error, "the hook after a run was not called, since it may be what has trapped", "run", r.ID, "class", r.Class)
		return
	}
	o.callRunHook(tx, o.agent.AfterRun, "the hook after a run failed", r)
}

// callRunHook calls a hook with a run as it is stored. The caller's copy may come from a list, which
// leaves out the input.
func (o *Object) callRunHook(tx *durable.Tx, hook agent.RunHook, failed string, r run.Run) {
	if hook == nil {
		return
	}
	if whole, ok := run.Find(tx, r.ID); ok {
		r = whole
	}
	defer o.actFor(r.Claims)()
	if err := hook(o.conversation(tx), infoOf(r)); err != nil {
		tx.Log(durable.Error, failed, "run", r.ID, "class", r.Class, "error", err.Error())
	}
}
