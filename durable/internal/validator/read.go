package validator

import (
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

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
	r := reader{countdown: c, document: document{source: string(source)}, valid: utf8.Valid(source)}
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
	// valid says that the document is UTF-8.
	valid bool
	// open are the children of the lists and objects that are being read.
	open []node
}

// space passes over white space and returns the next byte, or 0 at the end.
func (r *reader) space() byte {
	source, at := r.source, r.at
	for at < len(source) && source[at] <= ' ' && (source[at] == ' ' || source[at] == '\n' || source[at] == '\r' || source[at] == '\t') {
		at++
	}
	r.at = at
	switch {
	case at == len(source):
		return 0
	case source[at] == 0:
		return 1 // is no JSON, and not the end
	}
	return source[at]
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
