package wire

import (
	"fmt"
	"reflect"
	"strings"
)

// codec writes and reads the values of one Go type. What it reads into can be
// set, and is zero.
type codec interface {
	write(dst []byte, v reflect.Value) ([]byte, error)
	read(s *source, v reflect.Value) error
}

// shape is the codec of a whole request or result, with the name that errors
// begin with.
type shape struct {
	name  string
	codec codec
}

// shapeOf compiles a type once, when a program starts. There is no codec for what
// cannot travel, so this is the rule and its enforcement in one.
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

// write appends what v points to.
func (s *shape) write(dst []byte, v any) ([]byte, error) {
	dst, err := s.codec.write(dst, reflect.ValueOf(v).Elem())
	if err != nil {
		return nil, fault(err, s.name)
	}
	return dst, nil
}

// read fills what v points to with the last value of a source.
func (s *shape) read(from *source, v any) *Error {
	err := s.codec.read(from, reflect.ValueOf(v).Elem())
	if err != nil {
		return malformed(fault(err, s.name))
	}
	if err := from.end(); err != nil {
		return malformed(err)
	}
	return nil
}

// faultError is an error with the way to the field that it is about.
type faultError struct {
	path string
	err  error
}

// Error is way and error: StartRequest.Options.Limit: a text, want a whole number.
func (f *faultError) Error() string { return fmt.Sprintf("%s: %v", f.path, f.err) }

// Unwrap gives the error without the way.
func (f *faultError) Unwrap() error { return f.err }

// fault puts a step in front of the way that err already has.
func fault(err error, step string) error {
	if f, ok := err.(*faultError); ok {
		return &faultError{step + f.path, f.err}
	}
	return &faultError{step, err}
}
