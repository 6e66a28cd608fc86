package chat

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about the calls that the code of a call makes. Each is a part of the message that has
// the call of the code: the active turn's message, or a stored one if the code was put away meanwhile.

// Limits of what a message shows of the calls of code.
const (
	// maxCodeParts is how many of them a message shows. Later ones run, and are not shown.
	maxCodeParts = 1_000
	// maxShown is the size of a shown input or output, in bytes, and roomForCode the size of a message
	// from which on only leastShown of each is shown.
	maxShown, leastShown, roomForCode = 32 << 10, 256, 700_000
)

// Tools implements [author.Object].
func (h host) Tools(tx *durable.Tx) any { return h.o.toolsAtHand(tx) }

// Vars implements [author.Object].
func (h host) Vars() map[string]string { return h.o.vars }

// ChangesCalls implements [author.Object].
func (h host) ChangesCalls() bool { return h.o.agent.Hooks.BeforeCall != nil }

// ChangeCall implements [author.Object].
func (h host) ChangeCall(tx *durable.Tx, call turn.Call) (json.RawMessage, error) {
	parent := call.ID[:max(strings.LastIndexByte(call.ID, '/'), 0)]
	defer h.o.actForCall(tx, parent)()
	return h.o.beforeCall(tx, model.ToolCall{ID: call.ID, Name: call.Name, Input: call.Input})
}

// ShowCall implements [author.Object].
func (h host) ShowCall(tx *durable.Tx, parent string, call turn.Call) {
	fold := h.o.foldOf(tx, parent)
	if len(fold.Calls()) >= maxCodeParts {
		return
	}
	h.o.show(tx, parent, shownCall(parent, call, shown(fold, call.Input)))
}

func shownCall(parent string, call turn.Call, input json.RawMessage) protocol.Chunk {
	return protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: call.ID, ToolName: call.Name, Input: input, Provider: protocol.Caller(parent)}
}

// shown returns an input or an output as it is shown in a message.
func shown(fold *protocol.Fold, value json.RawMessage) json.RawMessage {
	most := maxShown
	if fold.Bytes() > roomForCode {
		most = leastShown
	}
	return codemode.Cut(value, most)
}

// ReturnCall implements [author.Object].
func (h host) ReturnCall(tx *durable.Tx, parent string, call turn.Call, schema, output json.RawMessage, err error) (json.RawMessage, error) {
	o := h.o
	o.forgetApproval(tx, call.ID)
	defer o.actForCall(tx, parent)()
	output, err = o.checked(tx, o.turnInfo, call, output, err, func(output json.RawMessage) error { return o.fitsOutput(schema, output) })
	part, ok := o.foldOf(tx, parent).Call(call.ID)
	if !ok || !part.Open() {
		return output, err
	}
	c := reply.OutputChunk(call.ID, output, err)
	c.ErrorText = protocol.CutOff(c.ErrorText, limit.HookWords)
	if c.Output != nil {
		c.Output = shown(o.foldOf(tx, parent), c.Output)
	}
	if o.loop.WasReplayed(call.ID) && c.Type == protocol.ChunkToolOutput {
		c.Provider = protocol.Replayed
	}
	o.show(tx, parent, c)
	return output, err
}

// EndCall implements [author.Object].
func (h host) EndCall(tx *durable.Tx, parent string, call turn.Call, why string) {
	h.o.forgetApproval(tx, call.ID)
	if part, ok := h.o.foldOf(tx, parent).Call(call.ID); ok && part.Open() {
		h.o.show(tx, parent, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call.ID, ErrorText: protocol.CutOff(why, limit.HookWords)})
		h.o.storeChange(tx)
		h.o.showChange(tx)
	}
}

// EndCalls implements [author.Object].
func (h host) EndCalls(tx *durable.Tx, parent, why string) {
	for _, id := range h.o.foldOf(tx, parent).Calls() {
		if strings.HasPrefix(id, parent+"/") {
			h.EndCall(tx, parent, turn.Call{ID: id}, why)
		}
	}
}

// forgetApproval ends the question of a call that has ended without the answer: the tool was replaced
// meanwhile.
func (o *Object) forgetApproval(tx *durable.Tx, call string) {
	if q, ok := question.Find(tx, call); ok && q.Open() {
		question.Close(tx, call, "", 0)
		o.tails.QuestionsChanged(tx)
	}
}

// AskApproval implements [author.Object]. The question has the call's id.
func (h host) AskApproval(tx *durable.Tx, key flow.Key, parent string, call turn.Call, tool any) {
	o, t := h.o, tool.(agent.Tool)
	fold := o.foldOf(tx, parent)
	_, isShown := fold.Call(call.ID)
	claims := o.loop.Turn().Claims
	if question.Refusal(tx, claims) != nil || !isShown || fold.Bytes() > roomForCode || len(call.Input) > maxShown {
		flow.Complete(tx, key, nil, "a person has to approve this call, and the message has no room to show it")
		return
	}
	c, expires := protocol.Chunk{Type: protocol.ChunkToolApproval, ApprovalID: call.ID, ToolCallID: call.ID}, int64(0)
	if isDescribed(t) {
		if c.Descriptor, expires = describe(tx.Now, t, call.Input); expires > 0 {
			tx.Schedule(question.DueQuestion, call.ID, expires)
		}
	}
	o.show(tx, parent, c)
	question.Ask(tx, question.Question{ID: call.ID, Key: key, Message: o.messageOf(tx, parent), Scopes: t.ApproverScopes, Claims: claims})
	o.tails.QuestionsChanged(tx)
}

// Shown implements [author.Object].
func (h host) Shown(tx *durable.Tx, parent, call string) string {
	part, _ := h.o.foldOf(tx, parent).Call(call)
	return descriptorOf(part).Digest
}

// messageOf returns the id of the message that has a call of the active turn.
func (o *Object) messageOf(tx *durable.Tx, call string) string {
	if p, ok := o.elsewhere(tx, call); ok {
		return p.Message
	}
	return o.loop.Turn().Reply
}

// elsewhere returns the row of a call that the active turn runs and that an earlier message has.
func (o *Object) elsewhere(tx *durable.Tx, call string) (approval.Call, bool) {
	if o.loop.IsActive() {
		if _, own := o.loop.Draft().Fold.Call(call); own {
			return approval.Call{}, false
		}
	}
	return approval.Find(tx, call)
}

// foldOf returns the message that has a call of the active turn.
func (o *Object) foldOf(tx *durable.Tx, call string) *protocol.Fold {
	if p, ok := o.elsewhere(tx, call); ok {
		return o.foldIn(tx, p.Message)
	}
	return o.loop.Draft().Fold
}

// show adds a chunk to the message that has a call of the active turn.
func (o *Object) show(tx *durable.Tx, call string, c protocol.Chunk) {
	p, ok := o.elsewhere(tx, call)
	if !ok {
		o.loop.Show(tx, c)
		return
	}
	o.changing(tx, p.Message).Apply(c)
	o.change.made = o.change.stored
	o.appendToTaskLog(tx, p.Run, c)
}

// expiredWords says that nobody has answered a question whether a call may run.
func (o *Object) expiredWords(tx *durable.Tx, q question.Question) string {
	fold := o.foldIn(tx, q.Message)
	part, _ := fold.Call(q.ID)
	return unanswered(part)
}

// foldIn returns a message, which may be the active turn's.
func (o *Object) foldIn(tx *durable.Tx, id string) *protocol.Fold {
	if o.loop.Shows(id) {
		return o.loop.Draft().Fold
	}
	return o.changing(tx, id)
}
