package wire

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// tableCodec is for maps. It writes them in the order of their keys, so that equal values have
// equal bytes.
type tableCodec struct{ key, elem codec }

func compileTable(t reflect.Type, above []reflect.Type) (codec, error) {
	key, _ := compile(t.Key(), above)
	switch key.(type) {
	case textCodec, intCodec, uintCodec:
	default:
		return nil, errKey
	}
	elem, err := compile(t.Elem(), above)
	if err != nil {
		return nil, fault(err, "[]")
	}
	return tableCodec{key, elem}, nil
}

func (c tableCodec) write(dst []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return appendNil(dst), nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, compareKeys)
	dst = appendMapHead(dst, len(keys))
	for _, k := range keys {
		dst, _ = c.key.write(dst, k)
		var err error
		if dst, err = c.elem.write(dst, v.MapIndex(k)); err != nil {
			return nil, fault(err, fmt.Sprintf("[%v]", k))
		}
	}
	return dst, nil
}

func (c tableCodec) read(s *source, v reflect.Value) error {
	if s.null() {
		return nil
	}
	h, err := s.want(classMap)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range h.n {
		key := reflect.New(v.Type().Key()).Elem()
		if err := c.key.read(s, key); err != nil {
			return fmt.Errorf("key: %w", err)
		}
		if v.MapIndex(key).IsValid() {
			return fmt.Errorf("key %v comes twice", key)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := c.elem.read(s, elem); err != nil {
			return fault(err, fmt.Sprintf("[%v]", key))
		}
		v.SetMapIndex(key, elem)
	}
	return nil
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.Kind() == reflect.String:
		return cmp.Compare(a.String(), b.String())
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	default:
		return cmp.Compare(a.Uint(), b.Uint())
	}
}
