package loop

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// runProgram starts the active turn's program, or continues it from its journal.
func (l *Loop) runProgram(tx *durable.Tx) {
	a := l.active
	a.options.Observe = l.showStep
	a.running = []running{{call: a.work, routine: flow.Start(tx, a.routineOf(a.work), "the program "+l.config.Class, a.code, a.options)}}
	l.collectResults(tx)
}

// endProgram ends the active turn as soon as its program has returned.
func (l *Loop) endProgram(tx *durable.Tx) {
	a := l.active
	r := a.running[0]
	result, err, done := r.routine.Done()
	if !done {
		l.awaitTools(tx)
		return
	}
	a.running = nil
	flow.Retire(tx, a.routineOf(r.call))
	if err == nil {
		err = l.takeResult(tx, result)
	}
	if err != nil {
		l.endTurn(tx, turn.Failed, err.Error())
		return
	}
	l.emit(tx, append(a.draft.Chunks([]model.Delta{model.Finished{}}), reply.EndChunks(model.Stop, a.spent())...)...)
	l.endTurn(tx, turn.Completed, "")
}

// takeResult stores what a program has returned. A text is also said, in a part of its own.
func (l *Loop) takeResult(tx *durable.Tx, result json.RawMessage) error {
	a := l.active
	var text string
	switch {
	case len(result) > limit.Output:
		return fmt.Errorf("the program returned %d bytes, at most %d", len(result), limit.Output)
	case protocol.Check(result) != nil:
		return fmt.Errorf("the program returned no JSON that can be shown: %w", protocol.Check(result))
	case string(result) == "null":
		return nil
	case json.Unmarshal(result, &text) != nil:
		a.output = result
		return nil
	}
	l.emit(tx, a.draft.Chunks([]model.Delta{model.Finished{}})...)
	a.summary = text
	return l.Say(tx, text)
}

// Say adds to the text that a program has said.
func (l *Loop) Say(tx *durable.Tx, text string) error {
	a := l.active
	switch {
	case a.code == nil:
		return errors.New("only a program can say something: a tool's words are its output")
	case a.draft.AnswerBytes()+len(text) > limit.Answer:
		return fmt.Errorf("the program has said all that its message has room for, %d bytes", limit.Answer)
	case text != "":
		l.emit(tx, a.draft.Chunks([]model.Delta{model.TextDelta{Text: text}})...)
	}
	return nil
}
