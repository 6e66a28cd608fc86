package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about helpers that are no chat agents. A program stands in a turn where
// the model would; the turn, its log and everybody who reads that are the same.

// Program is straight-line code over the journal that a helper runs instead of asking a
// model. It gets what the run was asked, JSON; what it returns, JSON too, is what came
// of the run: a text is its summary, anything else its output. Its error fails the run.
type Program func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)

// runProgram starts the program for the live turn, or goes on with it over its journal.
func (h *Host) runProgram(tx *durable.Tx) {
	l := h.live
	k, _ := taskOf(tx, l.turn.Seq)
	call := turn.Call{Input: k.asked.Input}
	code := func(c *flow.Context) (json.RawMessage, error) {
		return h.agent.Program(&ToolContext{Context: c, host: h, call: call, run: k.run, detached: k.asked.Detached, runs: map[int]int{}}, call.Input)
	}
	l.running = []running{{call: call, routine: flow.Start(tx, l.routineOf(call), "the program "+h.agent.Class, code)}}
	h.collect(tx)
}

// endProgram settles the live turn as soon as its program has returned.
func (h *Host) endProgram(tx *durable.Tx) {
	l := h.live
	r := l.running[0]
	result, err, done := r.routine.Done()
	if !done {
		h.waitOn(tx)
		return
	}
	l.running = nil
	flow.Forget(tx, l.routineOf(r.call))
	if err == nil {
		err = h.takeResult(tx, result)
	}
	if err != nil {
		h.settle(tx, turn.Failed, err.Error())
		return
	}
	h.emit(tx, append(l.chunks([]model.Delta{model.Finished{}}), l.ends(model.Stop)...)...)
	h.settle(tx, turn.Completed, "")
}

// takeResult keeps what a program has returned. A text is said too, in a part of its
// own.
func (h *Host) takeResult(tx *durable.Tx, result json.RawMessage) error {
	l := h.live
	var text string
	switch {
	case len(result) > MaxOutput:
		return fmt.Errorf("the program returned %d bytes, at most %d", len(result), MaxOutput)
	case protocol.Check(result) != nil:
		return fmt.Errorf("the program returned no JSON that can be shown: %w", protocol.Check(result))
	case string(result) == "null":
		return nil
	case json.Unmarshal(result, &text) != nil:
		l.output = result
		return nil
	}
	h.emit(tx, l.chunks([]model.Delta{model.Finished{}})...)
	l.summary = text
	return h.say(tx, text)
}

// Say adds to what the helper's conversation and its parent's panel show of a program at
// work. Only programs can: a tool's words are its output.
func (c *ToolContext) Say(text string) error {
	_, err := flow.Step(c, "say", func(tx *durable.Tx) (any, error) { return nil, c.host.say(tx, text) })
	return err
}

func (h *Host) say(tx *durable.Tx, text string) error {
	l := h.live
	switch {
	case h.agent.Program == nil:
		return errors.New("only a program can say something: a tool's words are its output")
	case l.saidBytes()+len(text) > MaxAnswer:
		return fmt.Errorf("the program has said all that its message has room for, %d bytes", MaxAnswer)
	case text != "":
		h.emit(tx, l.chunks([]model.Delta{model.TextDelta{Text: text}})...)
	}
	return nil
}
