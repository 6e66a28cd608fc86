package model

import (
	"bytes"
	"errors"

	"github.com/tributary-agents/tributary/durable"
)

const (
	// maxErrorBody is how much of a failure's body is read, in bytes.
	maxErrorBody = 16 << 10
	// maxBody bounds an answer that comes in one piece, in bytes.
	maxBody = 8 << 20
)

// openaiAnswer is one answer of an [OpenAI] model.
type openaiAnswer struct {
	id, secret string
	head       responseHead
	// body collects an answer that is no stream of events.
	body []byte
	sse  sseParser

	calls  callList
	finish string
	usage  Usage
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

// errDone ends an answer from within its stream: the server has said that
// nothing follows.
var errDone = errors.New("model: done")

func (a *openaiAnswer) Take(tx *durable.Tx, event durable.Event) ([]Delta, error) {
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
	last, err := a.finished()
	return append(deltas, last...), err
}

func (a *openaiAnswer) Cancel(tx *durable.Tx) {
	if !a.over {
		a.over = true
		tx.Do(durable.CancelFetch{Fetch: a.id})
	}
}

func (a *openaiAnswer) take(tx *durable.Tx, event durable.Event) ([]Delta, error) {
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
		return nil, a.fail(e.Error)
	}
	return nil, nil
}

// collect keeps the body of an answer that is read as a whole.
func (a *openaiAnswer) collect(data []byte) error {
	if a.head.ok() {
		if len(a.body)+len(data) > maxBody {
			return garbled("the model's answer is larger than %d MiB", maxBody>>20)
		}
		a.body = append(a.body, data...)
		return nil
	}
	a.body = append(a.body, data[:min(len(data), maxErrorBody-len(a.body))]...)
	if len(a.body) == maxErrorBody {
		return statusError(a.head, a.body, a.secret)
	}
	return nil
}

// feed reads the next bytes of a stream of events.
func (a *openaiAnswer) feed(tx *durable.Tx, data []byte) ([]Delta, error) {
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

// event reads one event's data.
func (a *openaiAnswer) event(tx *durable.Tx, data []byte) ([]Delta, error) {
	switch string(bytes.TrimSpace(data)) {
	case "":
		return nil, nil
	case "[DONE]":
		return nil, errDone
	}
	chunk, err := decodeChunk(data)
	if err != nil {
		return nil, garbled("the model sent an event that is not JSON: %s", quote(string(data)))
	}
	return a.chunk(tx, chunk)
}
