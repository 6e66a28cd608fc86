package wire

import (
	"fmt"
	"reflect"

	"github.com/tributary-agents/tributary/durable/internal/pack"
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

func (bytesCodec) write(w *pack.Writer, v reflect.Value) error {
	if v.IsNil() {
		w.Nil()
		return nil
	}
	w.Bytes(v.Bytes())
	return nil
}

func (bytesCodec) read(r *pack.Reader, v reflect.Value) error {
	if r.Nil() {
		return nil
	}
	b, err := r.Bytes()
	if err == nil {
		v.SetBytes(b)
	}
	return err
}

type listCodec struct{ elem codec }

func (c listCodec) write(w *pack.Writer, v reflect.Value) error {
	if v.IsNil() {
		w.Nil()
		return nil
	}
	return writeElements(w, v, c.elem)
}

func writeElements(w *pack.Writer, v reflect.Value, elem codec) error {
	w.List(v.Len())
	for i := range v.Len() {
		if err := elem.write(w, v.Index(i)); err != nil {
			return fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

// read grows the slice with the elements that it has read, because an element may be far larger in
// memory than its bytes.
func (c listCodec) read(r *pack.Reader, v reflect.Value) error {
	if r.Nil() {
		return nil
	}
	n, err := r.List()
	if err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for i := range n {
		v.Grow(1)
		v.SetLen(i + 1)
		if err := c.elem.read(r, v.Index(i)); err != nil {
			return fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}

// arrayCodec is for arrays, including arrays of bytes. Their length is part of the type.
type arrayCodec struct{ elem codec }

func (c arrayCodec) write(w *pack.Writer, v reflect.Value) error {
	return writeElements(w, v, c.elem)
}

func (c arrayCodec) read(r *pack.Reader, v reflect.Value) error {
	if err := r.Exactly(v.Len()); err != nil {
		return err
	}
	for i := range v.Len() {
		if err := c.elem.read(r, v.Index(i)); err != nil {
			return fault(err, fmt.Sprintf("[%d]", i))
		}
	}
	return nil
}
