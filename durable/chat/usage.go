package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about the cost of a turn, including its helpers and theirs.

// Budget is what one turn may use, together with all helpers below it. 0 means no limit.
type Budget struct {
	Tokens     int64
	ModelCalls int64
}

// exceeded says in words which limit is reached, or returns "".
func (b Budget) exceeded(spent run.Usage) string {
	switch {
	case b.Tokens > 0 && spent.Tokens() >= b.Tokens:
		return fmt.Sprintf("the turn has used its budget of %d tokens: %d", b.Tokens, spent.Tokens())
	case b.ModelCalls > 0 && spent.ModelCalls >= b.ModelCalls:
		return fmt.Sprintf("the turn has used its budget of %d model calls", b.ModelCalls)
	}
	return ""
}

// spent is the cost of the turn so far: its own model calls, including those that broke off, and
// its runs.
func (a *activeTurn) spent() run.Usage {
	own := run.Usage{InputTokens: a.usage.Input, OutputTokens: a.usage.Output, ModelCalls: int64(a.turn.Spent.ModelCalls)}
	return own.Add(a.runUsage)
}

// endOverBudget fails the active turn if it has used its budget, stops its helpers, and says
// whether it did so. An answer under way is already paid for and is not interrupted.
func (o *Object) endOverBudget(tx *durable.Tx) bool {
	a := o.active
	if a == nil || a.answer != nil || a.quarantine != nil {
		return false
	}
	why := o.agent.Budget.exceeded(a.spent())
	if why == "" {
		return false
	}
	a.failReason = run.OverBudget
	o.endTurn(tx, turn.Failed, why)
	return true
}

// taskUsage is the cost of a run so far.
func (o *Object) taskUsage(k task.Task) run.Usage {
	if a := o.active; a != nil && a.turn.Seq == k.Turn {
		return k.Outcome.Usage.Add(a.spent())
	}
	return k.Outcome.Usage
}
