package wire

import (
	"reflect"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// pointerCodec is for an optional value.
type pointerCodec struct{ elem codec }

func compilePointer(t reflect.Type, above []reflect.Type) (codec, error) {
	elem, err := compile(t.Elem(), above)
	if err != nil {
		return nil, err
	}
	switch elem.(type) {
	case bytesCodec, listCodec, tableCodec, pointerCodec:
		return nil, errTwoNils
	}
	return pointerCodec{elem}, nil
}

func (c pointerCodec) write(w *pack.Writer, v reflect.Value) error {
	if v.IsNil() {
		w.Nil()
		return nil
	}
	return c.elem.write(w, v.Elem())
}

func (c pointerCodec) read(r *pack.Reader, v reflect.Value) error {
	if r.Nil() {
		return nil
	}
	v.Set(reflect.New(v.Type().Elem()))
	return c.elem.read(r, v.Elem())
}
