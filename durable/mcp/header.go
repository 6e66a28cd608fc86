package mcp

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// The names of headers, as they are received.
const (
	HeaderVersion   = "mcp-protocol-version"
	HeaderSession   = "mcp-session-id"
	HeaderMethod    = "mcp-method"
	HeaderName      = "mcp-name"
	HeaderParam     = "mcp-param-"
	HeaderLastEvent = "last-event-id"
)

// The marks around a value in base64.
const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// EncodeHeader returns a text as the value of a header. What is not plain becomes base64, and so does an
// empty text, because some readers take an empty header for a missing one.
func EncodeHeader(text string) string {
	if plain(text) {
		return text
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(text)) + encodedSuffix
}

func plain(text string) bool {
	if text == "" || strings.Trim(text, " \t") != text {
		return false
	}
	for _, c := range []byte(text) {
		if c < 0x20 || c > 0x7e {
			return false
		}
	}
	return !strings.HasPrefix(text, encodedPrefix) || !strings.HasSuffix(text, encodedSuffix)
}

// DecodeHeader returns the text that a header has. It is false for base64 that is broken.
func DecodeHeader(value string) (string, bool) {
	value = strings.Trim(value, " \t")
	encoded, ok := strings.CutPrefix(value, encodedPrefix)
	if !ok || !strings.HasSuffix(encoded, encodedSuffix) {
		return value, true
	}
	text, err := base64.StdEncoding.Strict().DecodeString(strings.TrimSuffix(encoded, encodedSuffix))
	return string(text), err == nil
}

// Param is an argument of a tool that is also sent as a header.
type Param struct {
	// Header is the name of the header without its beginning, Mcp-Param-.
	Header string
	// Path has the names of the fields that lead to the argument.
	Path []string
}

// at returns the argument of a call, missing if it is null.
func (p Param) at(arguments Value) Value {
	for _, name := range p.Path {
		arguments = arguments.Get(name)
	}
	if arguments.IsNull() {
		return Value{}
	}
	return arguments
}

// headerText returns an argument as the text of a header. It is false for an argument that has none.
func headerText(v Value) (string, bool) {
	if v.IsText() {
		return v.Text(), true
	}
	if v.JSON() == "true" || v.JSON() == "false" {
		return v.JSON(), true
	}
	n, ok := v.Integer()
	return strconv.FormatInt(n, 10), ok
}

// paramHeaders returns the headers for the arguments of a call.
func paramHeaders(params []Param, arguments Value) (list []durable.Header) {
	for _, p := range params {
		if text, ok := headerText(p.at(arguments)); ok {
			list = append(list, durable.Header{Name: HeaderParam + strings.ToLower(p.Header), Value: EncodeHeader(text)})
		}
	}
	return list
}

// CheckParams compares the headers of a call with its arguments. params are those of the tool that is
// called, and the names of the headers are in lower case. Its error is an [*Error] for the answer.
func CheckParams(header map[string]string, params []Param, arguments Value) error {
	for _, p := range params {
		name := HeaderParam + strings.ToLower(p.Header)
		value, sent := header[name]
		argument := p.at(arguments)
		if sent != argument.Exists() || sent && !sameParam(value, argument) {
			return headerMismatch(name)
		}
	}
	return nil
}

// sameParam compares numbers as numbers.
func sameParam(value string, argument Value) bool {
	text, ok := DecodeHeader(value)
	if !ok {
		return false
	}
	want, ok := headerText(argument)
	if n, isNumber := argument.Integer(); isNumber {
		got, isNumber := Value{&node{text: text}}.Integer()
		return isNumber && got == n
	}
	return ok && text == want
}

func headerMismatch(name string) *Error {
	return &Error{Code: CodeHeader, Message: "header mismatch: " + name + " is missing, or is not what the body says"}
}

// checkHeaders compares the headers of a modern request with its body.
func checkHeaders(header map[string]string, m Message) error {
	if strings.Trim(header[HeaderMethod], " \t") != m.Method {
		return headerMismatch(HeaderMethod)
	}
	field := ""
	switch m.Method {
	case MethodCallTool, MethodGetPrompt:
		field = "name"
	case MethodRead:
		field = "uri"
	case MethodTask, MethodUpdateTask, MethodCancelTask:
		field = "taskId"
	default:
		return nil
	}
	value, sent := header[HeaderName]
	text, ok := DecodeHeader(value)
	if !sent || !ok || text != m.Params.text(field) {
		return headerMismatch(HeaderName)
	}
	return nil
}
