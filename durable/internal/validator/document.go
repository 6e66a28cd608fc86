package validator

import (
	"math"
	"strings"
)

// kind is what a JSON value is. Kinds are bits, so that a schema can name several.
type kind uint8

const (
	null kind = 1 << iota
	boolean
	number
	text
	list
	object
	// integer is a number without a fraction. Only schemas name it.
	integer
)

// node is a value of a document.
type node struct {
	kind kind
	// begin is where the value begins.
	begin int32
	// from and to are where the rest is: the bytes of a text between its quotes, or the children of a list or
	// an object in document.nodes. An object has a name and a value by turns. A text with escapes has its index
	// in document.decoded, as -1-from. A number has the two halves of its float64 here, and true has to = 1.
	from, to int32
}

// number returns the value of a number.
func (n node) number() float64 {
	return math.Float64frombits(uint64(uint32(n.from))<<32 | uint64(uint32(n.to)))
}

// set sets the value of a number.
func (n *node) set(f float64) {
	bits := math.Float64bits(f)
	n.from, n.to = int32(bits>>32), int32(bits)
}

// isTrue says whether a value is true.
func (n node) isTrue() bool { return n.kind == boolean && n.to == 1 }

// document is a JSON value that was read. Its root is the last node.
type document struct {
	source  string
	nodes   []node
	decoded []string
	// names are the names of large objects, by the first child of each.
	names map[int32]map[string]int32
}

// manyCommas is the number of commas from which on there is room for many values from the beginning.
const manyCommas = 16 << 10

// fewNames is the number of names of an object that are compared one by one.
const fewNames = 8

func (d *document) root() int32 { return int32(len(d.nodes) - 1) }

// text returns the content of a text, or "" for any other value.
func (d *document) text(n node) string {
	switch {
	case n.kind != text:
		return ""
	case n.from < 0:
		return d.decoded[-1-n.from]
	}
	return d.source[n.from:n.to]
}

// json returns the beginning of a value as it was written, of at least most bytes if it has as many.
func (d *document) json(n node, most int) string {
	depth, quoted := 0, false
	for at := int(n.begin); at < len(d.source); at++ {
		switch c := d.source[at]; {
		case at > int(n.begin)+most:
			return d.source[n.begin:at]
		case quoted && c == '\\':
			at++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case depth == 0 && strings.IndexByte(",]} \t\r\n", c) >= 0:
			return d.source[n.begin:at]
		case c == ']' || c == '}':
			if depth--; depth == 0 {
				return d.source[n.begin : at+1]
			}
		}
	}
	return d.source[n.begin:]
}

// get returns the value of an object's field, or -1.
func (d *document) get(n node, name string) int32 {
	if n.kind != object {
		return -1
	}
	if names := d.names[n.from]; names != nil {
		if at, ok := names[name]; ok {
			return at
		}
		return -1
	}
	for at := n.from; at < n.to; at += 2 {
		if d.text(d.nodes[at]) == name {
			return at + 1
		}
	}
	return -1
}

// len returns the number of a list's elements, or of an object's fields.
func (n node) len() int {
	if n.kind == object {
		return int(n.to-n.from) / 2
	}
	return int(n.to - n.from)
}
