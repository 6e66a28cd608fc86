package mcp

import (
	"slices"
	"strconv"
	"strings"
)

// The codes of errors.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeNoMethod       = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603

	// CodeHeader says that headers and body differ, or that a header is missing.
	CodeHeader = -32020
	// CodeCapability says that the client has not declared a capability that the request needs.
	CodeCapability = -32021
	// CodeVersion says that the server does not speak the version.
	CodeVersion = -32022

	// CodeLegacyNoResource is a resource that does not exist, in the legacy era.
	CodeLegacyNoResource = -32002
	// CodeLegacyURL says that a person must visit a URL first, in [LegacyVersion] only.
	CodeLegacyURL = -32042
	// CodeLegacySession is what servers made with the first TypeScript SDK answer, with the status 400, to a
	// session that they do not know.
	CodeLegacySession = -32000
)

// Error is the error of a request. It is an error of the protocol: a tool that fails answers with a
// [CallResult] that says so.
type Error struct {
	Code    int64
	Message string
	// Data is what the sender adds, if anything.
	Data Value
}

// Error returns the code and at most 300 bytes of the message, in one line.
func (e *Error) Error() string {
	return "mcp: error " + strconv.FormatInt(e.Code, 10) + ": " + Quote(e.Message, 300)
}

func (e *Error) write(w *writer) {
	w.open("error", '{')
	w.integer("code", e.Code)
	w.text("message", e.Message)
	w.value("data", e.Data)
	w.close('}')
}

// parseError reads the error of a response. It is nil if the value is none.
func parseError(v Value) *Error {
	code, ok := v.Get("code").Integer()
	if !ok || !v.hasText("message") {
		return nil
	}
	return &Error{Code: code, Message: v.text("message"), Data: v.Get("data")}
}

// Supported returns the versions that a server says it speaks, in an error with [CodeVersion].
func (e *Error) Supported() []string { return e.Data.Get("supported").texts() }

// Status returns the HTTP status of an answer with this error.
func (e *Error) Status(version string) int {
	switch e.Code {
	case CodeParse, CodeInvalidRequest, CodeHeader, CodeCapability, CodeVersion:
		return 400
	case CodeNoMethod:
		if Modern(version) {
			return 404
		}
	}
	return 200
}

// Refused returns the error for a question that is not answered.
func Refused(why string) *Error { return &Error{Code: codeRefused, Message: why} }

// codeRefused is what clients answer in place of an answer that a person has refused.
const codeRefused = -1

func invalidParams(message string) *Error {
	return &Error{Code: CodeInvalidParams, Message: message}
}

// UnsupportedVersion returns the error for a request in a version that is not spoken.
func UnsupportedVersion(asked string) *Error {
	var w writer
	w.open("", '{')
	w.texts("supported", versions)
	w.text("requested", asked)
	w.close('}')
	return &Error{Code: CodeVersion, Message: "unsupported protocol version", Data: w.made()}
}

// MissingCapability returns the error for a request that needs capabilities of the client.
func MissingCapability(needed ClientCapabilities) *Error {
	var w writer
	w.open("", '{')
	needed.encode(&w, "requiredCapabilities")
	w.close('}')
	return &Error{Code: CodeCapability, Message: "missing required client capability", Data: w.made()}
}

// NoResource returns the error for a resource that does not exist.
func NoResource(version, uri string) *Error {
	e := &Error{Code: CodeInvalidParams, Message: "resource not found"}
	if !Modern(version) {
		e.Code = CodeLegacyNoResource
	}
	var w writer
	w.open("", '{')
	w.text("uri", uri)
	w.close('}')
	e.Data = w.made()
	return e
}

// made returns what was written as a value. It has no limits: it is our own.
func (w *writer) made() Value {
	p := parser{text: string(w.out)}
	v, err := p.value(1)
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return v
}

// Quote makes a text of a stranger fit to be shown: one line without control characters, of at most
// most bytes.
func Quote(text string, most int) string {
	text = strings.Join(strings.Fields(strings.Map(visible, strings.ToValidUTF8(text, "\ufffd"))), " ")
	if len(text) <= most {
		return text
	}
	end := most - len("…")
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return text[:end] + "…"
}

// visible removes control characters, and the characters that change the direction of a text.
func visible(r rune) rune {
	switch {
	case r < 0x20 || 0x7f <= r && r < 0xa0:
		return ' '
	case r == 0x61c, 0x200b <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x2060 <= r && r <= 0x206f, r == 0xfeff, 0xe0000 <= r && r <= 0xe007f:
		return -1
	}
	return r
}

// SessionEnded says whether a server of a version may have refused a request because it does not know the session any
// more, so that a new one helps. The specification has the status 404 for it, and servers have many others. carried says
// that the request had a session: then every refusal counts that is none of a client or of its rate. An error in a
// response without such a status counts if it speaks of the session, because any other one may be that of a tool which
// has run. err can be nil.
func SessionEnded(version string, carried bool, status int, err *Error) bool {
	switch {
	case Modern(version):
		return false
	case status == 404, status == 400 && err != nil && err.Code == CodeLegacySession:
		return true
	case !carried || status == 401 || status == 403 || status == 429:
		return false
	}
	return 400 <= status && status < 500 || err != nil && err.ofSession()
}

// ofSession says whether an error is that of a request which was not let in.
func (e *Error) ofSession() bool {
	words := strings.ToLower(e.Message)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(words, part) })
	}
	return e.Code == CodeInvalidRequest || has("initializ", "initialis") ||
		has("session") && has("invalid", "unknown", "missing", "not found", "no valid", "no such", "not exist", "expired", "ended", "closed", "terminated", "required")
}
