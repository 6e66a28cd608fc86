package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about what the work costs: of a turn, of its helpers, and of theirs.

// Budget is what one turn may use, with everything below it. What is 0 has no limit.
type Budget struct {
	Tokens     int64
	ModelCalls int64
}

// over says in words why something that has cost so much must not go on, or "".
func (b Budget) over(spent run.Usage) string {
	switch {
	case b.Tokens > 0 && spent.Tokens() >= b.Tokens:
		return fmt.Sprintf("the turn has used its budget of %d tokens: %d", b.Tokens, spent.Tokens())
	case b.ModelCalls > 0 && spent.ModelCalls >= b.ModelCalls:
		return fmt.Sprintf("the turn has used its budget of %d model calls", b.ModelCalls)
	}
	return ""
}

// spent is what the turn has cost so far: its own model calls, also those that broke
// off, and its runs.
func (l *live) spent() run.Usage {
	own := run.Usage{InputTokens: l.usage.Input, OutputTokens: l.usage.Output, ModelCalls: int64(l.turn.Spent.Work)}
	return own.Add(l.below)
}

// overspent fails the live turn where it has used its budget, with the helpers that are
// at work for it, and says whether it did. An answer that is being given is paid for,
// and comes to its end.
func (h *Host) overspent(tx *durable.Tx) bool {
	l := h.live
	if l == nil || l.answer != nil || l.apart != nil {
		return false
	}
	why := h.agent.Budget.over(l.spent())
	if why == "" {
		return false
	}
	l.cause = run.OverBudget
	h.settle(tx, turn.Failed, why)
	return true
}

// spend notes what a run has cost so far, and tells a parent of this object's own.
func (h *Host) spend(tx *durable.Tx, r *run.Run, total run.Usage) {
	if !run.Spend(tx, r, total) {
		return
	}
	if l := h.live; l != nil && l.turn.Seq == r.Turn {
		l.below = run.Spent(tx, r.Turn)
		h.pumpAll(tx)
	}
}

// taskUsage is what a run has cost so far.
func (h *Host) taskUsage(k task) run.Usage {
	if l := h.live; l != nil && l.turn.Seq == k.turn {
		return k.outcome.Usage.Add(l.spent())
	}
	return k.outcome.Usage
}
