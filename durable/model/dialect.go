package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/retryafter"
	"github.com/tributary-agents/tributary/durable/limit"
)

const (
	// maxErrorBody is how much of a failure's body is read, in bytes.
	maxErrorBody = 16 << 10
	// maxBody bounds an answer that comes in one piece, in bytes.
	maxBody = limit.Body
	// maxStream bounds the stream of one answer, in bytes: words, what is around them, and comments. It is 160
	// times as much as the words may have.
	maxStream = 128 << 20
)

// Dialect reads one answer in a provider's protocol. Its methods are called within an event, and
// must not keep the bytes that they are given. Their errors are [*Error]s, except for [ErrDone].
// Deltas beside an error came before it.
type Dialect interface {
	// Event reads the data of one server-sent event, which is not blank and has at most
	// [limit.Event] bytes. It returns [ErrDone] if nothing follows.
	Event(tx *durable.Tx, data []byte) ([]Delta, error)
	// Whole reads an answer that came as one JSON body, at most [limit.Body] bytes.
	Whole(tx *durable.Tx, body []byte) ([]Delta, error)
	// Complete says whether the whole answer has come, even if the end of its stream is missing.
	Complete() bool
	// CallsWhole says whether the answer's calls are whole as far as they have come. It holds if
	// there are none.
	CallsWhole() bool
	// Finish returns the deltas that end the answer. The last is [Finished]. It is called once,
	// after Complete has returned true or Event [ErrDone], or when the server has ended an answer that
	// says something and whose calls are whole.
	Finish(tx *durable.Tx) ([]Delta, error)
}

// ErrDone is the error of [Dialect.Event] when the server has said that nothing follows.
var ErrDone = errors.New("model: done")

// answer is an answer that arrives over a fetch: a head, and then a stream of server-sent events or
// one body.
type answer struct {
	id      string
	origin  Origin
	dialect Dialect
	head    responseHead
	// framing is how the body is written, or 0 while only space has come.
	framing framing
	// body collects an answer that is not a stream of events.
	body   []byte
	sse    sseParser
	halves halves
	// cause is a report in the stream that says nothing but words, or nil. It counts if the answer is not
	// finished behind it.
	cause json.RawMessage
	// streamed is how many bytes of the stream have come.
	streamed int
	// said says that text of the answer or a call has come.
	said bool
	// over says that the answer has ended: with Finished, with an error, or by Cancel.
	over bool
}

// NewAnswer starts a fetch and returns the answer that dialect reads from it. origin is where the
// fetch goes, for errors.
func NewAnswer(tx *durable.Tx, fetch durable.Fetch, origin Origin, dialect Dialect) Answer {
	tx.Do(fetch)
	return &answer{id: fetch.Fetch, origin: origin, dialect: dialect}
}

// responseHead is the part of a response's head that is used.
type responseHead struct {
	// status is 0 until the head has arrived.
	status     int
	media      string
	retryAfter int64
}

func (h responseHead) ok() bool { return h.status == 200 }

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
	if !errors.Is(err, ErrDone) {
		return deltas, err
	}
	if err := a.broken(); err != nil && !a.dialect.Complete() {
		return deltas, err
	}
	last, err := a.dialect.Finish(tx)
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
		a.head = responseHead{status: e.Status, media: e.Header["content-type"], retryAfter: retryafter.Read(e.Header, tx.Now)}
		if a.head.ok() && isMedia(a.head.media, "text/html") {
			return nil, errPage()
		}
		return nil, nil
	case durable.FetchChunk:
		if !a.head.ok() {
			return nil, a.collectFailure(e.Data)
		}
		return a.read(tx, e.Data)
	case durable.FetchEnded:
		return a.end(tx)
	case durable.FetchFailed:
		return nil, a.fail(e)
	}
	return nil, nil
}

// read reads the next bytes of an answer.
func (a *answer) read(tx *durable.Tx, data []byte) ([]Delta, error) {
	if a.framing == unframed {
		data = append(a.body, data...)
		a.body = nil
		a.framing = framingOf(data)
	}
	switch a.framing {
	case streamed:
		return a.feed(tx, data)
	case page:
		return nil, errPage()
	}
	return nil, a.collect(data)
}

// collect stores the body of an answer that is read as a whole.
func (a *answer) collect(data []byte) error {
	if len(a.body)+len(data) > maxBody {
		return Garbledf("the model's answer is larger than %d MiB", maxBody>>20)
	}
	a.body = append(a.body, data...)
	return nil
}

// collectFailure stores the body of a response that is no answer.
func (a *answer) collectFailure(data []byte) error {
	a.body = append(a.body, data[:min(len(data), maxErrorBody-len(a.body))]...)
	if len(a.body) == maxErrorBody {
		return statusError(a.head, a.body, a.origin)
	}
	return nil
}

// feed reads the next bytes of a stream of events.
func (a *answer) feed(tx *durable.Tx, data []byte) ([]Delta, error) {
	if a.streamed += len(data); a.streamed > maxStream {
		return nil, Garbledf("the model's answer is a stream of more than %d MiB", maxStream>>20)
	}
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
		return deltas, Garbledf("the model sent an event larger than %d MiB", maxEvent>>20)
	}
	return deltas, nil
}

// event reads one event. If its data is not JSON, each of its lines that is JSON counts, because some
// servers leave an event open and begin another one. Data of one word is a sign of life, such as "ping".
// Any other text is a report of a failure.
func (a *answer) event(tx *durable.Tx, e sseEvent) ([]Delta, error) {
	data := bytes.TrimSpace(e.data)
	switch {
	case len(data) == 0:
		return nil, nil
	case e.name == "error":
		return nil, StreamError(data, a.origin)
	case bytes.ContainsRune(data, '\n') && !json.Valid(data):
		return a.lines(tx, data)
	case !isJSON(data):
		if !isSignOfLife(data) {
			a.cause = slices.Clone(data)
		}
		return nil, nil
	case string(data) != "[DONE]":
		data = a.halves.mend(data)
		switch said := readFailure(data); {
		case said.certain:
			return nil, StreamError(data, a.origin)
		case said.message != "":
			a.cause = slices.Clone(data)
		}
	}
	deltas, err := a.dialect.Event(tx, data)
	a.note(deltas)
	return deltas, err
}

// isSignOfLife says whether the data of an event is one word.
func isSignOfLife(data []byte) bool {
	return len(data) <= 32 && !bytes.ContainsFunc(data, func(c rune) bool {
		return c != '-' && c != '_' && c != ':' && !unicode.IsLetter(c)
	})
}

// lines reads each line as an event. A line that is not JSON is the rest of one: the answer broke off
// there.
func (a *answer) lines(tx *durable.Tx, data []byte) (deltas []Delta, err error) {
	torn := false
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("data:")))
		if !json.Valid(line) && string(line) != "[DONE]" {
			torn = torn || len(line) > 0
			continue
		}
		more, err := a.event(tx, sseEvent{data: line})
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	if torn {
		return deltas, &Error{Kind: CutOff, Message: "the model's answer broke off: " + Quote(string(data))}
	}
	return deltas, nil
}

// note notes whether deltas say something: words or a call. A thought is no answer.
func (a *answer) note(deltas []Delta) {
	for _, d := range deltas {
		switch d := d.(type) {
		case TextDelta:
			a.said = a.said || strings.TrimSpace(d.Text) != ""
		case ToolCallStarted:
			a.said = true
		}
	}
}

// isMedia says whether a content-type header names the given media type.
func isMedia(contentType, media string) bool {
	name, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(name), media)
}
