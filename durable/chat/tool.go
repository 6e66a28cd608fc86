package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The sizes of what tools return, in bytes.
const (
	// MaxOutput is the size of one output.
	MaxOutput = limit.Output
	// MaxOutputs is the size of all outputs and errors of one turn. If they do not fit into the turn's
	// message, the message is compacted.
	MaxOutputs = limit.Outputs
)

// Tool is a function that the model can call.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input. Output is the JSON Schema that the output has to fit, or
	// nil.
	Schema, Output json.RawMessage
	// Enabled says by the deployment's variables whether the tool is offered. Nil means always.
	Enabled func(vars map[string]string) bool
	// Approval says whether a person has to approve a call with this input before it
	// runs. Nil means never. It decides by the input alone.
	Approval func(input json.RawMessage) bool
	// Client says that the browser runs the tool. Run is then not used.
	Client bool
	// Run is straight-line code over the journal. It may await, and is replayed over its journal after
	// its instance was lost. Its error goes to the model.
	Run func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)
}

// running is a tool call that is under way.
type running struct {
	call    turn.Call
	routine *flow.Routine
}

// routineOf names a call's routine. The ids of calls are chosen by the model, so the turn is part
// of the name.
func (a *activeTurn) routineOf(call turn.Call) string { return "call-" + a.key() + "-" + call.ID }

// toolsOffered returns the tools in the form that the model is sent.
func (o *Object) toolsOffered(tx *durable.Tx) []model.Tool {
	var tools []model.Tool
	for _, t := range o.toolsAtHand(tx) {
		if !slices.ContainsFunc(tools, func(have model.Tool) bool { return have.Name == t.Name }) {
			tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
	}
	return tools
}

// toolsAtHand returns the agent's tools, followed by those of the browser.
func (o *Object) toolsAtHand(tx *durable.Tx) []Tool {
	var tools []Tool
	for _, t := range o.agent.Tools {
		if t.Enabled == nil || t.Enabled(o.vars) {
			tools = append(tools, t)
		}
	}
	return append(tools, browserTools(tx)...)
}

func (o *Object) tool(tx *durable.Tx, name string) (Tool, bool) {
	tools := o.toolsAtHand(tx)
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return tools[i], true
}

// runTools starts calls side by side, or resumes calls that an earlier instance had started.
func (o *Object) runTools(tx *durable.Tx, calls []turn.Call) {
	for _, call := range calls {
		o.runTool(tx, call)
	}
	o.collectResults(tx)
}

// runTool starts a call, unless the call waits for somebody or is answered already.
func (o *Object) runTool(tx *durable.Tx, call turn.Call) {
	tool, _ := o.tool(tx, call.Name)
	part, _ := o.active.draft.Fold.Call(call.ID)
	switch {
	case part.State == protocol.OutputDenied:
		call.Failure = prompt.DeniedText
		turn.EndCall(tx, o.active.turn, call)
	case !part.Open():
		call.Output, call.Failure = part.Output, part.ErrorText
		turn.EndCall(tx, o.active.turn, call)
	case part.State == protocol.ApprovalRequested, tool.Client:
	case part.State == protocol.InputAvailable && tool.Approval != nil && tool.Approval(call.Input):
		o.emit(tx, protocol.Chunk{Type: protocol.ChunkToolApproval, ApprovalID: call.ID, ToolCallID: call.ID})
	default:
		o.startTool(tx, call)
	}
}

func (o *Object) startTool(tx *durable.Tx, call turn.Call) {
	tool, ok := o.tool(tx, call.Name)
	detached := o.detached(tx)
	code := func(c *flow.Context) (json.RawMessage, error) {
		if !ok || tool.Run == nil {
			return nil, fmt.Errorf("there is no tool named %s", call.Name)
		}
		return tool.Run(&ToolContext{Context: c, object: o, call: call, detached: detached, runs: map[int]int{}}, call.Input)
	}
	a := o.active
	a.running = append(a.running, running{call: call, routine: flow.Start(tx, a.routineOf(call), "the tool "+call.Name, code)})
}

// isRunning says whether a call's tool is under way.
func (a *activeTurn) isRunning(call string) bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.call.ID == call })
}

// resumeTools resumes the tools whose awaits are completed, and collects results.
func (o *Object) resumeTools(tx *durable.Tx) {
	if o.active == nil || len(o.active.running) == 0 {
		return
	}
	for _, r := range o.active.running {
		r.routine.Resume(tx)
	}
	o.collectResults(tx)
}

// collectResults journals and shows what tools have returned. When all tools of a step have
// returned, the model is called again. If calls wait for somebody, the turn ends for now.
func (o *Object) collectResults(tx *durable.Tx) {
	if o.agent.Program != nil {
		o.endProgram(tx)
		return
	}
	a := o.active
	var still []running
	for _, r := range a.running {
		output, err, done := r.routine.Done()
		if !done {
			still = append(still, r)
			continue
		}
		o.endCall(tx, r.call, output, err)
	}
	a.running = still
	switch {
	case len(still) > 0:
		o.awaitTools(tx)
	case len(a.approvedCalls) > 0:
		a.approvedCalls = nil
		o.callModel(tx)
	case len(a.draft.Fold.OpenCalls()) > 0:
		o.pauseTurn(tx)
	default:
		o.afterStep(tx)
		o.emit(tx, protocol.Chunk{Type: protocol.ChunkFinishStep}, protocol.Chunk{Type: protocol.ChunkStartStep})
		a.step++
		turn.Advance(tx, &a.turn)
		o.callModel(tx)
	}
}

// endCall journals the end of a call and shows it.
func (o *Object) endCall(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) {
	a := o.active
	output, err = o.checkResult(tx, o.turnInfo, call, output, err)
	chunk := a.draft.BoundOutput(reply.OutputChunk(call.ID, output, err))
	flow.Forget(tx, a.routineOf(call))
	if p, approved := a.approvedCall(call.ID); approved {
		o.endApprovedCall(tx, p, chunk)
		return
	}
	call.Output, call.Failure = chunk.Output, chunk.ErrorText
	turn.EndCall(tx, a.turn, call)
	o.emit(tx, chunk)
}

// checkOutput says what is wrong with a tool's output.
func (o *Object) checkOutput(tx *durable.Tx, name string, output json.RawMessage) error {
	if len(output) > MaxOutput {
		return fmt.Errorf("the tool returned %d bytes, at most %d", len(output), MaxOutput)
	}
	if err := protocol.Check(output); err != nil {
		return fmt.Errorf("the tool returned no JSON that can be shown: %w", err)
	}
	if tool, _ := o.tool(tx, name); tool.Output != nil {
		return run.Fit(tool.Output, output)
	}
	return nil
}

// dropTools stops the running tools and gives every open call an end. A client would try to answer
// a call that it finds open.
func (o *Object) dropTools(tx *durable.Tx, reason string) {
	a := o.active
	o.runs.StopOfTurn(tx, a.turn.Seq, reason)
	for _, r := range a.running {
		r.routine.Stop(tx)
	}
	a.running = nil
	o.dropQuarantined(tx)
	for _, p := range a.approvedCalls {
		o.endApprovedCall(tx, p, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: p.ID, ErrorText: reason})
	}
	for _, id := range a.draft.Fold.OpenCalls() {
		o.emit(tx, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: reason})
	}
}
