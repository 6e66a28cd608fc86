package model

import (
	"bytes"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

const (
	// maxErrorBody is how much of a failure's body is read, in bytes.
	maxErrorBody = 16 << 10
	// maxBody bounds an answer that comes in one piece, in bytes.
	maxBody = limit.Body
)

// dialect reads one answer: it knows what a provider's events mean.
type dialect interface {
	// event reads the data of one event of a stream. [errDone] says that nothing follows.
	event(tx *durable.Tx, data []byte) ([]Delta, error)
	// whole reads an answer that came in one piece.
	whole(tx *durable.Tx, body []byte) ([]Delta, error)
	// complete says that all of the answer has come, though its end may be missing.
	complete() bool
	// finished returns the deltas that end the answer.
	finished() ([]Delta, error)
}

// errDone ends an answer from within its stream: the server has said that
// nothing follows.
var errDone = errors.New("model: done")

// answer is one answer that comes over a fetch: a head, and then a stream of
// server-sent events or one body.
type answer struct {
	id      string
	origin  origin
	dialect dialect
	head    responseHead
	// body collects an answer that is no stream of events.
	body []byte
	sse  sseParser
	// over says that Finished, an error or Cancel has been.
	over bool
}

// responseHead is what matters of a response's head.
type responseHead struct {
	// status is 0 until the head has come.
	status     int
	media      string
	retryAfter int64
}

func (h responseHead) ok() bool     { return h.status == 200 }
func (h responseHead) stream() bool { return h.ok() && !isMedia(h.media, "application/json") }

func (a *answer) Take(tx *durable.Tx, event durable.Event) ([]Delta, error) {
	if a.over {
		return nil, nil
	}
	deltas, err := a.take(tx, event)
	if err == nil {
		return deltas, nil
	}
	a.over = true
	switch event.(type) {
	case durable.FetchEnded, durable.FetchFailed:
	default:
		tx.Do(durable.CancelFetch{Fetch: a.id})
	}
	if !errors.Is(err, errDone) {
		return deltas, err
	}
	last, err := a.dialect.finished()
	return append(deltas, last...), err
}

func (a *answer) Cancel(tx *durable.Tx) {
	if !a.over {
		a.over = true
		tx.Do(durable.CancelFetch{Fetch: a.id})
	}
}

func (a *answer) take(tx *durable.Tx, event durable.Event) ([]Delta, error) {
	switch e := event.(type) {
	case durable.FetchResponded:
		a.head = responseHead{status: e.Status, media: e.Header["content-type"], retryAfter: retryAfter(e.Header, tx.Now)}
		if a.head.ok() && isMedia(a.head.media, "text/html") {
			return nil, garbled("the model's endpoint answered with a web page: see %s", VarBaseURL)
		}
		return nil, nil
	case durable.FetchChunk:
		if !a.head.stream() {
			return nil, a.collect(e.Data)
		}
		return a.feed(tx, e.Data)
	case durable.FetchEnded:
		return a.end(tx)
	case durable.FetchFailed:
		return nil, a.fail(e)
	}
	return nil, nil
}

// collect keeps the body of an answer that is read as a whole.
func (a *answer) collect(data []byte) error {
	if a.head.ok() {
		if len(a.body)+len(data) > maxBody {
			return garbled("the model's answer is larger than %d MiB", maxBody>>20)
		}
		a.body = append(a.body, data...)
		return nil
	}
	a.body = append(a.body, data[:min(len(data), maxErrorBody-len(a.body))]...)
	if len(a.body) == maxErrorBody {
		return statusError(a.head, a.body, a.origin)
	}
	return nil
}

// feed reads the next bytes of a stream of events.
func (a *answer) feed(tx *durable.Tx, data []byte) ([]Delta, error) {
	events, tooLarge := a.sse.feed(data)
	var deltas []Delta
	for _, event := range events {
		more, err := a.event(tx, event)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	if tooLarge != nil {
		return deltas, garbled("the model sent an event larger than %d MiB", maxEvent>>20)
	}
	return deltas, nil
}

func (a *answer) event(tx *durable.Tx, data []byte) ([]Delta, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	return a.dialect.event(tx, data)
}
