package mcp

import (
	"strconv"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// writer appends compact JSON. The names of fields are the protocol's own and need no escapes, unless a
// method says otherwise. The methods are not inlined, which halves the code of the encoders.
type writer struct{ out []byte }

// separate writes the comma in front of a field or an element that is not the first.
//
//go:noinline
func (w *writer) separate() {
	if n := len(w.out); n > 0 && w.out[n-1] != '{' && w.out[n-1] != '[' && w.out[n-1] != ':' {
		w.out = append(w.out, ',')
	}
}

//go:noinline
func (w *writer) name(name string) {
	w.separate()
	w.out = append(w.out, `"`+name+`":`...)
}

// open begins an object or a list in a field, or, without a name, as an element.
//
//go:noinline
func (w *writer) open(name string, bracket byte) {
	if name != "" {
		w.name(name)
	} else {
		w.separate()
	}
	w.out = append(w.out, bracket)
}

//go:noinline
func (w *writer) close(bracket byte) { w.out = append(w.out, bracket) }

// element writes a string as an element.
//
//go:noinline
func (w *writer) element(s string) {
	w.separate()
	w.out = protocol.AppendQuoted(w.out, s)
}

// text writes a string, also an empty one.
//
//go:noinline
func (w *writer) text(name, s string) {
	w.name(name)
	w.out = protocol.AppendQuoted(w.out, s)
}

// some writes a string unless it is empty.
//
//go:noinline
func (w *writer) some(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

// pointer writes a string unless it is nil.
//
//go:noinline
func (w *writer) pointer(name string, s *string) {
	if s != nil {
		w.text(name, *s)
	}
}

//go:noinline
func (w *writer) texts(name string, list []string) {
	w.open(name, '[')
	for _, s := range list {
		w.element(s)
	}
	w.close(']')
}

//go:noinline
func (w *writer) integer(name string, n int64) {
	w.name(name)
	w.out = strconv.AppendInt(w.out, n, 10)
}

//go:noinline
func (w *writer) number(name string, f float64) {
	w.name(name)
	w.out = strconv.AppendFloat(w.out, f, 'f', -1, 64)
}

// yes writes true, and nothing for false.
//
//go:noinline
func (w *writer) yes(name string, b bool) {
	if b {
		w.raw(name, "true")
	}
}

// flag writes an empty object for true, as capabilities are written.
//
//go:noinline
func (w *writer) flag(name string, b bool) {
	if b {
		w.raw(name, "{}")
	}
}

// raw writes JSON, and null if there is none.
//
//go:noinline
func (w *writer) raw(name, json string) {
	w.name(name)
	w.append(json)
}

//go:noinline
func (w *writer) append(json string) {
	if json == "" {
		json = "null"
	}
	w.out = append(w.out, json...)
}

// json writes JSON in a field or, without a name, as an element.
func (w *writer) json(name, json string) {
	if name != "" {
		w.raw(name, json)
		return
	}
	w.separate()
	w.append(json)
}

// value writes a value unless it is missing.
//
//go:noinline
func (w *writer) value(name string, v Value) {
	if v.Exists() {
		w.raw(name, v.JSON())
	}
}

// foreign writes a field whose name is not the protocol's.
//
//go:noinline
func (w *writer) foreign(name, json string) {
	w.separate()
	w.out = protocol.AppendQuoted(w.out, name)
	w.out = append(w.out, ':')
	w.append(json)
}
