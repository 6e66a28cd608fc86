package wire

import (
	"errors"
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// Code is the kind of failure of an [Error]. It is an error itself, so that a caller can branch:
// errors.Is(err, wire.CodeRefused). Methods may have codes of their own.
type Code string

// The codes that the wire itself knows.
const (
	// CodeUnknownMethod: the callee has no such method or stream.
	CodeUnknownMethod Code = "unknown_method"
	// CodeMalformed: the bytes do not match the types. A malformed request has had no effect. The
	// method of a malformed result has run.
	CodeMalformed Code = "malformed"
	// CodeVersion: the other end uses another version.
	CodeVersion Code = "version"
	// CodeTooLarge: a request or result is above [MaxCall]. The method of a result
	// that is too large has run.
	CodeTooLarge Code = "too_large"
	// CodeRefused: the callee declines, and the request has had no effect.
	CodeRefused Code = "refused"
	// CodeInternal: a bug in the callee.
	CodeInternal Code = "internal"
	// CodeFailed: the callee tried and did not succeed. A Go error without a code crosses as this
	// one.
	CodeFailed Code = "failed"
)

// Error is the code itself.
func (c Code) Error() string { return string(c) }

// maxWords is how many bytes of an error's text cross.
const maxWords = 16 << 10

// Error is a failure that crosses between objects. A handler returns one to choose the code. A
// caller gets one for every failure.
type Error struct {
	Code    Code
	Message string
}

// Error is code and message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap gives the code.
func (e *Error) Unwrap() error { return e.Code }

// ErrorFrame makes the frame that ends a stream with a failure. An error without
// a code gets [CodeFailed].
func ErrorFrame(index int64, err error) Frame {
	return Frame{Kind: KindError, Index: index, Body: errorBody(crossing(err))}
}

// Err gives the failure that a frame of [KindError] carries, a [*Error], and nil
// for any other frame.
func (f Frame) Err() error {
	if f.Kind != KindError {
		return nil
	}
	failure, err := readError(f.Body)
	if err != nil {
		return &Error{CodeMalformed, err.Error()}
	}
	return failure
}

// crossing returns the part of an error that the other end is told.
func crossing(err error) *Error {
	e := Error{CodeFailed, err.Error()}
	if code, ok := errors.AsType[Code](err); ok && code != "" {
		e.Code = code
	}
	if direct, ok := err.(*Error); ok {
		e.Message = direct.Message
	}
	if len(e.Message) > maxWords {
		e.Message = strings.ToValidUTF8(e.Message[:maxWords], "")
	}
	return &e
}

func errorBody(e *Error) []byte {
	w := pack.NewWriter()
	w.List(2)
	w.Text(string(e.Code))
	w.Text(e.Message)
	return w.Data()
}

func readError(body []byte) (*Error, error) {
	r := pack.NewReader(body)
	if err := r.Exactly(2); err != nil {
		return nil, err
	}
	code, err := r.Text()
	if err == nil && code == "" {
		err = errors.New("error without a code")
	}
	if err != nil {
		return nil, err
	}
	message, err := r.Text()
	if err == nil {
		err = r.End()
	}
	return &Error{Code(code), message}, err
}
