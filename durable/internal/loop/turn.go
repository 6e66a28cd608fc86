package loop

import (
	"cmp"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// activeTurn is the in-memory part of the active turn. Its log is in storage. All fields but those
// of the model call under way can be rebuilt from the log.
type activeTurn struct {
	turn  turn.Turn
	draft *reply.Draft
	// calledAt is when the model call began, and heardAt when bytes of its answer last came, whatever they
	// say, or 0 before the first. limits are how long the call may take.
	calledAt, heardAt int64
	limits            model.Timeouts
	// answered says that the provider has begun to answer the model call, or has kept silent.
	answered bool
	// again leaves out what the model call repeats of an earlier attempt.
	again again
	// gathered are words of the model that are not said yet. sayAt is when the timer ends at whose end
	// they are, or 0 if none runs. saidAt is when the model call under way last said something, or 0.
	// behind is how much longer words wait because the machine is behind.
	gathered              []model.Delta
	sayAt, saidAt, behind int64
	// unstored are the last chunks, which the event has said and not stored yet.
	unstored [][]byte
	// recovering says that browsers were told of an interruption.
	recovering bool
	// answer is the model's answer under way, or nil if there is no model call.
	answer model.Answer
	// call names the answer's fetch or timer.
	call string
	// code runs the turn instead of a model, and work is the call that it runs for. It is nil if a
	// model answers.
	work turn.Call
	code Code
	// options are what the routine of code is given.
	options flow.Options
	// step is the number of the current model call.
	step int
	// running are the active tool calls. approvedCalls are those of them that belong to an earlier
	// message and were approved later.
	running       []running
	approvedCalls []approval.Call
	// waiting is how many calls of the turn wait for a person or a browser.
	waiting int
	// replayed are the calls whose output is that of an earlier call.
	replayed map[string]bool
	// files are what calls show that are about to return, by the id of the call. takeFiles takes those of
	// the call that a chunk ends. It is nil if no call has any, so an application whose tools show none
	// carries no code for them.
	files     map[string][]protocol.Chunk
	takeFiles func(end protocol.Chunk) []protocol.Chunk
	// quarantine is the work that is retried in an event of its own, or nil.
	quarantine *quarantine
	// pausedCall says that the next model call, or the program, waits for the end of a pause. pausedTools
	// are the calls that do. finishing says that a model call has ended, and that it is not decided yet
	// what follows.
	pausedCall  bool
	pausedTools []turn.Call
	finishing   bool
	// renames are the names of properties that the model is told otherwise than its tools have them.
	renames model.Renames
	// preparing says that the next model call waits for what the model is told of.
	preparing bool
	// usage is the cost of the turn's model calls, runUsage the cost of its runs.
	usage    model.Usage
	runUsage run.Usage
	// summary and output are the results of a program.
	summary string
	output  json.RawMessage
	// failReason says for programs why the turn failed, or is "".
	failReason run.Reason
}

func (a *activeTurn) stream() stream.ID { return StreamOf(a.turn) }

// StreamOf returns the log of a turn.
func StreamOf(t turn.Turn) stream.ID { return stream.ID(cmp.Or(t.Log, t.Seq)) }

// newActiveTurn returns the in-memory part of a turn that has not said anything. Its message has
// the turn's id even if the chunk with the id is damaged.
func newActiveTurn(tx *durable.Tx, t turn.Turn) *activeTurn {
	m := protocol.Message{ID: t.Reply}
	a := &activeTurn{turn: t}
	if t.Continues {
		if stored, ok := message.Load(tx, t.Reply); ok {
			m = stored
		}
	}
	a.draft = reply.New(m, t.First)
	return a
}

// rebuildTurn rebuilds the in-memory part of a turn from its log.
func rebuildTurn(tx *durable.Tx, t turn.Turn) *activeTurn {
	a := newActiveTurn(tx, t)
	a.runUsage = run.Spent(tx, t.Seq)
	for c := range stream.All(tx, a.stream(), a.draft.Next) {
		a.draft.Apply(c.Body)
	}
	return a
}
