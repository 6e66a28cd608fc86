package loop

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// spent is the cost of the turn so far: its own model calls, including those that broke off, and
// its runs.
func (a *activeTurn) spent() run.Usage {
	own := run.Usage{InputTokens: a.usage.Input, OutputTokens: a.usage.Output, ModelCalls: int64(a.turn.Spent.ModelCalls)}
	return own.Add(a.runUsage)
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

// The keys of what the conversation's own model calls have used in all: tokens, and calls.
const (
	settingInput  = "input_tokens"
	settingOutput = "output_tokens"
	settingCalls  = "model_calls"
)

// Total returns what the conversation's own model calls have used since it began.
func Total(tx *durable.Tx) run.Usage {
	return run.Usage{
		InputTokens: setting.Number(tx, settingInput), OutputTokens: setting.Number(tx, settingOutput), ModelCalls: setting.Number(tx, settingCalls),
	}
}
