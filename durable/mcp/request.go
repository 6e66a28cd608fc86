package mcp

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Request is an HTTP request.
type Request struct {
	Method string
	URL    string
	// Header has names in lower case.
	Header []durable.Header
	// Body is nil for GET and DELETE.
	Body []byte
}

// Endpoint is where a server is reached, and what was agreed on with it.
type Endpoint struct {
	URL string
	// Version is "" before a handshake.
	Version string
	// Session is the id that a legacy server has given, or "".
	Session string
	// Header is sent with every request, for example with a token. It cannot replace a header of the
	// protocol.
	Header []durable.Header
}

// Call returns a request to the server. params are those of the tool that is called.
func (e Endpoint) Call(id ID, from Caller, call Call, params []Param) Request {
	from.Version = e.Version
	r := e.post(EncodeRequest(id, from, call))
	if !Modern(e.Version) {
		return r
	}
	r.Header = append(r.Header, durable.Header{Name: HeaderMethod, Value: call.Method()})
	if name, ok := call.name(); ok {
		r.Header = append(r.Header, durable.Header{Name: HeaderName, Value: EncodeHeader(name)})
	}
	if c, ok := call.(CallTool); ok {
		r.Header = append(r.Header, paramHeaders(params, c.Arguments)...)
	}
	return r
}

// Forward returns a request that was made for a server of which only the version was known. header is what
// that request had.
func (e Endpoint) Forward(header []durable.Header, body []byte) Request {
	r := e.post(body)
	for _, h := range header {
		if h.Name == HeaderMethod || h.Name == HeaderName || strings.HasPrefix(h.Name, HeaderParam) {
			r.Header = append(r.Header, h)
		}
	}
	return r
}

// Notify returns a notification to a legacy server.
func (e Endpoint) Notify(note Note) Request { return e.post(EncodeNote(note, ID{})) }

// Answer returns the answer to a request of a legacy server.
func (e Endpoint) Answer(id ID, answer Answer) Request { return e.post(EncodeAnswer(id, answer)) }

// Reply is Answer for an answer that is a value already.
func (e Endpoint) Reply(id ID, result Value) Request {
	return e.post([]byte(`{"jsonrpc":"2.0","id":` + id.JSON() + `,"result":` + result.JSON() + `}`))
}

// Refuse returns an error as the answer to a request of a legacy server.
func (e Endpoint) Refuse(id ID, err *Error) Request { return e.post(EncodeError(id, err)) }

// Resume asks a legacy server for what comes behind an event of a stream that has ended.
func (e Endpoint) Resume(lastEvent string) Request {
	r := e.Listen()
	r.Header = append(r.Header, durable.Header{Name: HeaderLastEvent, Value: lastEvent})
	return r
}

// Listen asks a legacy server for the stream of what belongs to no request.
func (e Endpoint) Listen() Request {
	return Request{Method: "GET", URL: e.URL, Header: e.header("text/event-stream")}
}

// Close ends the session of a legacy server.
func (e Endpoint) Close() Request {
	return Request{Method: "DELETE", URL: e.URL, Header: e.header("application/json")}
}

func (e Endpoint) post(body []byte) Request {
	header := append(e.header("application/json, text/event-stream"), durable.Header{Name: "content-type", Value: "application/json"})
	return Request{Method: "POST", URL: e.URL, Header: header, Body: body}
}

// header returns the headers that every request has.
func (e Endpoint) header(accept string) (list []durable.Header) {
	for _, h := range e.Header {
		if !Reserved(h.Name) {
			h.Name = strings.ToLower(h.Name)
			list = append(list, h)
		}
	}
	list = append(list, durable.Header{Name: "accept", Value: accept})
	if e.Version != "" {
		list = append(list, durable.Header{Name: HeaderVersion, Value: e.Version})
	}
	if e.Session != "" && !Modern(e.Version) {
		list = append(list, durable.Header{Name: HeaderSession, Value: e.Session})
	}
	return list
}

// Reserved says whether a header is the protocol's, or HTTP's own, and cannot be set at all. A client that adds a server
// can set fewer, see [Settable].
func Reserved(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "accept", "content-type", "content-length", "host", "connection", "transfer-encoding", HeaderLastEvent:
		return true
	}
	return strings.HasPrefix(name, "mcp-") || !isToken(name)
}

// IsSession says whether a text can be the id of a session: visible characters of ASCII.
func IsSession(id string) bool {
	for _, c := range []byte(id) {
		if c < 0x21 || c > 0x7e {
			return false
		}
	}
	return id != "" && len(id) <= maxSession
}

// maxSession bounds the id of a session, in bytes.
const maxSession = 1024
