package chat

import (
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about a model call that broke off. What browsers show already stays. The log only
// grows, under the same request and in the same message, and the model is asked to continue what it
// had said.

// modelCallFailed handles a model call that failed. The call is retried after a back-off if a retry
// may succeed. Otherwise the turn fails.
func (o *Object) modelCallFailed(tx *durable.Tx, err error) {
	a := o.active
	a.answer = nil
	var failure *model.Error
	if !errors.As(err, &failure) {
		panic(err)
	}
	wait, ok := retryDelay(failure, a.turn.Spent.Retries)
	if !ok {
		o.endTurn(tx, turn.Failed, failure.Message)
		return
	}
	if err := turn.ChargeRetry(tx, &a.turn, a.draft.Next, turn.ProviderFailed, wait); err != nil {
		o.endTurn(tx, turn.Failed, failure.Message+"; "+err.Error())
		return
	}
	tx.Schedule(dueRetry, a.key(), tx.Now+wait)
	o.showInterrupted(tx)
	tx.Log(durable.Warn, "model call failed, trying again", "turn", a.key(), "kind", string(failure.Kind), "wait_ms", strconv.FormatInt(wait, 10))
}

// showInterrupted tells browsers that an answer was interrupted and will be resumed.
func (o *Object) showInterrupted(tx *durable.Tx) {
	a := o.active
	if !a.recovering {
		a.recovering = true
		setting.Set(tx, settingRecovered, a.turn.Request)
		audience.Send(tx, protocol.Recovering(a.turn.Request, true), o.audience.All()...)
	}
}

// showRecovered tells browsers that an interrupted answer goes on, or is over.
func (o *Object) showRecovered(tx *durable.Tx) {
	a := o.active
	if a.recovering {
		a.recovering = false
		audience.Send(tx, protocol.Recovering(a.turn.Request, false), o.audience.All()...)
	}
}
