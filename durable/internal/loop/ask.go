package loop

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about code that asks a person. A question is a part of its own in the message of the
// active turn. In a helper the turn stays active, because it is a run of the parent, or a person is
// in the helper's conversation and sees it. At the root the turn ends when its code waits for
// nothing but persons, and the code stays in its rows.

// Ask shows a question in the message of the active turn. call is the call whose code asks, or ""
// for a program. A form waits for a value, and any other question for yes or no.
func (l *Loop) Ask(tx *durable.Tx, id, call string, input json.RawMessage, form bool) error {
	a := l.active
	if a.draft.AnswerBytes()+len(input) > limit.Answer {
		return errors.New("the message has no room for the question")
	}
	chunks := append(a.draft.Chunks([]model.Delta{model.Finished{}}),
		protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: id, ToolName: protocol.AskTool, Input: input, Provider: protocol.Caller(call)})
	if !form {
		chunks = append(chunks, protocol.Chunk{Type: protocol.ChunkToolApproval, ApprovalID: id, ToolCallID: id})
	}
	l.emit(tx, chunks...)
	return nil
}

// Show shows chunks in the message of the active turn, behind what the model has said.
func (l *Loop) Show(tx *durable.Tx, chunks ...protocol.Chunk) {
	l.emit(tx, append(l.active.draft.Chunks([]model.Delta{model.Finished{}}), chunks...)...)
}

// WasReplayed says whether what a call returns is the result of an earlier call.
func (l *Loop) WasReplayed(call string) bool { return l.active.replayed[call] }

// Shows says whether the active turn's message is the one with an id.
func (l *Loop) Shows(message string) bool { return l.active != nil && l.active.turn.Reply == message }

// Runs says whether a routine runs in the active turn.
func (l *Loop) Runs(routine string) bool {
	return l.active != nil && slices.ContainsFunc(l.active.running, func(r running) bool { return r.routine.ID() == routine })
}

// openCalls returns the open calls of the turn's message that the model has made.
func (a *activeTurn) openCalls() []string {
	return slices.DeleteFunc(a.draft.Fold.OpenCalls(), func(id string) bool {
		part, _ := a.draft.Fold.Call(id)
		return part.MadeByCode()
	})
}

// AwaitsAnswers returns the calls of the active turn that wait for a person or a browser beside its
// running code.
func (l *Loop) AwaitsAnswers() []string {
	return slices.DeleteFunc(l.active.openCalls(), l.active.isRunning)
}

// suspendCode ends the running code in memory, if all of it waits for persons and for nothing else, and
// says whether it did so. A later turn goes on with it.
func (l *Loop) suspendCode(tx *durable.Tx) bool {
	a := l.active
	if l.config.Helper || slices.ContainsFunc(a.running, func(r running) bool { return !r.routine.WaitsForPeople() }) {
		return false
	}
	l.Flush(tx)
	for _, r := range a.running {
		c := approval.Call{ID: r.call.ID, Message: a.turn.Reply, Routine: r.routine.ID(), Claims: a.turn.Claims, History: string(a.turn.NextHistory())}
		if i := a.approvedAt(c.ID); i >= 0 {
			p := &a.approvedCalls[i]
			c.Message, c.Run, p.Routine = p.Message, p.Run, c.Routine
		}
		approval.Suspend(tx, c)
		r.routine.Drop()
	}
	a.running = nil
	return true
}

// Flush stores at the end of an event what has become of code of a model.
func (l *Loop) Flush(tx *durable.Tx) {
	if l.active == nil {
		return
	}
	for _, r := range l.active.running {
		r.routine.Flush(tx, l.paused)
	}
}
