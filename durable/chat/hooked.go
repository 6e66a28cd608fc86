package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file calls the agent's hooks. One that panics is a bug like any other: it traps,
// and the event is rolled back.

// maxWords bounds what a hook has people told of an error, in bytes.
const maxWords = 4 << 10

func (h *Host) conversation(tx *durable.Tx) *Conversation { return &Conversation{host: h, tx: tx} }

func (h *Host) turnInfo(tx *durable.Tx) TurnInfo {
	l := h.live
	k, _ := taskOf(tx, l.turn.Seq)
	return TurnInfo{Request: l.turn.Request, Conn: l.turn.Conn, Submission: l.turn.Submission, Run: k.run, Step: l.step}
}

// turnInfo says for which turn a hook is called, when it is.
type turnInfo func(tx *durable.Tx) TurnInfo

// complainOf logs what a hook says that can change nothing.
func complainOf(tx *durable.Tx, hook string, err error) {
	if err != nil {
		tx.Log(durable.Error, "a hook failed", "hook", hook, "error", err.Error())
	}
}

// beforeStep lets a hook have its say about a request to the model.
func (h *Host) beforeStep(tx *durable.Tx, r *model.Request) error {
	hook := h.agent.Hooks.BeforeStep
	if hook == nil {
		return nil
	}
	return hook(h.conversation(tx), &StepRequest{TurnInfo: h.turnInfo(tx), Attempt: h.live.turn.Attempt, Request: r})
}

// beforeCalls lets a hook have its say about the calls among a model's deltas, whose
// inputs it may replace. It returns the chunks that refuse some.
func (h *Host) beforeCalls(tx *durable.Tx, deltas []model.Delta) []protocol.Chunk {
	var refusals []protocol.Chunk
	for i, d := range deltas {
		call, ok := d.(model.ToolCall)
		if !ok || h.agent.Hooks.BeforeCall == nil {
			continue
		}
		input, err := h.beforeCall(tx, call)
		if err != nil {
			refusals = append(refusals, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call.ID, ErrorText: wordsOf(err, "the call was refused")})
			continue
		}
		call.Input = input
		deltas[i] = call
	}
	return refusals
}

func (h *Host) beforeCall(tx *durable.Tx, call model.ToolCall) (json.RawMessage, error) {
	info := ToolCall{TurnInfo: h.turnInfo(tx), ID: call.ID, Name: call.Name, Input: call.Input}
	if err := h.agent.Hooks.BeforeCall(h.conversation(tx), &info); err != nil {
		tx.Log(durable.Warn, "a call was refused", "call", call.ID, "tool", call.Name, "error", err.Error())
		return nil, err
	}
	if protocol.Check(info.Input) != nil || info.Input[0] != '{' || len(info.Input) > MaxInput {
		complainOf(tx, "BeforeCall", fmt.Errorf("the input that it gave to %s is no JSON object of at most %d bytes", call.Name, MaxInput))
		return nil, errors.New("the call was given an input that it cannot have")
	}
	return info.Input, nil
}

// judge says what has come of a call: the output that will do, or why there is none.
func (h *Host) judge(tx *durable.Tx, in turnInfo, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
	if err == nil {
		err = h.checkOutput(tx, call.Name, output)
	}
	if h.agent.Hooks.AfterCall != nil {
		output, err = h.afterCall(tx, in(tx), call, output, err)
		if err == nil {
			err = h.checkOutput(tx, call.Name, output)
		}
	}
	return output, err
}

// afterCall lets a hook have its say about what has come of a call.
func (h *Host) afterCall(tx *durable.Tx, in TurnInfo, call turn.Call, output json.RawMessage, err error) (json.RawMessage, error) {
	info := ToolCall{TurnInfo: in, ID: call.ID, Name: call.Name, Input: call.Input, Output: output}
	if err != nil {
		info.Failure, info.Output = cmp.Or(err.Error(), "it failed"), nil
	}
	if failed := h.agent.Hooks.AfterCall(h.conversation(tx), &info); failed != nil {
		complainOf(tx, "AfterCall", failed)
		return output, err
	}
	if info.Failure != "" {
		return nil, errors.New(info.Failure)
	}
	return info.Output, nil
}

// afterStep tells a hook of the step that the live turn has just made.
func (h *Host) afterStep(tx *durable.Tx) {
	hook := h.agent.Hooks.AfterStep
	if hook == nil {
		return
	}
	steps := turn.Steps(tx, h.live.turn)
	if len(steps) == 0 {
		return
	}
	s, info := steps[len(steps)-1], h.turnInfo(tx)
	result := StepResult{TurnInfo: info, Text: s.Text, Finish: model.FinishReason(s.Finish), Usage: model.Usage{Input: s.InputTokens, Output: s.OutputTokens}}
	for _, c := range h.live.wanted {
		part, _ := h.live.fold.Call(c.ID)
		c.Output, c.Failure = part.Output, part.ErrorText
		result.Calls = append(result.Calls, callOf(info, c))
	}
	complainOf(tx, "AfterStep", hook(h.conversation(tx), result))
}

func callOf(info TurnInfo, c turn.Call) ToolCall {
	return ToolCall{TurnInfo: info, ID: c.ID, Name: c.Name, Input: c.Input, Output: c.Output, Failure: c.Failure}
}

// fatal says that giving the live turn up has taken the instance with it already. Then none of
// the author's code is called for that any more.
func (h *Host) fatal() bool {
	if h.live == nil {
		return false
	}
	spent := h.live.turn.Spent
	return spent.Stuck > turn.Limits.Stuck || spent.MemoryDeaths > turn.Limits.MemoryDeaths
}

// onError lets a hook shape what is told of the live turn's failure.
func (h *Host) onError(tx *durable.Tx, words string) string {
	hook := h.agent.Hooks.OnError
	if hook == nil || h.fatal() {
		return words
	}
	shaped := hook(h.conversation(tx), TurnError{TurnInfo: h.turnInfo(tx), Words: words})
	return cmp.Or(strings.ToValidUTF8(shaped[:min(len(shaped), maxWords)], ""), words)
}

// repaired is what the model is told of a call that was interrupted, or nil.
func (h *Host) repaired(tx *durable.Tx, c turn.Call) json.RawMessage {
	hook := h.agent.Hooks.Repair
	if hook == nil {
		return nil
	}
	result := hook(h.conversation(tx), callOf(h.turnInfo(tx), c))
	switch {
	case result == nil:
		return nil
	case protocol.Check(result) != nil, len(result) > MaxOutput:
		complainOf(tx, "Repair", fmt.Errorf("the result that it gave to %s is no JSON of at most %d bytes", c.Name, MaxOutput))
		return nil
	}
	return result
}
