package wire

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"github.com/tributary-agents/tributary/durable/internal/pack"
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

func (c tableCodec) write(w *pack.Writer, v reflect.Value) error {
	if v.IsNil() {
		w.Nil()
		return nil
	}
	keys := v.MapKeys()
	slices.SortFunc(keys, compareKeys)
	w.Map(len(keys))
	for _, k := range keys {
		_ = c.key.write(w, k) // no key has a codec of its own
		if err := c.elem.write(w, v.MapIndex(k)); err != nil {
			return fault(err, fmt.Sprintf("[%v]", k))
		}
	}
	return nil
}

func (c tableCodec) read(r *pack.Reader, v reflect.Value) error {
	if r.Nil() {
		return nil
	}
	n, err := r.Map()
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key := reflect.New(v.Type().Key()).Elem()
		if err := c.key.read(r, key); err != nil {
			return fmt.Errorf("key: %w", err)
		}
		if v.MapIndex(key).IsValid() {
			return fmt.Errorf("key %v comes twice", key)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := c.elem.read(r, elem); err != nil {
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
