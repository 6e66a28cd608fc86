package validator

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// key appends the key of a value: two values are equal exactly if their keys are. ok is false if no steps were
// left.
func (c *countdown) key(b []byte, d *document, at int32) (key []byte, ok bool) {
	n := d.nodes[at]
	if !c.take(1) {
		return b, false
	}
	switch n.kind {
	case null:
		return append(b, 'n'), true
	case boolean:
		return append(b, 'b', byte(n.to)), true
	case number:
		f := n.number()
		if f == 0 {
			f = 0 // there is no minus zero in JSON
		}
		return binary.BigEndian.AppendUint64(append(b, 'd'), math.Float64bits(f)), true
	case text:
		s := d.text(n)
		if !c.takeBytes(len(s)) {
			return b, false
		}
		return append(binary.AppendUvarint(append(b, 't'), uint64(len(s))), s...), true
	case list:
		b = binary.AppendUvarint(append(b, 'l'), uint64(n.len()))
		for at := n.from; at < n.to; at++ {
			if b, ok = c.key(b, d, at); !ok {
				return b, false
			}
		}
		return b, true
	}
	return c.objectKey(b, d, n)
}

// objectKey appends the key of an object, whose names it sorts.
func (c *countdown) objectKey(b []byte, d *document, n node) ([]byte, bool) {
	b = binary.AppendUvarint(append(b, 'o'), uint64(n.len()))
	fields := make([]int32, 0, n.len())
	for at := n.from; at < n.to; at += 2 {
		fields = append(fields, at)
	}
	ok := c.takeSort(d, fields)
	if !ok {
		return b, false
	}
	slices.SortFunc(fields, func(x, y int32) int { return strings.Compare(d.text(d.nodes[x]), d.text(d.nodes[y])) })
	for _, at := range fields {
		if b, ok = c.key(b, d, at); !ok {
			return b, false
		}
		if b, ok = c.key(b, d, at+1); !ok {
			return b, false
		}
	}
	return b, true
}

// takeSort takes the steps of sorting names.
func (c *countdown) takeSort(d *document, names []int32) bool {
	size, rounds := 0, 1
	for _, at := range names {
		size += len(d.text(d.nodes[at]))
	}
	for n := len(names); n > 1; n /= 2 {
		rounds++
	}
	return c.take((2*len(names) + size/bytesAStep) * rounds)
}

// choices are the values of an enum, or that of a const.
type choices struct {
	kinds kind
	keys  map[string]bool
	// words are the beginning of the values, as they were written.
	words string
}

// has says whether a value is one of the choices.
func (v *check) has(c *choices, at int32) bool {
	if v.nodes[at].kind&c.kinds == 0 || !v.take(perLookup) {
		return false
	}
	var ok bool
	v.buffer, ok = v.key(v.buffer[:0], v.document, at)
	return ok && c.keys[string(v.buffer)]
}
