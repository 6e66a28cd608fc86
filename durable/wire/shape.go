package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// codec writes and reads the values of one Go type. The value that it reads into can be set, and is
// zero.
type codec interface {
	write(w *pack.Writer, v reflect.Value) error
	read(r *pack.Reader, v reflect.Value) error
}

// shape is the codec of a whole request or result, with the name that begins its errors.
type shape struct {
	name  string
	codec codec
}

// shapeOf compiles a type once, when a program starts. A type that cannot cross has no codec, so
// this function both defines the rule and enforces it.
func shapeOf(t reflect.Type, role string) (*shape, error) {
	name, _, _ := strings.Cut(t.Name(), "[")
	if name == "" {
		name = role
	}
	c, err := compile(t, nil)
	if err != nil {
		return nil, fault(err, name)
	}
	return &shape{name, c}, nil
}

// write writes the value that v points to.
func (s *shape) write(w *pack.Writer, v any) error {
	if err := s.codec.write(w, reflect.ValueOf(v).Elem()); err != nil {
		return fault(err, s.name)
	}
	return nil
}

// read reads the last value into the value that v points to.
func (s *shape) read(from *pack.Reader, v any) *Error {
	err := s.codec.read(from, reflect.ValueOf(v).Elem())
	if err != nil {
		return malformed(fault(err, s.name))
	}
	if err := from.End(); err != nil {
		return malformed(err)
	}
	return nil
}

// faultError is an error with the path of the field that it is about.
type faultError struct {
	path string
	err  error
}

// Error is path and error: StartRequest.Options.Limit: a text, want a whole number.
func (f *faultError) Error() string { return fmt.Sprintf("%s: %v", f.path, f.err) }

// Unwrap returns the error without the path.
func (f *faultError) Unwrap() error { return f.err }

// fault prepends a step to the path of err.
func fault(err error, step string) error {
	if f, ok := err.(*faultError); ok {
		return &faultError{step + f.path, f.err}
	}
	return &faultError{step, err}
}
