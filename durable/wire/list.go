package wire

import (
	"fmt"
	"reflect"
)

func compileList(t reflect.Type, above []reflect.Type) (codec, error) {
	elem, err := compile(t.Elem(), above)
	switch {
	case err != nil:
		return nil, fault(err, "[]")
	case t.Kind() == reflect.Array:
		return arrayCodec{elem}, nil
	case elem == codec(uintCodec{}) && t.Elem().Kind() == reflect.Uint8:
		return bytesCodec{}, nil
	default:
		return listCodec{elem}, nil
	}
}

// bytesCodec is for a slice of bytes. It reads a copy.
type bytesCodec struct{}

func (bytesCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return appendNil(dst), nil
	}
	return append(appendBytesHead(dst, v.Len()), v.Bytes()...), nil
}

func (bytesCodec) read(s *source, v reflect.Value) error {
	if s.null() {
		return nil
	}
	b, err := s.bytes()
	if err == nil {
		v.SetBytes(append([]byte{}, b...))
	}
	return err
}

func (s *source) bytes() ([]byte, error) {
	h, err := s.want(classBytes)
	if err != nil {
		return nil, err
	}
	return s.take(h.n)
}

// null reads a nil, if the next value is one.
func (s *source) null() bool {
	if len(s.data) == 0 || s.data[0] != 0xc0 {
		return false
	}
	s.data = s.data[1:]
	return true
}

type listCodec struct{ elem codec }

func (c listCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return appendNil(dst), nil
	}
	return writeElements(appendListHead(dst, v.Len()), v, c.elem)
}

func writeElements(dst []byte, v reflect.Value, elem codec) ([]byte, error) {
	for i := range v.Len() {
		var err error
		if dst, err = elem.write(dst, v.Index(i)); err != nil {
			return nil, fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return dst, nil
}

// read grows the slice with the elements that it has read, because an element may be far larger in
// memory than its bytes.
func (c listCodec) read(s *source, v reflect.Value) error {
	if s.null() {
		return nil
	}
	h, err := s.want(classList)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for i := range int(h.n) {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := c.elem.read(s, v.Index(i)); err != nil {
			return fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

// arrayCodec is for arrays, including arrays of bytes. Their length is part of the type.
type arrayCodec struct{ elem codec }

func (c arrayCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return writeElements(appendListHead(dst, v.Len()), v, c.elem)
}

func (c arrayCodec) read(s *source, v reflect.Value) error {
	if err := s.list(uint64(v.Len())); err != nil {
		return err
	}
	for i := range v.Len() {
		if err := c.elem.read(s, v.Index(i)); err != nil {
			return fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}
