package validator

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// special are the bytes in a text that need a look: its end, escapes, control characters, and those that are not ASCII.
var special = func() (special [256]bool) {
	for c := range special {
		special[c] = c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\'
	}
	return special
}()

// quoted reads a text.
func (r *reader) quoted() (n node, err error) {
	n.kind = text
	begin, plain, source := r.at, true, r.source
	for at := begin + 1; at < len(source); at++ {
		c := source[at]
		switch {
		case !special[c]:
		case c == '"':
			r.at = at + 1
			n.from, n.to = int32(begin+1), int32(at)
			if plain {
				return n, nil
			}
			return r.decode(n)
		case c < ' ':
			return n, errJSON
		case c == '\\':
			plain = false
			at++
		default:
			plain = plain && r.valid
		}
	}
	return n, errJSON
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
	if r.skip('e') || r.skip('E') {
		if !r.skip('+') {
			r.skip('-')
		}
		if !r.run() || !r.take(perExponent) {
			return n, errJSON
		}
	}
	if !r.take(limit.NumberCost(r.source[begin:r.at]) - 1) {
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
