package wire

import "reflect"

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

func (c pointerCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return appendNil(dst), nil
	}
	return c.elem.write(dst, v.Elem())
}

func (c pointerCodec) read(s *source, v reflect.Value) error {
	if s.null() {
		return nil
	}
	v.Set(reflect.New(v.Type().Elem()))
	return c.elem.read(s, v.Elem())
}
