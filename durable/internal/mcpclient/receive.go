package mcpclient

import (
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Receiver reads the response to one request, as it comes.
type Receiver struct {
	Status int
	Header map[string]string
	// Answer is the answer. A response without one has the zero Message.
	Answer mcp.Message
	// Notify is given each message that is no answer, or is nil.
	Notify func(tx *durable.Tx, m mcp.Message)
	// Server is the name of the server, for the log.
	Server string

	// legacy says that a stream without the answer may go on in another one.
	legacy bool
	reader *mcp.Reader
	plain  []byte
	failed error
	// logged says that the log names what was skipped.
	logged bool
}

// maxPlain is how much is read of a response that is none of the protocol, in bytes.
const maxPlain = 64 << 10

// NewReceiver returns what reads the response to a request with this id, in a version.
func NewReceiver(version string, id mcp.ID, status int, header map[string]string) *Receiver {
	r := &Receiver{Status: status, Header: header, legacy: !mcp.Modern(version)}
	if status/100 == 2 && status != 202 && status != 204 {
		r.reader, r.failed = mcp.NewReader(version, id, header["content-type"])
	}
	return r
}

// statusOf returns what has read a response of which the status alone counts, because it answers a message that
// wants no answer.
func statusOf(e durable.FetchResponded) *Receiver {
	return &Receiver{Status: e.Status, Header: e.Header}
}

// Feed implements [flow.BodyReader]. A stream is not read beyond the answer, because it may have no end. So
// a second answer is noticed only if it comes together with the first.
func (r *Receiver) Feed(tx *durable.Tx, data []byte) (enough bool, err error) {
	switch {
	case r.failed != nil:
		return false, r.failed
	case r.reader == nil:
		r.plain = append(r.plain, data[:min(len(data), maxPlain-len(r.plain))]...)
		return len(r.plain) == maxPlain, nil
	}
	messages, err := r.reader.Feed(data)
	r.take(tx, messages)
	if n := r.reader.Skipped(); n > 0 && !r.logged {
		r.logged = true
		tx.Log(durable.Warn, "a server sends events that are no messages, which are skipped", "server", r.Server)
	}
	return err == nil && r.reader.Answered(), err
}

func (r *Receiver) take(tx *durable.Tx, messages []mcp.Message) {
	for _, m := range messages {
		if m.IsResponse() {
			r.Answer = m
		} else if r.Notify != nil {
			r.Notify(tx, m)
		}
	}
}

// Close says that the body has ended, or that no more of it is wanted.
func (r *Receiver) Close() error {
	switch {
	case r.failed != nil:
		return r.failed
	case r.reader == nil:
		if m, err := mcp.ParseMessage(r.plain); err == nil && m.IsResponse() {
			r.Answer = m
		}
		return nil
	}
	messages, err := r.reader.End()
	r.take(nil, messages)
	return err
}

// End implements [flow.BodyReader]. What is journaled is the answer as a message, and the headers that
// matter behind it.
func (r *Receiver) End() (flow.Response, error) {
	if err := r.Close(); err != nil {
		if response, ok := r.Broken(); ok && err == mcp.ErrNoAnswer {
			return response, nil
		}
		return flow.Response{}, err
	}
	out := flow.Response{Status: r.Status, Header: map[string]string{}}
	for _, name := range []string{"www-authenticate", "retry-after", "location"} {
		if v, ok := r.Header[name]; ok && len(v) <= 8<<10 {
			out.Header[name] = v
		}
	}
	switch m := r.Answer; {
	case m.Error != nil:
		out.Body = mcp.EncodeError(m.ID, m.Error)
	case m.Result.Exists():
		out.Body = []byte(`{"jsonrpc":"2.0","id":` + m.ID.JSON() + `,"result":` + m.Result.JSON() + `}`)
	}
	return out, nil
}

// The headers of a response that says where a stream goes on.
const headerEvent, headerPause = "last-event-id", "retry"

// How long a stream that has ended rests until it goes on, in milliseconds.
const leastPause, usualPause, mostPause = 100, 1_000, 300_000

// Broken implements [flow.BrokenBodyReader]. The stream of a legacy server goes on behind its last event.
func (r *Receiver) Broken() (flow.Response, bool) {
	if r.failed != nil || r.reader == nil || !r.legacy || r.reader.LastEvent() == "" {
		return flow.Response{}, false
	}
	pause, said := r.reader.Retry()
	if !said {
		pause = usualPause
	}
	return flow.Response{Status: r.Status, Header: map[string]string{
		headerEvent: r.reader.LastEvent(), headerPause: strconv.FormatInt(min(max(pause, leastPause), mostPause), 10),
	}}, true
}

// NoRest says in words that a server refuses the rest of a stream.
func NoRest(status int) string {
	return "the server has not sent the rest of its answer, with the status " + strconv.Itoa(status) + "; the call may or may not have happened"
}

// Resumes says whether a response is a stream that has to go on, behind which event, and after which pause.
func Resumes(response flow.Response) (event string, pause time.Duration, ok bool) {
	event, ok = response.Header[headerEvent]
	ms, _ := strconv.ParseInt(response.Header[headerPause], 10, 64)
	return event, time.Duration(ms) * time.Millisecond, ok
}

// refused is the error for a response without an answer.
func (r *Receiver) refused() error {
	return Failure(Refused(r.Status, r.Header["location"]))
}

// Refused says in words what a status means that came without an answer. location is the header of this name.
func Refused(status int, location string) string {
	if to := target(location); isRedirect(status) && to != "" {
		return "the server redirects to " + to + ", which is not followed"
	}
	return statusWords(status)
}

// statusWords say what a status means that came without an answer.
func statusWords(status int) string {
	switch {
	case isRedirect(status):
		return mcp.ErrRedirect.Error()
	case status == 429 || status >= 500:
		return mcp.ErrStatus.Error() + ", with the status " + strconv.Itoa(status)
	}
	return "the server refuses the request, with the status " + strconv.Itoa(status)
}
