package loop

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// spent is the cost of the turn so far: its own model calls, including those that broke off, and
// its runs.
func (a *activeTurn) spent() run.Usage { return a.ownUsage().Add(a.runUsage) }

// ownUsage is the cost of the turn's own model calls so far.
func (a *activeTurn) ownUsage() run.Usage {
	return run.Usage{InputTokens: a.usage.Input, OutputTokens: a.usage.Output, ModelCalls: int64(a.turn.Spent.ModelCalls)}
}

// EndOverBudget fails the active turn if it has used its budget, stops its helpers, and says
// whether it did so. An answer under way is already paid for and is not interrupted.
func (l *Loop) EndOverBudget(tx *durable.Tx) bool {
	a := l.active
	if a == nil || a.answer != nil || a.quarantine != nil {
		return false
	}
	why := l.config.Budget.Exceeded(a.spent())
	if why == "" {
		return false
	}
	a.failReason = run.OverBudget
	l.endTurn(tx, turn.Failed, why)
	return true
}

// Total returns what the conversation's own model calls have used since it began. A turn that was
// under way when an earlier version was replaced is counted twice: that version has added its calls
// to the three numbers, and its journal says them too. No row says how many calls that were.
func (l *Loop) Total(tx *durable.Tx) run.Usage {
	used := usedBefore(tx).Add(run.Usage{
		InputTokens: setting.Number(tx, settingInput), OutputTokens: setting.Number(tx, settingOutput), ModelCalls: setting.Number(tx, settingCalls),
	})
	if l.active != nil {
		used = used.Add(l.active.ownUsage())
	}
	return used
}

// usedBefore is what the turns that have ended have used.
func usedBefore(tx *durable.Tx) (used run.Usage) {
	setting.Read(tx, settingUsed, &used)
	return used
}

// countUsage adds what the model calls of a turn that ends have used. Until then the turn's row and
// its journal say it.
func (a *activeTurn) countUsage(tx *durable.Tx) {
	if own := a.ownUsage(); own != (run.Usage{}) {
		setting.Write(tx, settingUsed, usedBefore(tx).Add(own))
	}
}
