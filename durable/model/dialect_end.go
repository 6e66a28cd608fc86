package model

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
)

// fail returns the error of an answer whose fetch has failed, or [ErrDone] if the answer is
// complete.
func (a *answer) fail(e durable.FetchFailed) error {
	switch {
	case a.head.status == 0 && e.Unsent && a.origin.Binding != "":
		return &Error{Kind: Misconfigured, Message: a.origin.bindingHint()}
	case a.head.status == 0:
		what := saidError{message: e.Error}.after("the model's endpoint cannot be reached")
		return &Error{Kind: Unavailable, Message: what}
	case !a.head.ok():
		return statusError(a.head, a.body, a.origin)
	case a.dialect.Complete():
		// The answer is complete. At most its usage is missing.
		return ErrDone
	}
	what := saidError{message: e.Error}.after("the model's answer broke off")
	return &Error{Kind: CutOff, Message: what}
}

// end handles the end of the response's body.
func (a *answer) end(tx *durable.Tx) ([]Delta, error) {
	switch {
	case a.head.status == 0:
		return nil, a.fail(durable.FetchFailed{Error: "the response has no head"})
	case !a.head.ok():
		return nil, statusError(a.head, a.body, a.origin)
	case !a.head.stream():
		return a.whole(tx)
	}
	torn := a.sse.torn()
	var deltas []Delta
	if rest, ok := a.sse.rest(); ok {
		var err error
		if deltas, err = a.event(tx, rest); err != nil && !isGarbled(err) {
			return deltas, err
		}
		torn = torn || err != nil
	}
	switch {
	case a.dialect.Complete():
	case !torn && a.endsWell():
		a.logEnd(tx)
	default:
		return deltas, &Error{Kind: CutOff, Message: "the model's answer ended before it was finished"}
	}
	return deltas, ErrDone
}

// endsWell says whether an answer may end here, although the server has not said why it ends. Some
// servers never say it, so another request would end in the same way.
func (a *answer) endsWell() bool { return a.said && a.dialect.CallsWhole() }

// logEnd logs that an answer was taken for a whole one.
func (a *answer) logEnd(tx *durable.Tx) {
	tx.Log(durable.Warn, "the model's answer ended without a finish reason, and is taken as it is", "fetch", a.id)
}

// whole reads an answer that arrived as one body, from a server that does not stream.
func (a *answer) whole(tx *durable.Tx) ([]Delta, error) {
	deltas, err := a.dialect.Whole(tx, a.body)
	a.note(deltas)
	switch {
	case err != nil:
		return deltas, err
	case a.dialect.Complete():
	case a.endsWell():
		a.logEnd(tx)
	default:
		return deltas, Garbledf("the model's answer holds no finished choice")
	}
	return deltas, ErrDone
}

func isGarbled(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == Garbled
}
