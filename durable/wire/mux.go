package wire

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// ErrLater is the error of a handler that answers later, with [Method.Answer]. [Mux.Serve] then
// returns nil.
var ErrLater = errors.New("wire: the answer comes later")

// Mux finds the handler of a request. C is what the callee passes to its handlers: its object, its
// storage, the current call. The zero value is empty and ready. Register all handlers when the
// program starts, and only serve after that.
type Mux[C any] struct {
	methods map[string]func(C, *pack.Reader) []byte
	streams map[string]func(C, *pack.Reader) error
}

// Handle registers f as the callee's side of a method. It panics if the mux has a method of that
// name. An error of f crosses, see [Error]. The host handles a panic.
func Handle[C, Req, Res any](m *Mux[C], method Method[Req, Res], f func(C, Req) (Res, error)) {
	m.methods = register(m.methods, method.name, func(ctx C, body *pack.Reader) []byte {
		var req Req
		if failure := method.req.read(body, &req); failure != nil {
			return answerError(failure)
		}
		res, err := f(ctx, req)
		return answerOf(method.res, &res, err)
	})
}

// HandleStream registers f as the callee's side of a stream. f takes the request and starts the
// work that emits the frames. An error of f refuses the stream.
func HandleStream[C, Req any](m *Mux[C], stream Stream[Req], f func(C, Req) error) {
	m.streams = register(m.streams, stream.name, func(ctx C, body *pack.Reader) error {
		var req Req
		if failure := stream.req.read(body, &req); failure != nil {
			return failure
		}
		return f(ctx, req)
	})
}

// Serve answers the bytes of [Method.Request] with the bytes for [Method.Result]. It accepts any
// bytes. It returns nil if the handler answers later.
func (m *Mux[C]) Serve(ctx C, data []byte) []byte {
	name, body, failure := unwrap(data)
	if failure != nil {
		return answerError(failure)
	}
	handler, ok := m.methods[name]
	if !ok {
		return answerError(unknown("method", name))
	}
	return handler(ctx, body)
}

// Open passes the bytes of [Stream.Request] to the handler of the stream. An error says why there
// is no stream. The caller is told by [Refuse].
func (m *Mux[C]) Open(ctx C, data []byte) error {
	name, body, failure := unwrap(data)
	if failure != nil {
		return failure
	}
	handler, ok := m.streams[name]
	if !ok {
		return unknown("stream", name)
	}
	return handler(ctx, body)
}

// Refuse returns a complete stream that says only why there is none.
func Refuse(err error) []byte { return AppendFrame(AppendStart(nil), ErrorFrame(0, err)) }

func register[H any](handlers map[string]H, name string, h H) map[string]H {
	if _, taken := handlers[name]; taken {
		panic(fmt.Errorf("wire: %s is handled twice", name))
	}
	if handlers == nil {
		handlers = map[string]H{}
	}
	handlers[name] = h
	return handlers
}

func unknown(what, name string) *Error {
	return &Error{CodeUnknownMethod, fmt.Sprintf("no %s %q", what, name)}
}

// answerOf returns the answer of a handler that has returned.
func answerOf(s *shape, res any, err error) []byte {
	switch {
	case errors.Is(err, ErrLater):
		return nil
	case err != nil:
		return answerError(err)
	}
	return answer(s, res)
}

func answer(s *shape, res any) []byte {
	w := envelope("")
	if err := s.write(w, res); err != nil {
		return answerError(&Error{CodeInternal, err.Error()})
	}
	data := w.Data()
	if len(data) > MaxCall {
		return answerError(tooLarge(len(data)))
	}
	return data
}

func answerError(err error) []byte {
	e := crossing(err)
	w := envelope(string(e.Code))
	w.Text(e.Message)
	return w.Data()
}
