package wire

import (
	"fmt"
	"reflect"
)

// Method is a call between objects, with its types. [NewMethod] makes it.
type Method[Req, Res any] struct {
	name string
	req  *shape
	res  *shape
}

// NewMethod declares a method, at the top of a package. It panics when a type
// holds what cannot travel, and names the field; the analyser in
// durable/wire/travel says the same before the program runs.
func NewMethod[Req, Res any](name string) Method[Req, Res] {
	return Method[Req, Res]{named(name), declare[Req](name, "request"), declare[Res](name, "result")}
}

// Name is what the method is called on the wire.
func (m Method[Req, Res]) Name() string { return m.name }

// Request is the bytes to call the method with. It panics when a codec of the
// request's own types fails. What is above [MaxCall] is refused by the callee.
func (m Method[Req, Res]) Request(req Req) []byte { return request(m.name, m.req, &req) }

// Result reads the answer of [Mux.Serve]. Its error is always an [*Error]: the
// callee's, or one that says what is wrong with the answer.
func (m Method[Req, Res]) Result(data []byte) (Res, error) {
	var res Res
	code, body, failure := unwrap(data)
	if failure == nil && code != "" {
		failure = failed(Code(code), body)
	}
	if failure == nil {
		failure = m.res.read(body, &res)
	}
	if failure != nil {
		var none Res
		return none, failure
	}
	return res, nil
}

// Stream is a stream of frames that another object can be asked for, with the
// type of the request. [NewStream] makes it.
type Stream[Req any] struct {
	name string
	req  *shape
}

// NewStream declares a stream as [NewMethod] declares a method. What the stream
// carries is frames, and in them bytes, whatever is asked for.
func NewStream[Req any](name string) Stream[Req] {
	return Stream[Req]{named(name), declare[Req](name, "request")}
}

// Name is what the stream is called on the wire.
func (s Stream[Req]) Name() string { return s.name }

// Request is the bytes to open the stream with, as for [Method.Request].
func (s Stream[Req]) Request(req Req) []byte { return request(s.name, s.req, &req) }

func named(name string) string {
	if name == "" {
		panic("wire: a method needs a name")
	}
	return name
}

// declare finds out how a type travels. The role names a type that has no name.
func declare[T any](name, role string) *shape {
	s, err := shapeOf(reflect.TypeFor[T](), role)
	if err != nil {
		panic(fmt.Errorf("wire: %s: %w", name, err))
	}
	return s
}

func request(name string, s *shape, req any) []byte {
	data, err := s.write(envelope(name), req)
	if err != nil {
		panic(fmt.Errorf("wire: request of %s: %w", name, err))
	}
	return data
}

func failed(code Code, body *source) *Error {
	message, err := body.text()
	if err == nil {
		err = body.end()
	}
	if err != nil {
		return malformed(err)
	}
	return &Error{code, message}
}
