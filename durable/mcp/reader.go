package mcp

import "strings"

// Limits of the response to one request. MaxStream is in bytes.
const (
	MaxStream         = 16 << 20
	MaxStreamMessages = 10_000
)

// The errors of a [Reader].
const (
	ErrContentType failure = "mcp: the server answers with neither JSON nor a stream of events"
	ErrStream      failure = "mcp: the answer of the server does not end: it has more than 16 MiB or 10,000 messages"
	ErrNoAnswer    failure = "mcp: the response of the server ends without an answer"
	ErrForeign     failure = "mcp: the server answers another request"
	ErrTwice       failure = "mcp: the server answers twice"
	ErrAsks        failure = "mcp: the server sends a request, which this version does not allow"
	ErrNoMessage   failure = "mcp: the server sends what is no message of the protocol"
)

// Reader reads the response to one request: notifications, in the legacy era also requests of the
// server, and the answer.
type Reader struct {
	id     ID
	modern bool
	stream bool

	events   events
	body     []byte
	bytes    int
	messages int
	answered bool
	skipped  int
	out      []Message
}

// NewReader returns a reader for a response with this content type to the request with this id.
func NewReader(version string, id ID, contentType string) (*Reader, error) {
	r := &Reader{id: id, modern: Modern(version), events: events{retry: -1}}
	switch MediaType(contentType) {
	case "application/json":
	case "text/event-stream":
		r.stream = true
	default:
		return nil, ErrContentType
	}
	return r, nil
}

// MediaType returns a content type without its parameters, in lower case.
func MediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

// Answered says whether the answer has come. What comes behind it is read only to see whether there is
// a second one.
func (r *Reader) Answered() bool { return r.answered }

// LastEvent returns the id of the latest event that had one, from which a legacy stream can go on.
func (r *Reader) LastEvent() string { return r.events.last }

// Skipped returns how many events of a stream were skipped because they are no messages: what other software on the
// way adds, such as heartbeats.
func (r *Reader) Skipped() int { return r.skipped }

// Retry returns how long a legacy server wants the client to wait before it goes on, in milliseconds.
// It is false if the server has not said it.
func (r *Reader) Retry() (int64, bool) { return r.events.retry, r.events.retry >= 0 }

// Feed takes the next bytes of the body and returns the messages that they complete. The last one may
// be the answer. After an error, Feed must not be called again.
func (r *Reader) Feed(b []byte) ([]Message, error) {
	if r.bytes += len(b); r.bytes > MaxStream {
		return nil, ErrStream
	}
	if !r.stream {
		if r.body = append(r.body, b...); len(r.body) > MaxMessage {
			return nil, ErrTooLarge
		}
		return nil, nil
	}
	r.out = nil
	err := r.events.feed(b, r.take)
	return r.out, err
}

// End says that the body has ended. The messages are those that it completes. It is an error if there
// was no answer: a legacy stream that has a [Reader.LastEvent] can go on.
func (r *Reader) End() ([]Message, error) {
	r.out = nil
	if !r.stream {
		if err := r.take(r.body); err != nil {
			return nil, err
		}
	}
	if !r.answered {
		return nil, ErrNoAnswer
	}
	return r.out, nil
}

// take reads one message.
func (r *Reader) take(data []byte) error {
	if r.messages++; r.messages > MaxStreamMessages {
		return ErrStream
	}
	if len(data) == 0 && r.stream { // a legacy stream begins with an event that has only an id
		return nil
	}
	m, err := ParseMessage(data)
	switch {
	case err != nil && r.stream && !r.isFor(data, m, err):
		r.skipped++
		return nil
	case err != nil:
		return unreadable(err)
	case m.IsRequest() && r.modern:
		return ErrAsks
	case m.IsResponse() && r.answered:
		return ErrTwice
	case m.IsResponse() && m.ID != r.id && (m.ID.Exists() || m.Error == nil):
		return ErrForeign
	case r.answered:
		return nil
	}
	r.answered = m.IsResponse()
	r.out = append(r.out, m)
	return nil
}

// isFor says whether an event that is no message was meant to be the answer: it is beyond a limit, or names the
// request, alone or in a batch. Nothing better comes behind such a one.
func (r *Reader) isFor(data []byte, m Message, err error) bool {
	if r.answered {
		return false
	}
	if m.ID == r.id || beyondLimit(err) {
		return true
	}
	v, _ := Parse(data)
	for _, one := range v.Items() {
		if id, ok := ParseID(one.Get("id")); ok && id == r.id && v.IsList() {
			return true
		}
	}
	return false
}

// beyondLimit says whether a message cannot be read because of a limit.
func beyondLimit(err error) bool {
	e, ok := err.(*Error)
	return ok && e.Code == CodeParse && e.Message != ErrJSON.Error()
}

// unreadable says why a message cannot be read: because of a limit, or because it is none.
func unreadable(err error) error {
	if beyondLimit(err) {
		return failure(err.(*Error).Message)
	}
	return ErrNoMessage
}
