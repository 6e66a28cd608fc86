package mcp

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// ID is the id of a request, or a progress token: a string or a whole number. The zero ID is none. Two
// IDs are equal if == says so.
type ID struct{ json string }

// NumberID returns the ID that is a number.
func NumberID(n int64) ID { return ID{strconv.FormatInt(n, 10)} }

// TextID returns the ID that is a string.
func TextID(s string) ID { return ID{string(protocol.AppendQuoted(nil, s))} }

// Exists says whether there is an ID.
func (id ID) Exists() bool { return id.json != "" }

// JSON returns the ID as JSON, or "" if there is none.
func (id ID) JSON() string { return id.json }

// maxID bounds an ID, in bytes.
const maxID = 256

// ParseID reads an ID. It is false for null, for a fraction, and for a string of more than 256 bytes.
func ParseID(v Value) (ID, bool) {
	if len(v.JSON()) > maxID {
		return ID{}, false
	}
	if v.IsText() {
		return TextID(v.Text()), true
	}
	n, ok := v.Integer()
	if !ok {
		return ID{}, false
	}
	return NumberID(n), true
}

func (id *ID) decode(v Value) (ok bool) {
	*id, ok = ParseID(v)
	return ok
}

func (id ID) encode(w *writer, name string) { w.id(name, id) }

//go:noinline
func (w *writer) id(name string, id ID) {
	if id.Exists() {
		w.raw(name, id.json)
	}
}

// Message is a message of JSON-RPC 2.0 as it came in.
type Message struct {
	// ID is that of the request, and that of the request that a response answers. A notification has
	// none, and an error may have none.
	ID ID
	// Method is that of a request or a notification.
	Method string
	// Params is an object, or missing.
	Params Value
	// Result is an object. A response has either a Result or an Error.
	Result Value
	Error  *Error
}

// IsRequest says whether the message wants an answer.
func (m Message) IsRequest() bool { return m.Method != "" && m.ID.Exists() }

// IsNotification says whether the message wants none.
func (m Message) IsNotification() bool { return m.Method != "" && !m.ID.Exists() }

// IsResponse says whether the message is an answer.
func (m Message) IsResponse() bool { return m.Method == "" && (m.Result.Exists() || m.Error != nil) }

// ParseMessage reads one message. Its error is an [*Error] with the code for an answer. The message
// then has an ID if the request has one. A batch is refused.
func ParseMessage(data []byte) (Message, error) {
	v, err := Parse(data)
	if err != nil {
		return Message{}, &Error{Code: CodeParse, Message: err.Error()}
	}
	if v.IsList() {
		return Message{}, invalidRequest("a batch is not supported")
	}
	if !v.IsObject() {
		return Message{}, invalidRequest("a message must be an object")
	}
	var m Message
	id, hasID := v.Get("id"), true
	if m.ID, hasID = ParseID(id); id.Exists() && !hasID && !(id.IsNull() && v.Get("error").Exists()) {
		return Message{}, invalidRequest("an id must be a string or a whole number")
	}
	if v.text("jsonrpc") != "2.0" {
		return m, invalidRequest("jsonrpc must be 2.0")
	}
	err = m.fill(v)
	return m, err
}

// fill reads what makes a message a request, a notification or a response.
func (m *Message) fill(v Value) error {
	method, result, failed := v.Get("method"), v.Get("result"), v.Get("error")
	switch { // some servers write null for the one of the two that there is not
	case failed.IsNull() && result.IsObject():
		failed = Value{}
	case result.IsNull() && failed.IsObject():
		result = Value{}
	}
	switch {
	case method.Exists():
		return m.fillRequest(v, method)
	case result.Exists() == failed.Exists():
		return invalidRequest("a message must have one of method, result and error")
	case result.Exists():
		if !result.IsObject() || !m.ID.Exists() {
			return invalidRequest("a result must be an object and have an id")
		}
		m.Result = result
	default:
		if m.Error = parseError(failed); m.Error == nil {
			return invalidRequest("an error must have a code and a message")
		}
	}
	return nil
}

func (m *Message) fillRequest(v, method Value) error {
	if v.Get("result").Exists() || v.Get("error").Exists() || method.Text() == "" {
		return invalidRequest("a request must have a method, and neither a result nor an error")
	}
	params := v.Get("params")
	if params.IsNull() { // some clients write null for a request without params
		params = Value{}
	}
	if params.Exists() && !params.IsObject() {
		return invalidRequest("params must be an object")
	}
	m.Method, m.Params = method.Text(), params
	return nil
}

func invalidRequest(message string) *Error {
	return &Error{Code: CodeInvalidRequest, Message: message}
}
