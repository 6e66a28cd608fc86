package wire

import (
	"fmt"
	"math"
	"reflect"
)

type boolCodec struct{}

func (boolCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return appendBool(dst, v.Bool()), nil
}

func (boolCodec) read(s *source, v reflect.Value) error {
	h, err := s.want(classBool)
	if err == nil {
		v.SetBool(h.n == 1)
	}
	return err
}

type textCodec struct{}

func (textCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return appendText(dst, v.String()), nil
}

func (textCodec) read(s *source, v reflect.Value) error {
	text, err := s.text()
	if err == nil {
		v.SetString(text)
	}
	return err
}

type floatCodec struct{}

func (floatCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return appendFloat(dst, v.Float()), nil
}

func (floatCodec) read(s *source, v reflect.Value) error {
	h, err := s.want(classFloat)
	if err != nil {
		return err
	}
	f := math.Float64frombits(h.n)
	if v.OverflowFloat(f) {
		return fmt.Errorf("%v does not fit into %s", f, v.Kind())
	}
	v.SetFloat(f)
	return nil
}

type intCodec struct{}

func (intCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return appendInt(dst, v.Int()), nil
}

func (intCodec) read(s *source, v reflect.Value) error {
	h, err := s.number()
	if err != nil {
		return err
	}
	if h.class == classUint && h.n > math.MaxInt64 || v.OverflowInt(int64(h.n)) {
		return misfit(h, v)
	}
	v.SetInt(int64(h.n))
	return nil
}

type uintCodec struct{}

func (uintCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	return appendUint(dst, v.Uint()), nil
}

func (uintCodec) read(s *source, v reflect.Value) error {
	h, err := s.number()
	if err != nil {
		return err
	}
	if h.class == classInt && int64(h.n) < 0 || v.OverflowUint(h.n) {
		return misfit(h, v)
	}
	v.SetUint(h.n)
	return nil
}

// number reads a whole number, signed or unsigned.
func (s *source) number() (head, error) {
	h, err := s.head()
	if err == nil && h.class != classUint && h.class != classInt {
		err = fmt.Errorf("%s, want %s", h.class, classInt)
	}
	return h, err
}

func misfit(h head, v reflect.Value) error {
	if h.class == classInt {
		return fmt.Errorf("%d does not fit into %s", int64(h.n), v.Kind())
	}
	return fmt.Errorf("%d does not fit into %s", h.n, v.Kind())
}
