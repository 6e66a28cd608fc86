package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/run"
)

// runFact handles what has happened to a run: browsers are shown it, hooks are called, and the
// object's own parent is told.
func (o *Object) runFact(tx *durable.Tx, f supervisor.Fact) {
	switch f := f.(type) {
	case supervisor.Begun:
		o.runChanged(tx, f.Run)
		o.audience.SendRunEvent(tx, f.Run, 0, audience.StartedEvent(f.Run))
	case supervisor.Chunks:
		if f.Run.Visibility == run.Terminal || o.audience.Count() == 0 {
			break
		}
		for i, body := range f.Bodies {
			o.audience.SendRunEvent(tx, *f.Run, f.First+int64(i)+1, audience.ChunkEvent(*f.Run, body))
		}
	case supervisor.Paused:
		o.runChanged(tx, f.Run)
		o.audience.SendRunEvent(tx, f.Run, f.Run.Next+1, audience.ProgressEvent(f.Run))
	case supervisor.Progressed:
		o.runChanged(tx, f.Run)
		o.audience.SendRunEvent(tx, f.Run, f.Run.Next+1, audience.ProgressEvent(f.Run))
		o.callRunHook(tx, o.agent.OnProgress, "the hook for progress failed", f.Run)
	case supervisor.Reached:
		o.audience.SendRunEvent(tx, f.Run, f.Milestone.Place+1, audience.MilestoneEvent(f.Run, f.Milestone))
		if f.Run.Progress != nil {
			o.audience.SendRunEvent(tx, f.Run, f.Milestone.Place+1, audience.ProgressEvent(f.Run))
		}
		if !f.Again {
			until := o.actFor(f.Run.Claims)
			o.announceMilestone(tx, f.Run, f.Milestone)
			until()
		}
	case supervisor.Ended:
		o.runChanged(tx, f.Run)
		if question.CloseOf(tx, f.Run.ID) {
			o.tails.QuestionsChanged(tx)
		}
		releaseActions(tx, f.Run)
		o.audience.SendRunEvent(tx, f.Run, f.Run.Next+1, audience.EndEvent(f.Run))
		o.callAfterRun(tx, f.Run)
	case supervisor.Awaited:
		o.agenda.resume = true
	case supervisor.Spent:
		if o.loop.RunsSpent(tx, f.Turn) {
			o.tails.FlushAll(tx)
		}
	case supervisor.Dormant, supervisor.Asks:
		o.tails.FlushAll(tx)
	case supervisor.Idle:
		if !o.drill.Reaches(tx, f.Run) && !o.lists(f.Run) {
			o.runs.Evict(tx, f.Run)
		}
	case supervisor.Unreachable:
		o.drill.CloseOf(tx, f.Run)
		releaseActions(tx, f.Run) // those that people have begun in the helper since its run ended
	case supervisor.Asked:
		question.TakeReport(tx, f.Run.ID, f.Questions)
		o.tails.QuestionsChanged(tx)
	case supervisor.AnswerTaken:
		o.noteAnswered(tx, f.Answer.Call, f.Answer.By)
	case supervisor.SignalsStored:
		o.signalsStored(tx, f)
	case supervisor.SignalsKept:
		o.answerSenders(tx, f.Run, func(int64) run.SignalState { return run.SignalKept })
	case supervisor.SignalsOver:
		o.answerSenders(tx, f.Run, func(int64) run.SignalState { return run.SignalOver })
	case supervisor.AnswerDropped:
		approval.ForgetPast(tx, f.Answer.Call)
		if f.Over {
			o.noteAnswered(tx, f.Answer.Call, f.By)
		}
		o.answerDropped(tx, f)
	}
}

// runChanged tells other programs that a run has changed.
func (o *Object) runChanged(tx *durable.Tx, r run.Run) {
	if o.mcpServer != nil {
		o.mcpServer.Changed(tx, agent.RunURI+r.ID)
	}
}

// newSupervisor returns the supervisor of the object's runs.
func (o *Object) newSupervisor() *supervisor.Supervisor {
	return supervisor.New(supervisor.Config{
		Class: o.agent.Name, Helper: o.agent.Helper, Runs: o.agent.Runs, Keep: o.agent.Keep,
		Report:     o.runFact,
		Refuse:     func(tx *durable.Tx, r run.Run) run.Result { return o.refusedBy(tx, o.agent.BeforeRun, r) },
		HasHandler: func(name string) bool { return o.agent.Handlers[name] != nil },
		Deliver: func(tx *durable.Tx, name string, r run.Run) error {
			handler := o.agent.Handlers[name]
			if handler == nil {
				return fmt.Errorf("there is no handler named %.80q", name)
			}
			defer o.actFor(r.Claims)()
			return handler(o.conversation(tx), infoOf(r))
		},
		Ledger: o.ledger(), KeepOnce: o.agent.KeepOnce,
		Watched: func(tx *durable.Tx, r run.Run) bool { return o.drill.Reaches(tx, r) },
		Depth:   o.depth,
	})
}

// ledger returns the ledger that helpers and their root share, or nil.
func (o *Object) ledger() supervisor.Ledger {
	if author.Linked.RootServices == nil {
		return author.Linked.Ledger
	}
	return author.Linked.RootServices(host{o}, author.Linked.Ledger)
}

// releaseActions has the ledger know that nothing works any more on what a helper has begun.
func releaseActions(tx *durable.Tx, r run.Run) {
	if author.Linked.RunEnded != nil {
		author.Linked.RunEnded(tx, r.ID)
	}
}
