package wire

import (
	"fmt"
	"math"
	"reflect"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

type boolCodec struct{}

func (boolCodec) write(w *pack.Writer, v reflect.Value) error {
	w.Bool(v.Bool())
	return nil
}

func (boolCodec) read(r *pack.Reader, v reflect.Value) error {
	b, err := r.Bool()
	if err == nil {
		v.SetBool(b)
	}
	return err
}

type textCodec struct{}

func (textCodec) write(w *pack.Writer, v reflect.Value) error {
	w.Text(v.String())
	return nil
}

func (textCodec) read(r *pack.Reader, v reflect.Value) error {
	text, err := r.Text()
	if err == nil {
		v.SetString(text)
	}
	return err
}

type floatCodec struct{}

func (floatCodec) write(w *pack.Writer, v reflect.Value) error {
	w.Float(v.Float())
	return nil
}

func (floatCodec) read(r *pack.Reader, v reflect.Value) error {
	f, err := r.Float()
	if err != nil {
		return err
	}
	if v.OverflowFloat(f) {
		return fmt.Errorf("%v does not fit into %s", f, v.Kind())
	}
	v.SetFloat(f)
	return nil
}

type intCodec struct{}

func (intCodec) write(w *pack.Writer, v reflect.Value) error {
	w.Int(v.Int())
	return nil
}

func (intCodec) read(r *pack.Reader, v reflect.Value) error {
	n, err := r.Number()
	if err != nil {
		return err
	}
	if !n.Negative && n.N > math.MaxInt64 || v.OverflowInt(int64(n.N)) {
		return misfit(n, v)
	}
	v.SetInt(int64(n.N))
	return nil
}

type uintCodec struct{}

func (uintCodec) write(w *pack.Writer, v reflect.Value) error {
	w.Uint(v.Uint())
	return nil
}

func (uintCodec) read(r *pack.Reader, v reflect.Value) error {
	n, err := r.Number()
	if err != nil {
		return err
	}
	if n.Negative || v.OverflowUint(n.N) {
		return misfit(n, v)
	}
	v.SetUint(n.N)
	return nil
}

func misfit(n pack.Number, v reflect.Value) error {
	return fmt.Errorf("%s does not fit into %s", n, v.Kind())
}
