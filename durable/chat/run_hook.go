package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/run"
)

// refusedBy calls the hook before runs, and returns the reason if the hook refuses the run.
func (o *Object) refusedBy(tx *durable.Tx, hook agent.RunHook, r run.Run) run.Result {
	if hook == nil {
		return run.Result{}
	}
	r.Status, r.BegunAt = run.Starting, tx.Now
	err := hook(o.conversation(tx), infoOf(r))
	if err == nil {
		return run.Result{}
	}
	tx.Log(durable.Warn, "a run was refused", "run", r.ID, "class", r.Class, "error", err.Error())
	return run.Result{Reason: run.Refused, Failure: err.Error()}
}

// callAfterRun calls the hook after runs. The run has ended even if the hook fails.
func (o *Object) callAfterRun(tx *durable.Tx, r run.Run) {
	if o.loop.EndingCrashes() {
		tx.Log(durable.Error, "the hook after a run was not called, since it may be what has trapped", "run", r.ID, "class", r.Class)
		return
	}
	o.callRunHook(tx, o.agent.AfterRun, "the hook after a run failed", r)
}

// callRunHook calls a hook with a run as it is stored. The caller's copy may come from a list, which
// leaves out the input.
func (o *Object) callRunHook(tx *durable.Tx, hook agent.RunHook, failed string, r run.Run) {
	if hook == nil {
		return
	}
	if whole, ok := run.Find(tx, r.ID); ok {
		r = whole
	}
	if err := hook(o.conversation(tx), infoOf(r)); err != nil {
		tx.Log(durable.Error, failed, "run", r.ID, "class", r.Class, "error", err.Error())
	}
}
