package mcp

import (
	"reflect"
	"strings"
)

// The structs of the protocol are read and written by the tags of their fields: mcp:"name,option".
// A field without a name is written into the object that it is in. The options are
//
//	omit   the field is not written if it is zero
//	need   reading fails without it
//	flag   true is an empty object, as in capabilities
//	object a Value must be an object
//
// Code for each struct would make the module three times as large as a description that is interpreted.
// encoding/json is not used because it takes a field for another one whose name differs in case.

// decoder reads a value in a way of its own. It is false for a value that is none.
type decoder interface{ decode(v Value) bool }

// encoder writes a value in a way of its own: as a field, or, without a name, as an element or as fields.
type encoder interface{ encode(w *writer, name string) }

// decode reads an object into the struct that to points to. Its error names the first field that is of
// another type, or is needed and missing. All other fields are read.
func decode(v Value, to any) error { return decodeStruct(v, reflect.ValueOf(to).Elem()) }

func decodeStruct(v Value, s reflect.Value) (err error) {
	for i := range s.NumField() {
		tag, tagged := s.Type().Field(i).Tag.Lookup("mcp")
		if !tagged {
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		item := v
		if name != "" {
			item = v.Get(name)
		}
		wrong := !decodeField(item, s.Field(i), option)
		if wrong && err == nil && (option == "need" || item.Exists() && !item.IsNull()) {
			err = invalidParams("the field " + name + " is missing, or of another type")
		}
	}
	return err
}

// decodeField says whether the value is of the field's type.
func decodeField(v Value, f reflect.Value, option string) (ok bool) {
	switch to := f.Addr().Interface().(type) {
	case decoder:
		return to.decode(v)
	case *Value:
		if option == "object" && !v.IsObject() {
			return false
		}
		*to = v
		return v.Exists()
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(v.Text())
		return v.IsText()
	case reflect.Bool:
		f.SetBool(v.Bool() || option == "flag" && v.IsObject())
		return v.Bool() || v.JSON() == "false" || v.IsObject()
	case reflect.Int64:
		n, ok := v.Integer()
		f.SetInt(n)
		return ok
	case reflect.Float64:
		n, ok := v.Number()
		f.SetFloat(n)
		return ok
	case reflect.Pointer:
		p := reflect.New(f.Type().Elem())
		if ok = decodeField(v, p.Elem(), ""); ok {
			f.Set(p)
		}
		return ok
	case reflect.Slice:
		return decodeList(v, f)
	}
	return decodeStruct(v, f) == nil && v.IsObject()
}

// decodeList leaves out elements of another type. A list that is null is an empty one: it is what Go writes for a list
// without elements.
func decodeList(v Value, f reflect.Value) bool {
	if !v.IsList() && !v.IsNull() {
		return false
	}
	list := reflect.MakeSlice(f.Type(), 0, len(v.Items()))
	for _, item := range v.Items() {
		element := reflect.New(f.Type().Elem()).Elem()
		if decodeField(item, element, "") || element.Kind() == reflect.Struct && item.IsObject() {
			list = reflect.Append(list, element)
		}
	}
	f.Set(list)
	return true
}

// fields writes the fields of a struct into an object.
func (w *writer) fields(from any) {
	if e, ok := from.(encoder); ok {
		e.encode(w, "")
		return
	}
	w.structure(reflect.ValueOf(from))
}

func (w *writer) structure(s reflect.Value) {
	for i := range s.NumField() {
		if tag, tagged := s.Type().Field(i).Tag.Lookup("mcp"); tagged {
			name, option, _ := strings.Cut(tag, ",")
			w.member(s.Field(i), name, option)
		}
	}
}

// member writes a field of a struct. Without a name, its own fields are written.
func (w *writer) member(f reflect.Value, name, option string) {
	if _, own := f.Interface().(encoder); name == "" && !own {
		w.structure(f)
		return
	}
	w.field(f, name, option)
}

func (w *writer) field(f reflect.Value, name, option string) {
	if option == "omit" && f.IsZero() {
		return
	}
	switch from := f.Interface().(type) {
	case encoder:
		from.encode(w, name)
		return
	case Value:
		w.value(name, from)
		return
	}
	switch f.Kind() {
	case reflect.String:
		if name == "" {
			w.element(f.String())
		} else {
			w.text(name, f.String())
		}
	case reflect.Bool:
		if option == "flag" {
			w.flag(name, f.Bool())
		} else {
			w.yes(name, f.Bool())
		}
	case reflect.Int64:
		w.integer(name, f.Int())
	case reflect.Float64:
		w.number(name, f.Float())
	case reflect.Pointer:
		if !f.IsNil() {
			w.field(f.Elem(), name, "")
		}
	case reflect.Slice:
		w.open(name, '[')
		for i := range f.Len() {
			w.field(f.Index(i), "", "")
		}
		w.close(']')
	default:
		w.open(name, '{')
		w.structure(f)
		w.close('}')
	}
}
