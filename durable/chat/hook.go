package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// RunHook is told of a run. Its error is a line in the log; that of a hook before a run
// also refuses the run.
type RunHook func(c *Conversation, r RunInfo) error

// refusedBy asks the hook before runs, and returns why there shall be none.
func (h *Host) refusedBy(tx *durable.Tx, hook RunHook, r run.Run) run.Result {
	if hook == nil {
		return run.Result{}
	}
	r.Status, r.BegunAt = run.Starting, tx.Now
	err := hook(&Conversation{host: h, tx: tx}, infoOf(r))
	if err == nil {
		return run.Result{}
	}
	tx.Log(durable.Warn, "a run was refused", "run", r.ID, "class", r.Class, "error", err.Error())
	return run.Result{Reason: run.Refused, Failure: err.Error()}
}

// tellEnd tells the hook after runs. The run has ended all the same when it fails.
func (h *Host) tellEnd(tx *durable.Tx, r run.Run) {
	if h.fatal() {
		tx.Log(durable.Error, "the hook after a run was not called, since it may be what has trapped", "run", r.ID, "class", r.Class)
		return
	}
	h.tellHook(tx, h.agent.AfterRun, "the hook after a run failed", r)
}

func (h *Host) tellHook(tx *durable.Tx, hook RunHook, failed string, r run.Run) {
	if hook == nil {
		return
	}
	if err := hook(&Conversation{host: h, tx: tx}, infoOf(r)); err != nil {
		tx.Log(durable.Error, failed, "run", r.ID, "class", r.Class, "error", err.Error())
	}
}
