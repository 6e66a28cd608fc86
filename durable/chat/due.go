package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/callback"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// handleDue handles the entries of the schedule that have fallen due.
func (o *Object) handleDue(tx *durable.Tx) {
	taken := durable.TakeDue(tx)
	for _, due := range taken {
		o.handleKind(tx, due, len(taken) == 1)
	}
	o.loop.ResumeTools(tx)
}

// handleKind hands an entry of the schedule to its room, by its kind. The kinds of a room stand in its file names.go. alone
// says that no other entry has fallen due.
func (o *Object) handleKind(tx *durable.Tx, due durable.Due, alone bool) {
	switch kind := due.Kind; {
	case slices.Contains(supervisor.Kinds, kind):
		o.runs.HandleDue(tx, due)
	case slices.Contains(loop.Kinds, kind):
		o.loop.HandleDue(tx, due)
	case slices.Contains(mcpclient.Kinds, kind):
		if o.servers != nil {
			o.servers.HandleDue(tx, due)
		}
	case slices.Contains(mcpserver.Kinds, kind):
		if o.mcpServer != nil {
			o.mcpServer.HandleDue(tx, due)
		}
	case kind == flow.DueSleep:
		o.resumeRoutine(tx, "", flow.Wake(tx, due.ID))
	case kind == flow.DueTerminate:
		flow.TerminateAgain(tx, due.ID)
	case kind == flow.DueWorkflow: // it is not known which of the two waits
		if o.mcpServer != nil {
			o.mcpServer.HandleDue(tx, due)
		}
		o.loop.AskWorkflow(tx, due.ID)
	case kind == question.DueQuestion:
		o.expires()
		o.expireQuestion(tx, due.ID)
	case kind == approval.DueExpiry:
		o.expires()
		o.expireApproval(tx, due.ID)
	case kind == admission.DueTurn:
		o.startNext(tx)
	case kind == task.DueReport:
		o.tails.FlushAll(tx)
	case kind == callback.Due:
		if o.callbacks().HandleDue(tx, alone) {
			o.tails.FlushAll(tx) // a reader may hear nothing of a run for a long time after this
		}
	case kind == dueUnauthorized: // each event closes such sockets before anything else
	}
}

// expires has a turn that goes on because nobody has answered begin in an event of its own. The event
// of the expiry comes again if it traps, and would charge no turn for it.
func (o *Object) expires() { o.quarantined = o.quarantined || !o.loop.IsActive() }

// causes says what cause a turn is charged with for each kind of loss of its instance.
var causes = map[durable.Loss]turn.Cause{
	durable.LostQuietly: turn.InstanceLost, durable.LostByTrap: turn.ProviderFailed, durable.LostInEvent: turn.ProviderFailed, durable.LostByMemory: turn.OutOfMemory,
}

// callbacks calls the callbacks of the agent, each for the claims with which its schedule was made.
func (o *Object) callbacks() callback.Caller {
	return callback.Caller{Agent: o.agent.Name, Find: func(name string) func(*durable.Tx, schedule.Entry) error {
		call := o.agent.Callbacks[name]
		if call == nil {
			return nil
		}
		return func(tx *durable.Tx, e schedule.Entry) error {
			defer o.actFor(e.Claims)()
			return call(o.conversation(tx), agent.Scheduled{ID: e.ID, Payload: e.Payload, Planned: e.Planned, Now: tx.Now, Attempt: e.Attempts})
		}
	}}
}
