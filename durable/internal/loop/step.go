package loop

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// showStep shows how a step of a program goes on. A step whose message has no room for it runs, and
// is not shown.
func (l *Loop) showStep(tx *durable.Tx, s flow.StepInfo) {
	fold := l.active.draft.Fold
	if !fold.HasData(protocol.ChunkStep, s.ID) && fold.Count(protocol.ChunkStep) >= limit.Steps {
		return
	}
	l.emit(tx, protocol.Chunk{Type: protocol.ChunkStep, ID: s.ID, Data: limit.MustMarshal(protocol.StepData{
		Name: protocol.CutOff(s.Name, limit.StepName), State: string(s.State), Attempt: s.Attempt, Attempts: s.Attempts,
		Error: protocol.CutOff(s.Error, limit.StepError), RetryAt: s.RetryAt,
	})})
}
