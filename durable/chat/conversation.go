package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Conversation is what code can do with the conversation that it belongs to, within one
// event. It must not be kept beyond that.
type Conversation struct {
	host *Host
	tx   *durable.Tx
}

// State returns the agent's state, nil where none was set.
func (c *Conversation) State() json.RawMessage { return stateOf(c.tx) }

// SetState replaces the agent's state and shows it to every client.
func (c *Conversation) SetState(v any) error {
	state, err := encodeWithin(v, limit.State)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	c.host.keepState(c.tx, state)
	return nil
}

// Usage returns what the conversation has used since it began, with all its helpers and
// theirs.
func (c *Conversation) Usage() run.Usage {
	own := run.Usage{
		InputTokens: count(c.tx, settingInput, 0), OutputTokens: count(c.tx, settingOutput, 0), ModelCalls: count(c.tx, settingCalls, 0),
	}
	return own.Add(run.Spent(c.tx, 0))
}

// Runs lists runs of helpers, newest first. Of a long summary or error it has the first 1,000
// characters, and it leaves out a long output: [Conversation.Run] has all of them.
func (c *Conversation) Runs(f run.Filter) []RunInfo {
	infos := []RunInfo{} // never null
	for _, r := range run.List(c.tx, f) {
		infos = append(infos, infoOf(r))
	}
	return infos
}

// Run tells of one run.
func (c *Conversation) Run(id string) (RunInfo, error) {
	r, err := findRun(c.tx, id)
	info := infoOf(r)
	if r.Milestones > 0 {
		info.Milestones = stream.Milestones(c.tx, logOf(r), 0)
	}
	return info, err
}

// CancelRun stops a run, also one that waits in the queue. Whoever awaits it is told
// why; a run that is over already stays what it is.
func (c *Conversation) CancelRun(id, why string) error {
	r, err := findRun(c.tx, id)
	if err == nil {
		c.host.stopRun(c.tx, r, run.Cancelled, why)
	}
	return err
}

// DeleteRun forgets a run that is over, and wipes its helper with all that it holds.
func (c *Conversation) DeleteRun(id string) error {
	r, err := findRun(c.tx, id)
	switch {
	case err != nil:
		return err
	case !r.Status.Final():
		return fmt.Errorf("run %s is %s: cancel it before you delete it", id, r.Status)
	}
	if l, owed := run.Owed(c.tx, id); owed && l.State != run.Dead {
		return fmt.Errorf("run %s is over, and its end has still to be handed over", id)
	}
	c.host.wipe(c.tx, r)
	c.host.watchRuns(c.tx)
	return nil
}

func findRun(tx *durable.Tx, id string) (run.Run, error) {
	r, ok := run.Find(tx, id)
	if !ok {
		return r, fmt.Errorf("there is no run %.80q", id)
	}
	return r, nil
}
