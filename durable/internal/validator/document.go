package validator

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
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

const (
	errJSON   failure = "cannot be read: it is no JSON"
	errNested failure = "cannot be read: its values are nested too deep"
	errNumber failure = "cannot be read: a number of it is too large"
)

// read reads a JSON value.
func read(source []byte, c *countdown) (*document, error) {
	if !c.takeBytes(len(source)) {
		return nil, c.end
	}
	r := reader{countdown: c, document: document{source: string(source)}}
	if commas := strings.Count(r.source, ","); commas > manyCommas {
		r.nodes, r.open = make([]node, 0, 2*manyCommas), make([]node, 0, 2*manyCommas)
	}
	root, err := r.value(1)
	if err == nil && r.space() != 0 {
		err = errJSON
	}
	if c.end != nil {
		err = c.end
	}
	if err != nil {
		return nil, err
	}
	r.nodes = append(r.nodes, root)
	return &r.document, nil
}

type reader struct {
	*countdown
	document
	at int
	// open are the children of the lists and objects that are being read.
	open []node
}

// space passes over white space and returns the next byte, or 0 at the end.
func (r *reader) space() byte {
	for ; r.at < len(r.source); r.at++ {
		switch c := r.source[r.at]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			return 1 // is no JSON, and not the end
		default:
			return c
		}
	}
	return 0
}

func (r *reader) value(depth int) (n node, err error) {
	c := r.space()
	begin := r.at
	if depth > limit.Depth {
		return n, errNested
	}
	switch {
	case c == '{' || c == '[':
		n, err = r.children(c, depth)
	case c == '"':
		n, err = r.quoted()
	case c == 't':
		n, err = r.word("true", node{kind: boolean, to: 1})
	case c == 'f':
		n, err = r.word("false", node{kind: boolean})
	case c == 'n':
		n, err = r.word("null", node{kind: null})
	default:
		n, err = r.digits()
	}
	n.begin = int32(begin)
	if !r.take(perValue) {
		return n, r.end
	}
	return n, err
}

// children reads a list or an object.
func (r *reader) children(opening byte, depth int) (n node, err error) {
	n.kind = list
	closing := byte(']')
	if opening == '{' {
		n.kind, closing = object, '}'
	}
	base := len(r.open)
	r.at++
	for first := true; ; first = false {
		switch c := r.space(); {
		case c == closing && first:
			r.at++
			return n, nil
		case c == closing:
			r.at++
			return r.closed(n, base), nil
		case first:
		case c != ',':
			return n, errJSON
		default:
			r.at++
		}
		if n.kind == object {
			if r.space() != '"' {
				return n, errJSON
			}
			begin := r.at
			name, err := r.quoted()
			name.begin = int32(begin)
			if err != nil {
				return n, err
			}
			if r.space() != ':' {
				return n, errJSON
			}
			if !r.take(perField) {
				return n, r.end
			}
			r.at++
			r.open = append(r.open, name)
		}
		child, err := r.value(depth + 1)
		if err != nil {
			return n, err
		}
		r.open = append(r.open, child)
	}
}

// closed moves the children of a value, which begin at base, to where they stay.
func (r *reader) closed(n node, base int) node {
	n.from = int32(len(r.nodes))
	r.nodes = append(r.nodes, r.open[base:]...)
	r.open = r.open[:base]
	n.to = int32(len(r.nodes))
	if n.kind == object {
		r.unique(&n)
	}
	return n
}

// unique leaves the last one of the fields of one name.
func (r *reader) unique(n *node) {
	var names map[string]int32
	if n.len() > fewNames {
		names = make(map[string]int32, n.len())
	}
	to := n.from
	for at := n.from; at < n.to; at += 2 {
		name, before := r.text(r.nodes[at]), int32(-1)
		if names == nil {
			before = r.get(node{kind: object, from: n.from, to: to}, name)
		} else if known, ok := names[name]; ok {
			before = known
		}
		if before >= 0 {
			r.nodes[before] = r.nodes[at+1]
			continue
		}
		r.nodes[to], r.nodes[to+1] = r.nodes[at], r.nodes[at+1]
		if names != nil {
			names[name] = to + 1
		}
		to += 2
	}
	r.nodes = r.nodes[:to]
	n.to = to
	if names != nil {
		if r.names == nil {
			r.names = map[int32]map[string]int32{}
		}
		r.names[n.from] = names
	}
}

func (r *reader) word(word string, n node) (node, error) {
	if !strings.HasPrefix(r.source[r.at:], word) {
		return n, errJSON
	}
	r.at += len(word)
	return n, nil
}

// quoted reads a text.
func (r *reader) quoted() (n node, err error) {
	n.kind = text
	begin, plain := r.at, true
	for r.at++; r.at < len(r.source); r.at++ {
		switch c := r.source[r.at]; {
		case c == '"':
			r.at++
			n.from, n.to = int32(begin+1), int32(r.at-1)
			if plain {
				return n, nil
			}
			return r.decode(n)
		case c < ' ':
			return n, errJSON
		case c == '\\':
			plain = false
			r.at++
		case c >= utf8.RuneSelf:
			if plain = plain && r.isRune(); plain {
				_, size := utf8.DecodeRuneInString(r.source[r.at:])
				r.at += size - 1
			}
		}
	}
	return n, errJSON
}

// isRune says whether a character in UTF-8 is next.
func (r *reader) isRune() bool {
	c, size := utf8.DecodeRuneInString(r.source[r.at:])
	return c != utf8.RuneError || size > 1
}

// decode decodes a text that has escapes, or bytes that are not UTF-8.
func (r *reader) decode(n node) (node, error) {
	var s string
	if !r.takeBytes(8 * int(n.to-n.from)) {
		return n, r.end
	}
	if json.Unmarshal([]byte(r.source[n.from-1:n.to+1]), &s) != nil {
		return n, errJSON
	}
	r.decoded = append(r.decoded, s)
	n.from, n.to = int32(-len(r.decoded)), 0
	return n, nil
}

// digits reads a number.
func (r *reader) digits() (n node, err error) {
	n.kind = number
	begin := r.at
	r.skip('-')
	if !r.skip('0') && !r.run() {
		return n, errJSON
	}
	if r.skip('.') && !r.run() {
		return n, errJSON
	}
	size := r.at - begin
	if r.skip('e') || r.skip('E') {
		if !r.skip('+') {
			r.skip('-')
		}
		if !r.run() || !r.take(perExponent) {
			return n, errJSON
		}
	}
	if size > longNumber && !r.take(perLongNumber+(r.at-begin)/2) {
		return n, r.end
	}
	f, err := strconv.ParseFloat(r.source[begin:r.at], 64)
	if err != nil {
		return n, errNumber
	}
	n.set(f)
	return n, nil
}

func (r *reader) skip(c byte) bool {
	ok := r.at < len(r.source) && r.source[r.at] == c
	if ok {
		r.at++
	}
	return ok
}

// run passes over digits, and says whether there are any.
func (r *reader) run() bool {
	begin := r.at
	for r.at < len(r.source) && '0' <= r.source[r.at] && r.source[r.at] <= '9' {
		r.at++
	}
	return r.at > begin
}
