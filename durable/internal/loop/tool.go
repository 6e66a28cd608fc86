package loop

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// running is a tool call that is under way.
type running struct {
	call    turn.Call
	routine *flow.Routine
}

// routineOf names a call's routine. The ids of calls are chosen by the model, so the turn is part
// of the name. Code that an earlier turn has begun keeps its name.
func (a *activeTurn) routineOf(call turn.Call) string {
	if p, ok := a.approvedCall(call.ID); ok && p.Routine != "" {
		return p.Routine
	}
	return "call-" + a.key() + "-" + call.ID
}

// ProgramRoutine names the routine of the program that a turn runs.
func ProgramRoutine(turn int64) string { return "call-" + strconv.FormatInt(turn, 10) + "-" }

// runTools starts calls side by side, or resumes calls that an earlier instance had started.
func (l *Loop) runTools(tx *durable.Tx, calls []turn.Call) {
	if l.paused {
		l.active.pausedTools = append(l.active.pausedTools, calls...)
		l.stay(tx)
		return
	}
	for _, call := range calls {
		l.runTool(tx, call)
	}
	l.collectResults(tx)
}

// runTool starts a call, unless the call waits for an answer or is answered already.
func (l *Loop) runTool(tx *durable.Tx, call turn.Call) {
	tool := l.config.Tool(tx, call.Name)
	part, _ := l.active.draft.Fold.Call(call.ID)
	switch {
	case part.State == protocol.OutputDenied:
		call.Failure = prompt.Denied(part)
		turn.EndCall(tx, l.active.turn, call)
	case !part.Open():
		call.Output, call.Failure = prompt.OutputOf(part), part.ErrorText
		turn.EndCall(tx, l.active.turn, call)
	case part.State == protocol.ApprovalRequested:
		l.active.waiting++
	case tool.Client:
		l.mayWait(tx, call)
	case part.State == protocol.InputAvailable && tool.Approval != nil && tool.Approval(call.Input) && !flow.HasBegun(tx, l.active.routineOf(call)):
		l.askPerson(tx, call, tool)
	default:
		l.startTool(tx, call)
	}
}

// mayWait says whether a call can wait for a person or a browser. Beyond the limit it ends with an error.
func (l *Loop) mayWait(tx *durable.Tx, call turn.Call) bool {
	a := l.active
	if err := approval.Refusal(tx, a.turn.Claims, a.waiting); err != nil {
		l.endCall(tx, call, nil, err)
		return false
	}
	a.waiting++
	return true
}

// askPerson asks a person whether a call may run.
func (l *Loop) askPerson(tx *durable.Tx, call turn.Call, tool Tool) {
	if !l.mayWait(tx, call) {
		return
	}
	c := protocol.Chunk{Type: protocol.ChunkToolApproval, ApprovalID: call.ID, ToolCallID: call.ID}
	if tool.Describe != nil {
		var expires int64
		if c.Descriptor, expires = tool.Describe(call.Input); expires > 0 {
			tx.Schedule(approval.DueExpiry, call.ID, expires)
		}
	}
	l.emit(tx, c)
}

func (l *Loop) startTool(tx *durable.Tx, call turn.Call) {
	code, options := l.config.Code(tx, call)
	a := l.active
	defer l.work()()
	a.running = append(a.running, running{call: call, routine: flow.Start(tx, a.routineOf(call), "the tool "+call.Name, code, options)})
}

// isRunning says whether a call's tool is under way.
func (a *activeTurn) isRunning(call string) bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.call.ID == call })
}

// ResumeTools resumes the tools whose awaits are completed, and collects results.
func (l *Loop) ResumeTools(tx *durable.Tx) {
	if l.active == nil || len(l.active.running) == 0 {
		return
	}
	if l.paused {
		l.stay(tx)
		return
	}
	l.resumeAll(tx)
	l.collectResults(tx)
}

// resumeAll has the running tools go on whose awaits are completed.
func (l *Loop) resumeAll(tx *durable.Tx) {
	defer l.work()()
	for _, r := range l.active.running {
		r.routine.Resume(tx)
	}
}

// work notes that code runs, until the returned function is called.
func (l *Loop) work() (end func()) {
	before := l.working
	l.working = true
	return func() { l.working = before }
}

// collectResults journals and shows what tools have returned. When all tools of a step have
// returned, the model is called again. If calls wait for answers, the turn ends for now.
func (l *Loop) collectResults(tx *durable.Tx) {
	if l.active.code != nil {
		l.endProgram(tx)
		return
	}
	a := l.active
	var still []running
	for _, r := range a.running {
		output, err, done := r.routine.Done()
		if !done {
			still = append(still, r)
			continue
		}
		l.endCall(tx, r.call, output, err)
	}
	a.running = still
	switch {
	case len(still) > 0 && !l.suspendCode(tx):
		l.awaitTools(tx)
	case len(a.approvedCalls) > 0:
		before := a.approvedCalls
		a.approvedCalls = nil
		if !l.waitFurther(tx, before) {
			l.callModel(tx)
		}
	case len(a.openCalls()) > 0:
		l.pauseTurn(tx)
	default:
		l.config.AfterStep(tx, nil)
		l.emit(tx, protocol.Chunk{Type: protocol.ChunkFinishStep}, protocol.Chunk{Type: protocol.ChunkStartStep})
		a.step++
		turn.Advance(tx, &a.turn)
		l.callModel(tx)
	}
}

// endCall journals the end of a call and shows it.
func (l *Loop) endCall(tx *durable.Tx, call turn.Call, output json.RawMessage, err error) {
	a := l.active
	output, err = l.config.CheckResult(tx, call, output, err)
	chunk := a.draft.BoundOutput(reply.OutputChunk(call.ID, output, err))
	if a.replayed[call.ID] && chunk.Type == protocol.ChunkToolOutput {
		chunk.Provider = protocol.Replayed
	}
	var files []protocol.Chunk
	if a.takeFiles != nil {
		files = a.takeFiles(chunk)
	}
	flow.Forget(tx, a.routineOf(call))
	if p, approved := a.approvedCall(call.ID); approved {
		l.endApprovedCall(tx, p, chunk, files)
		return
	}
	call.Output, call.Failure = prompt.OutputOf(protocol.Part{Output: chunk.Output, ResultProvider: chunk.Provider}), chunk.ErrorText
	turn.EndCall(tx, a.turn, call)
	l.emit(tx, chunk)
	l.emit(tx, files...)
}

// Replayed notes that what a call is about to return is the result of an earlier call.
func (l *Loop) Replayed(call string) {
	if l.active.replayed == nil {
		l.active.replayed = map[string]bool{}
	}
	l.active.replayed[call] = true
}

// dropTools stops the running tools and gives every open call an end. A client would try to answer
// a call that it finds open.
func (l *Loop) dropTools(tx *durable.Tx, reason string) {
	a := l.active
	l.config.Runs.StopOfTurn(tx, a.turn.Seq, reason)
	for _, r := range a.running {
		r.routine.Stop(tx)
	}
	a.running = nil
	l.dropQuarantined(tx)
	for _, p := range a.approvedCalls {
		l.endApprovedCall(tx, p, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: p.ID, ErrorText: reason}, nil)
	}
	for _, id := range a.draft.Fold.OpenCalls() {
		if part, _ := a.draft.Fold.Call(id); part.Approval != nil && len(part.Approval.Descriptor) > 0 {
			approval.StopExpiry(tx, id)
		}
		if !l.config.Asked(tx, id) { // else code that is put away waits for it, and goes on
			l.emit(tx, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: reason})
		}
	}
}
