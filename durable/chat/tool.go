package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The sizes of what tools return, in bytes.
const (
	// MaxOutput is that of one output.
	MaxOutput = limit.Output
	// MaxOutputs is that of all outputs and errors of one turn. Its message is compacted where
	// they do not fit into it.
	MaxOutputs = limit.Outputs
)

// Tool is something that the model can have called.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input, Output the one that the output has to fit,
	// or nil.
	Schema, Output json.RawMessage
	// When says by the deployment's variables whether the tool is offered. Nil means
	// always.
	When func(vars map[string]string) bool
	// Approval says whether a person has to approve a call with this input before it
	// runs. Nil means never. It decides by the input alone.
	Approval func(input json.RawMessage) bool
	// Client says that the browser runs the tool, and Run is not used.
	Client bool
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

// toolsOffered is what the model is told of the tools.
func (h *Host) toolsOffered(tx *durable.Tx) []model.Tool {
	var tools []model.Tool
	for _, t := range h.toolsAtHand(tx) {
		if !slices.ContainsFunc(tools, func(have model.Tool) bool { return have.Name == t.Name }) {
			tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
	}
	return tools
}

// toolsAtHand are the agent's tools, and behind them those of the browser.
func (h *Host) toolsAtHand(tx *durable.Tx) []Tool {
	var tools []Tool
	for _, t := range h.agent.Tools {
		if t.When == nil || t.When(h.vars) {
			tools = append(tools, t)
		}
	}
	return append(tools, browserTools(tx)...)
}

func (h *Host) tool(tx *durable.Tx, name string) (Tool, bool) {
	tools := h.toolsAtHand(tx)
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return tools[i], true
}

// useTools starts calls side by side, or goes on with those that an earlier
// instance had started.
func (h *Host) useTools(tx *durable.Tx, calls []turn.Call) {
	for _, call := range calls {
		h.useTool(tx, call)
	}
	h.collect(tx)
}

// useTool starts a call, unless it waits for somebody or was answered.
func (h *Host) useTool(tx *durable.Tx, call turn.Call) {
	tool, _ := h.tool(tx, call.Name)
	part, _ := h.live.fold.Call(call.ID)
	switch {
	case part.State == protocol.OutputDenied:
		call.Failure = deniedText
		turn.EndCall(tx, h.live.turn, call)
	case !part.Open():
		call.Output, call.Failure = part.Output, part.ErrorText
		turn.EndCall(tx, h.live.turn, call)
	case part.State == protocol.ApprovalRequested, tool.Client:
	case part.State == protocol.InputAvailable && tool.Approval != nil && tool.Approval(call.Input):
		h.emit(tx, protocol.Chunk{Type: protocol.ChunkToolApproval, ApprovalID: call.ID, ToolCallID: call.ID})
	default:
		h.startTool(tx, call)
	}
}

func (h *Host) startTool(tx *durable.Tx, call turn.Call) {
	tool, ok := h.tool(tx, call.Name)
	detached := h.detached(tx)
	code := func(c *flow.Context) (json.RawMessage, error) {
		if !ok || tool.Run == nil {
			return nil, fmt.Errorf("there is no tool named %s", call.Name)
		}
		return tool.Run(&ToolContext{Context: c, host: h, call: call, detached: detached, runs: map[int]int{}}, call.Input)
	}
	l := h.live
	l.running = append(l.running, running{call: call, routine: flow.Start(tx, l.routineOf(call), "the tool "+call.Name, code)})
}

// isRunning says whether a call's tool is under way.
func (l *live) isRunning(call string) bool {
	return slices.ContainsFunc(l.running, func(r running) bool { return r.call.ID == call })
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

// collect journals and shows what tools have returned. When all of a step have, the
// model is asked again; where calls wait for somebody, the turn ends for now.
func (h *Host) collect(tx *durable.Tx) {
	if h.agent.Program != nil {
		h.endProgram(tx)
		return
	}
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
	switch {
	case len(still) > 0:
		h.waitOn(tx)
	case len(l.owed) > 0:
		l.owed = nil
		h.ask(tx)
	case len(l.fold.OpenCalls()) > 0:
		h.pause(tx)
	default:
		h.afterStep(tx)
		h.emit(tx, protocol.Chunk{Type: protocol.ChunkFinishStep}, protocol.Chunk{Type: protocol.ChunkStartStep})
		l.step++
		turn.Advance(tx, &l.turn)
		h.ask(tx)
	}
}

// endCall journals a call's end and shows it.
func (h *Host) endCall(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) {
	l := h.live
	output, err = h.judge(tx, h.turnInfo, call, output, err)
	chunk := l.bounded(ended(call.ID, output, err))
	flow.Forget(tx, l.routineOf(call))
	if a, owed := l.owes(call.ID); owed {
		h.endOwed(tx, a, chunk)
		return
	}
	call.Output, call.Failure = chunk.Output, chunk.ErrorText
	turn.EndCall(tx, l.turn, call)
	h.emit(tx, chunk)
}

// bounded refuses an output where the tools of the turn have returned too much already.
func (l *live) bounded(c protocol.Chunk) protocol.Chunk {
	if l.fold.Outputs()+len(c.Output)+len(c.ErrorText) <= MaxOutputs {
		return c
	}
	return ended(c.ToolCallID, nil, fmt.Errorf("the tools of this turn have returned all that they may, %d bytes", MaxOutputs))
}

// checkOutput says what is wrong with a tool's output.
func (h *Host) checkOutput(tx *durable.Tx, name string, output json.RawMessage) error {
	if len(output) > MaxOutput {
		return fmt.Errorf("the tool returned %d bytes, at most %d", len(output), MaxOutput)
	}
	if err := protocol.Check(output); err != nil {
		return fmt.Errorf("the tool returned no JSON that can be shown: %w", err)
	}
	if tool, _ := h.tool(tx, name); tool.Output != nil {
		return run.Fit(tool.Output, output)
	}
	return nil
}

// dropTools stops what is under way and gives every open call an end, since a
// client would try to answer one that it finds open.
func (h *Host) dropTools(tx *durable.Tx, reason string) {
	l := h.live
	h.stopRuns(tx, reason)
	for _, r := range l.running {
		r.routine.Stop(tx)
	}
	l.running = nil
	h.forgetApart(tx)
	for _, a := range l.owed {
		h.endOwed(tx, a, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: a.call, ErrorText: reason})
	}
	for _, id := range l.fold.OpenCalls() {
		h.emit(tx, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: reason})
	}
}
