package wire

import (
	"fmt"
	"reflect"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// Method is a call between objects, with its types. [NewMethod] makes it.
type Method[Req, Res any] struct {
	name string
	req  *shape
	res  *shape
}

// NewMethod declares a method, at the top level of a package. It panics if a type cannot cross, and
// names the field. The analyser in durable/wire/travel reports the same before the program runs.
func NewMethod[Req, Res any](name string) Method[Req, Res] {
	return Method[Req, Res]{named(name), declare(reflect.TypeFor[Req](), name, "request"), declare(reflect.TypeFor[Res](), name, "result")}
}

// Name returns the method's name on the wire.
func (m Method[Req, Res]) Name() string { return m.name }

// Request returns the bytes that call the method. It panics if a codec of the request's own types
// fails. The callee refuses a request above [MaxCall].
func (m Method[Req, Res]) Request(req Req) []byte { return request(m.name, m.req, &req) }

// Result reads the answer of [Mux.Serve]. Its error is always an [*Error]: the callee's, or one
// that says what is wrong with the answer.
func (m Method[Req, Res]) Result(data []byte) (Res, error) {
	var res Res
	if failure := result(data, m.res, &res); failure != nil {
		var none Res
		return none, failure
	}
	return res, nil
}

// Answer returns the bytes for [Method.Result], for a callee that answers later, see [ErrLater].
func (m Method[Req, Res]) Answer(res Res) []byte { return answer(m.res, &res) }

// Stream is a stream of frames that an object can request of another, with the type of the request.
// [NewStream] makes it.
type Stream[Req any] struct {
	name string
	req  *shape
}

// NewStream declares a stream, like [NewMethod] a method. Every stream carries frames of bytes,
// whatever its request is.
func NewStream[Req any](name string) Stream[Req] {
	return Stream[Req]{named(name), declare(reflect.TypeFor[Req](), name, "request")}
}

// Name returns the stream's name on the wire.
func (s Stream[Req]) Name() string { return s.name }

// Request returns the bytes that open the stream, like [Method.Request].
func (s Stream[Req]) Request(req Req) []byte { return request(s.name, s.req, &req) }

func named(name string) string {
	if name == "" {
		panic("wire: a method needs a name")
	}
	return name
}

// What follows has no type parameters: the compiler makes a generic function anew for each method.

// declare compiles a type. role names a type that has no name.
func declare(t reflect.Type, name, role string) *shape {
	s, err := shapeOf(t, role)
	if err != nil {
		panic(fmt.Errorf("wire: %s: %w", name, err))
	}
	return s
}

func request(name string, s *shape, req any) []byte {
	w := envelope(name)
	if err := s.write(w, req); err != nil {
		panic(fmt.Errorf("wire: request of %s: %w", name, err))
	}
	return w.Data()
}

// result reads an answer into what res points to.
func result(data []byte, s *shape, res any) *Error {
	code, body, failure := unwrap(data)
	switch {
	case failure != nil:
		return failure
	case code != "":
		return failed(Code(code), body)
	}
	return s.read(body, res)
}

func failed(code Code, body *pack.Reader) *Error {
	message, err := body.Text()
	if err == nil {
		err = body.End()
	}
	if err != nil {
		return malformed(err)
	}
	return &Error{code, message}
}
