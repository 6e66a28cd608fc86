package model

import (
	"bytes"
	"cmp"
	"encoding/json"
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
	case a.framing == single, a.framing == unframed && isMedia(a.head.media, "application/json"):
		return a.whole(tx)
	}
	torn := a.sse.torn()
	var deltas []Delta
	for _, rest := range a.sse.rest() {
		more, err := a.event(tx, rest)
		if deltas = append(deltas, more...); err != nil && !isGarbled(err) {
			return deltas, err
		}
		torn = torn || err != nil
	}
	return deltas, a.endEvents(tx, torn)
}

// endEvents says how an answer ends whose events have ended: with [ErrDone], or with an error.
func (a *answer) endEvents(tx *durable.Tx, torn bool) error {
	broken := a.broken()
	switch {
	case a.dialect.Complete():
	case broken != nil:
		return broken
	case !torn && a.endsWell():
		a.logEnd(tx)
	default:
		return &Error{Kind: CutOff, Message: "the model's answer ended before it was finished"}
	}
	return ErrDone
}

// broken returns the failure that the endpoint has reported outside of events, or in one that has words
// alone, or nil. It counts if the answer is not finished.
func (a *answer) broken() error {
	report := cmp.Or(string(a.cause), string(bytes.TrimSpace(a.sse.stray)))
	if report == "" || a.said && a.cause == nil && !isJSON([]byte(report)) { // other lines behind words are noise
		return nil
	}
	return StreamError([]byte(report), a.origin)
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
	body := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(a.body), []byte("\ufeff")))
	if said := readFailure(body); said.certain || said.message != "" {
		return nil, StreamError(body, a.origin)
	}
	if events := eventsOf(body); events != nil {
		deltas, err := a.lines(tx, events)
		if err != nil && !isCutOff(err) {
			return deltas, err
		}
		return deltas, a.endEvents(tx, err != nil)
	}
	deltas, err := a.dialect.Whole(tx, body)
	a.note(deltas)
	switch {
	case err != nil:
		return deltas, err
	case a.dialect.Complete():
	case a.endsWell():
		a.logEnd(tx)
	default:
		return deltas, Garbledf("the model's answer holds no finished choice: %s", Quote(string(body)))
	}
	return deltas, ErrDone
}

// eventsOf returns the events of a body that is a list of them, or has one in each line, as lines. It
// returns nil for any other body.
func eventsOf(body []byte) []byte {
	var all []json.RawMessage
	switch {
	case bytes.HasPrefix(body, []byte("[")) && json.Unmarshal(body, &all) == nil:
		var lines [][]byte
		for _, raw := range all {
			var line bytes.Buffer
			_ = json.Compact(&line, raw) // it is JSON
			lines = append(lines, line.Bytes())
		}
		return bytes.Join(lines, []byte("\n"))
	case bytes.HasPrefix(body, []byte("{")) && !json.Valid(body):
		if first, _, more := bytes.Cut(body, []byte("\n")); more && json.Valid(first) {
			return body
		}
	}
	return nil
}

func isGarbled(err error) bool { return isKind(err, Garbled) }
func isCutOff(err error) bool  { return isKind(err, CutOff) }

func isKind(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}
