package loop

import (
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about a model call that broke off. What browsers show already stays. The log only
// grows, under the same request and in the same message, and the model is asked to continue what it
// had said.

// modelCallFailed handles a model call that failed. The call is retried after a back-off if a retry
// may succeed. Otherwise the turn fails.
func (l *Loop) modelCallFailed(tx *durable.Tx, err error) {
	a := l.active
	a.answer = nil
	var failure *model.Error
	if !errors.As(err, &failure) {
		panic(err)
	}
	wait, ok := retryDelay(failure, a.turn.Spent.Retries)
	if !ok {
		l.endTurn(tx, turn.Failed, failure.Message)
		return
	}
	if a.answered {
		if err := turn.NoteEnd(&a.turn, string(failure.Kind)); err != nil {
			l.endTurn(tx, turn.Failed, failure.Message+"; "+err.Error())
			return
		}
	}
	if err := turn.ChargeRetry(tx, &a.turn, a.draft.Next, turn.ProviderFailed, wait); err != nil {
		l.endTurn(tx, turn.Failed, failure.Message+"; "+err.Error())
		return
	}
	tx.Schedule(dueRetry, a.key(), tx.Now+wait)
	l.showInterrupted(tx)
	if l.paused {
		l.stay(tx)
	}
	tx.Log(durable.Warn, "model call failed, trying again", "turn", a.key(), "kind", string(failure.Kind), "wait_ms", strconv.FormatInt(wait, 10))
}

// showInterrupted reports that an answer was interrupted and will be resumed.
func (l *Loop) showInterrupted(tx *durable.Tx) {
	a := l.active
	if !a.recovering {
		a.recovering = true
		l.report(tx, Interrupted{Turn: a.turn})
	}
}

// showRecovered reports that an interrupted answer goes on, or is over.
func (l *Loop) showRecovered(tx *durable.Tx) {
	a := l.active
	if a.recovering {
		a.recovering = false
		l.report(tx, Interrupted{Turn: a.turn, Over: true})
	}
}
