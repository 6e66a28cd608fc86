package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about helpers that are not chat agents. A program replaces the model in a turn. The
// turn, its log and its readers are the same.

// Program is straight-line code over the journal that a helper runs instead of asking a model. It
// gets the run's input as JSON and returns JSON. A returned text is the run's summary, and anything
// else is its output. Its error fails the run.
type Program func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)

// runProgram starts the active turn's program, or continues it from its journal.
func (o *Object) runProgram(tx *durable.Tx) {
	a := o.active
	k, _ := task.OfTurn(tx, a.turn.Seq)
	call := turn.Call{Input: k.Request.Input}
	code := func(c *flow.Context) (json.RawMessage, error) {
		return o.agent.Program(&ToolContext{Context: c, object: o, call: call, run: k.Run, detached: k.Request.Detached, runs: map[int]int{}}, call.Input)
	}
	a.running = []running{{call: call, routine: flow.Start(tx, a.routineOf(call), "the program "+o.agent.Class, code)}}
	o.collectResults(tx)
}

// endProgram ends the active turn as soon as its program has returned.
func (o *Object) endProgram(tx *durable.Tx) {
	a := o.active
	r := a.running[0]
	result, err, done := r.routine.Done()
	if !done {
		o.awaitTools(tx)
		return
	}
	a.running = nil
	flow.Forget(tx, a.routineOf(r.call))
	if err == nil {
		err = o.takeResult(tx, result)
	}
	if err != nil {
		o.endTurn(tx, turn.Failed, err.Error())
		return
	}
	o.emit(tx, append(a.draft.Chunks([]model.Delta{model.Finished{}}), reply.EndChunks(model.Stop, a.spent())...)...)
	o.endTurn(tx, turn.Completed, "")
}

// takeResult stores what a program has returned. A text is also said, in a part of its own.
func (o *Object) takeResult(tx *durable.Tx, result json.RawMessage) error {
	a := o.active
	var text string
	switch {
	case len(result) > MaxOutput:
		return fmt.Errorf("the program returned %d bytes, at most %d", len(result), MaxOutput)
	case protocol.Check(result) != nil:
		return fmt.Errorf("the program returned no JSON that can be shown: %w", protocol.Check(result))
	case string(result) == "null":
		return nil
	case json.Unmarshal(result, &text) != nil:
		a.output = result
		return nil
	}
	o.emit(tx, a.draft.Chunks([]model.Delta{model.Finished{}})...)
	a.summary = text
	return o.say(tx, text)
}

// Say adds to the text that the helper's conversation and its parent's panel show while a program
// works. Only a program can use it: a tool's words are its output.
func (c *ToolContext) Say(text string) error {
	_, err := flow.Step(c, "say", func(tx *durable.Tx) (any, error) { return nil, c.object.say(tx, text) })
	return err
}

func (o *Object) say(tx *durable.Tx, text string) error {
	a := o.active
	switch {
	case o.agent.Program == nil:
		return errors.New("only a program can say something: a tool's words are its output")
	case a.draft.AnswerBytes()+len(text) > MaxAnswer:
		return fmt.Errorf("the program has said all that its message has room for, %d bytes", MaxAnswer)
	case text != "":
		o.emit(tx, a.draft.Chunks([]model.Delta{model.TextDelta{Text: text}})...)
	}
	return nil
}
