package abi

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// writer appends values to out, each in its shortest form of msgpack.
type writer struct{ out []byte }

func (w *writer) null() { w.out = append(w.out, codeNil) }

func (w *writer) boolean(b bool) {
	if b {
		w.out = append(w.out, codeTrue)
	} else {
		w.out = append(w.out, codeFalse)
	}
}

func (w *writer) integer(n int64) {
	switch {
	case n >= 0:
		w.number(uint64(n))
	case n >= -32:
		w.out = append(w.out, byte(n))
	case n >= math.MinInt8:
		w.out = append(w.out, codeInt8, byte(n))
	case n >= math.MinInt16:
		w.out = binary.BigEndian.AppendUint16(append(w.out, codeInt16), uint16(n))
	case n >= math.MinInt32:
		w.out = binary.BigEndian.AppendUint32(append(w.out, codeInt32), uint32(n))
	default:
		w.out = binary.BigEndian.AppendUint64(append(w.out, codeInt64), uint64(n))
	}
}

func (w *writer) number(n uint64) {
	switch {
	case n <= maxFixed:
		w.out = append(w.out, byte(n))
	case n <= math.MaxUint8:
		w.out = append(w.out, codeUint8, byte(n))
	case n <= math.MaxUint16:
		w.out = binary.BigEndian.AppendUint16(append(w.out, codeUint16), uint16(n))
	case n <= math.MaxUint32:
		w.out = binary.BigEndian.AppendUint32(append(w.out, codeUint32), uint32(n))
	default:
		w.out = binary.BigEndian.AppendUint64(append(w.out, codeUint64), n)
	}
}

func (w *writer) float(f float64) {
	w.out = binary.BigEndian.AppendUint64(append(w.out, codeDouble), math.Float64bits(f))
}

func (w *writer) text(s string) {
	switch n := len(s); {
	case n <= maxFixedText:
		w.out = append(w.out, codeFixedText|byte(n))
	case n <= math.MaxUint8:
		w.out = append(w.out, codeText8, byte(n))
	default:
		w.length(n, codeText16)
	}
	w.out = append(w.out, s...)
}

// blob appends bytes, or nil for none.
func (w *writer) blob(b []byte) {
	switch n := len(b); {
	case b == nil:
		w.null()
		return
	case n <= math.MaxUint8:
		w.out = append(w.out, codeBytes8, byte(n))
	default:
		w.length(n, codeBytes16)
	}
	w.out = append(w.out, b...)
}

// list appends the head of a list of n elements.
func (w *writer) list(n int) {
	if n <= maxFixedList {
		w.out = append(w.out, codeFixedList|byte(n))
	} else {
		w.length(n, codeList16)
	}
}

// table appends a map of texts as a list in which each key is followed by its value, in the order of
// the keys.
func (w *writer) table(t map[string]string) {
	keys := make([]string, 0, len(t))
	for key := range t {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	w.list(2 * len(keys))
	for _, key := range keys {
		w.text(key)
		w.text(t[key])
	}
}

// length appends a length in two bytes behind code, or in four bytes behind the next code.
func (w *writer) length(n int, code byte) {
	if n <= math.MaxUint16 {
		w.out = binary.BigEndian.AppendUint16(append(w.out, code), uint16(n))
	} else {
		w.out = binary.BigEndian.AppendUint32(append(w.out, code+1), uint32(n))
	}
}

// value appends a value of SQL.
func (w *writer) value(v any) {
	switch v := v.(type) {
	case nil:
		w.null()
	case int:
		w.integer(int64(v))
	case int64:
		w.integer(v)
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		w.integer(n)
	case float64:
		w.float(v)
	case string:
		w.text(v)
	case []byte:
		w.blob(v)
	default:
		panic(fmt.Errorf("abi: %T is no value of SQL", v))
	}
}
