package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// MaxSteps is the number of model calls that one turn makes.
const MaxSteps = 10

// MaxOutput is the size of a tool's output in bytes.
const MaxOutput = 256 << 10

// Tool is something that the model can have called.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input.
	Schema json.RawMessage
	// When says by the deployment's variables whether the tool is offered. Nil means
	// always.
	When func(vars map[string]string) bool
	// Run is straight-line code over the journal: it may await, and is run again
	// over its journal when its instance is lost. Its error goes to the model.
	Run func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)
}

// running is a tool call that is under way.
type running struct {
	call    turn.Call
	routine *flow.Routine
}

// routineOf names a call's routine. A model's ids are its own, so the turn is part
// of the name.
func (l *live) routineOf(call turn.Call) string { return "call-" + l.key() + "-" + call.ID }

// toolsOffered is what the model is told of the agent's tools.
func (h *Host) toolsOffered() []model.Tool {
	var tools []model.Tool
	for _, t := range h.agent.Tools {
		if t.When == nil || t.When(h.vars) {
			tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
	}
	return tools
}

func (h *Host) tool(name string) (Tool, bool) {
	for _, t := range h.agent.Tools {
		if t.Name == name && (t.When == nil || t.When(h.vars)) {
			return t, true
		}
	}
	return Tool{}, false
}

// useTools starts calls side by side, or goes on with those that an earlier
// instance had started.
func (h *Host) useTools(tx *durable.Tx, calls []turn.Call) {
	l := h.live
	for _, call := range calls {
		code := func(c *flow.Context) (json.RawMessage, error) {
			tool, ok := h.tool(call.Name)
			if !ok {
				return nil, fmt.Errorf("there is no tool named %s", call.Name)
			}
			return tool.Run(&ToolContext{Context: c, host: h, call: call}, call.Input)
		}
		l.running = append(l.running, running{call: call, routine: flow.Start(tx, l.routineOf(call), code)})
	}
	h.collect(tx)
}

// resumeTools lets tools go on for which something has come, and collects.
func (h *Host) resumeTools(tx *durable.Tx) {
	if h.live == nil || len(h.live.running) == 0 {
		return
	}
	for _, r := range h.live.running {
		r.routine.Resume(tx)
	}
	h.collect(tx)
}

// collect journals and shows what tools have returned. When all of a step have,
// the model is asked again.
func (h *Host) collect(tx *durable.Tx) {
	l := h.live
	var still []running
	for _, r := range l.running {
		output, err, done := r.routine.Done()
		if !done {
			still = append(still, r)
			continue
		}
		h.endCall(tx, r.call, output, err)
	}
	l.running = still
	if len(still) > 0 {
		return
	}
	h.emit(tx, protocol.Chunk{Type: protocol.ChunkFinishStep}, protocol.Chunk{Type: protocol.ChunkStartStep})
	l.step++
	turn.Attempt(tx, &l.turn, 0)
	h.ask(tx)
}

// endCall journals a call's end and shows it.
func (h *Host) endCall(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) {
	l := h.live
	switch {
	case err != nil:
	case !json.Valid(output):
		err = fmt.Errorf("the tool returned no JSON")
	case len(output) > MaxOutput:
		err = fmt.Errorf("the tool returned %d bytes, at most %d", len(output), MaxOutput)
	case l.fold.Bytes()+len(output) > MaxAnswer:
		err = fmt.Errorf("the tool returned %d bytes, more than the message has room for", len(output))
	}
	chunk := protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: call.ID, Output: output}
	if err != nil {
		output = nil
		chunk = protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call.ID, ErrorText: err.Error()}
		call.Failure = err.Error()
	}
	call.Output = output
	turn.EndCall(tx, l.turn, call)
	flow.Forget(tx, l.routineOf(call))
	h.emit(tx, chunk)
}

// dropTools stops what is under way and gives every open call an end, since a
// client would try to answer one that it finds open.
func (h *Host) dropTools(tx *durable.Tx, reason string) {
	l := h.live
	for _, r := range l.running {
		r.routine.Stop()
		flow.Forget(tx, l.routineOf(r.call))
		for _, below := range run.AwaitedBy(tx, l.routineOf(r.call)) {
			h.stopRun(tx, below, reason)
		}
	}
	l.running = nil
	for _, id := range l.fold.OpenCalls() {
		h.emit(tx, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: reason})
	}
}
