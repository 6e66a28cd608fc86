package wire

import (
	"encoding"
	"reflect"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

type (
	binaryValue interface {
		encoding.BinaryMarshaler
		encoding.BinaryUnmarshaler
	}
	textValue interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
)

// ownCodec returns the codec of a type that implements both methods of encoding's binary form, or
// else both of its text form. One method of a pair does not count.
func ownCodec(t reflect.Type) (codec, error) {
	c := broughtAlong(reflect.PointerTo(t))
	if c == nil || t.Kind() != reflect.Struct {
		return c, nil
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (broughtAlong(f.Type) != nil || broughtAlong(reflect.PointerTo(f.Type)) != nil) {
			return nil, fault(errPromoted, "."+f.Name)
		}
	}
	return c, nil
}

func broughtAlong(t reflect.Type) codec {
	switch {
	case t.Implements(reflect.TypeFor[binaryValue]()):
		return ownBinary{}
	case t.Implements(reflect.TypeFor[textValue]()):
		return ownText{}
	default:
		return nil
	}
}

// pointerTo returns the address of a value, or of a copy if the value has no address.
func pointerTo(v reflect.Value) any {
	if !v.CanAddr() {
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p.Elem()
	}
	return v.Addr().Interface()
}

type ownBinary struct{}

func (ownBinary) write(w *pack.Writer, v reflect.Value) error {
	b, err := pointerTo(v).(binaryValue).MarshalBinary()
	w.Bytes(b)
	return err
}

func (ownBinary) read(r *pack.Reader, v reflect.Value) error {
	b, err := r.Bytes()
	if err != nil {
		return err
	}
	return pointerTo(v).(binaryValue).UnmarshalBinary(b)
}

type ownText struct{}

func (ownText) write(w *pack.Writer, v reflect.Value) error {
	b, err := pointerTo(v).(textValue).MarshalText()
	w.Text(string(b))
	return err
}

func (ownText) read(r *pack.Reader, v reflect.Value) error {
	text, err := r.Text()
	if err != nil {
		return err
	}
	return pointerTo(v).(textValue).UnmarshalText([]byte(text))
}
