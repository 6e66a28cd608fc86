package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/pack"
)

// structCodec is for structs. A struct is a map from the names of its fields to their values,
// without the zero ones. The reader skips an unknown name and leaves a missing field zero, so that
// either end may be newer.
type structCodec struct {
	fields []field
	byName map[string]int
}

type field struct {
	name  string // on the wire
	step  string // in errors
	index int    // in the struct
	codec codec
}

func compileStruct(t reflect.Type, above []reflect.Type) (codec, error) {
	c := structCodec{byName: map[string]int{}}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		if name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		elem, err := compileField(f, above)
		if _, taken := c.byName[name]; taken && err == nil {
			err = errSameName
		}
		if err != nil {
			return nil, fault(err, "."+f.Name)
		}
		c.byName[name] = len(c.fields)
		c.fields = append(c.fields, field{name, "." + f.Name, i, elem})
	}
	return c, nil
}

// compileField reports a lock as a lock, although its field is rarely exported.
func compileField(f reflect.StructField, above []reflect.Type) (codec, error) {
	if !f.IsExported() && !isLock(f.Type) {
		return nil, errUnexport
	}
	return compile(f.Type, above)
}

func (c structCodec) write(w *pack.Writer, v reflect.Value) error {
	present := 0
	for _, f := range c.fields {
		if !v.Field(f.index).IsZero() {
			present++
		}
	}
	w.Map(present)
	for _, f := range c.fields {
		value := v.Field(f.index)
		if value.IsZero() {
			continue
		}
		w.Text(f.name)
		if err := f.codec.write(w, value); err != nil {
			return fault(err, f.step)
		}
	}
	return nil
}

func (c structCodec) read(r *pack.Reader, v reflect.Value) error {
	n, err := r.Map()
	if err != nil {
		return err
	}
	seen := make([]bool, len(c.fields))
	for range n {
		name, err := r.Text()
		if err != nil {
			return fmt.Errorf("name of a field: %w", err)
		}
		i, known := c.byName[name]
		switch {
		case !known:
			err = r.Skip()
		case seen[i]:
			err = fmt.Errorf("field %q comes twice", name)
		default:
			seen[i] = true
			err = c.fields[i].read(r, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f field) read(r *pack.Reader, v reflect.Value) error {
	if err := f.codec.read(r, v.Field(f.index)); err != nil {
		return fault(err, f.step)
	}
	return nil
}
