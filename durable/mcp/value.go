package mcp

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Value is a JSON value that was read within the limits of [Parse]. The zero Value is a missing value,
// which differs from null. A Value is immutable and shares the text that it was read from.
type Value struct{ n *node }

// node is a value that is not missing. A Value is a pointer to it, and its methods are not inlined,
// because decoders call them in hundreds of places: otherwise they would make the module larger by half
// a megabyte.
type node struct {
	text string
	// names are the decoded names of an object's fields.
	names []string
	// items are the values of an object's fields, or the elements of a list.
	items []Value
}

// Exists says whether there is a value. null is one.
func (v Value) Exists() bool { return v.n != nil }

// JSON returns the text of the value, as it was sent. It is "" for a missing value.
//
//go:noinline
func (v Value) JSON() string {
	if v.n == nil {
		return ""
	}
	return v.n.text
}

// IsObject says whether the value is an object.
func (v Value) IsObject() bool { return v.begins('{') }

// IsList says whether the value is a list.
func (v Value) IsList() bool { return v.begins('[') }

// IsText says whether the value is a string.
func (v Value) IsText() bool { return v.begins('"') }

// IsNull says whether the value is null.
func (v Value) IsNull() bool { return v.JSON() == "null" }

//go:noinline
func (v Value) begins(c byte) bool { return v.n != nil && v.n.text[0] == c }

// Get returns the value of an object's field. It is missing if there is no such field, and for a value
// that is no object.
//
//go:noinline
func (v Value) Get(name string) Value {
	if v.n == nil {
		return v
	}
	for i, n := range v.n.names {
		if n == name {
			return v.n.items[i]
		}
	}
	return Value{}
}

// Names returns the names of an object's fields in their order. The caller must not change them.
//
//go:noinline
func (v Value) Names() []string {
	if v.n == nil {
		return nil
	}
	return v.n.names
}

// Items returns the elements of a list, or the values of an object's fields in the order of
// [Value.Names]. The caller must not change them.
//
//go:noinline
func (v Value) Items() []Value {
	if v.n == nil {
		return nil
	}
	return v.n.items
}

// Text returns the content of a string, or "" for any other value.
//
//go:noinline
func (v Value) Text() string {
	if !v.IsText() {
		return ""
	}
	return unquote(v.n.text)
}

// unquote returns the content of a string that the parser has checked.
func unquote(text string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text[1 : len(text)-1]
	}
	var s string
	_ = json.Unmarshal([]byte(text), &s)
	return s
}

// text returns the content of a field that is a string, or "".
//
//go:noinline
func (v Value) text(name string) string { return v.Get(name).Text() }

// hasText says whether a field is a string, and hasObject whether it is an object.
//
//go:noinline
func (v Value) hasText(name string) bool { return v.Get(name).IsText() }

//go:noinline
func (v Value) hasObject(name string) bool { return v.Get(name).IsObject() }

// isTrue says whether a field is true.
//
//go:noinline
func (v Value) isTrue(name string) bool { return v.Get(name).Bool() }

// Bool says whether the value is true.
func (v Value) Bool() bool { return v.JSON() == "true" }

// Number returns a number. It is false for any other value, and for a number that is too large.
func (v Value) Number() (float64, bool) {
	text := v.JSON()
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// maxInteger is the largest integer that every JSON library keeps exact.
const maxInteger = 1<<53 - 1

// Integer returns a whole number, however it is written. It is false for any other value, and for one
// that not every JSON library keeps exact.
func (v Value) Integer() (int64, bool) {
	f, ok := v.Number()
	if !ok || f != math.Trunc(f) || math.Abs(f) > maxInteger {
		return 0, false
	}
	return int64(f), true
}

// texts returns the strings of a list, without its other elements.
func (v Value) texts() (list []string) {
	if !v.IsList() {
		return nil
	}
	for _, item := range v.Items() {
		if item.IsText() {
			list = append(list, item.Text())
		}
	}
	return list
}

// object returns the value if it is an object, and otherwise a missing value.
func (v Value) object() Value {
	if v.IsObject() {
		return v
	}
	return Value{}
}
