package abi

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

// reader reads values from data. After the first invalid value it has an error, and every further
// value reads as zero.
type reader struct {
	data []byte
	at   int
	err  error
}

// left returns how many bytes have not been read.
func (r *reader) left() int { return len(r.data) - r.at }

// fail ends the reading, unless an earlier value has ended it.
func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.at = len(r.data)
}

// refuse ends the reading at a code that does not begin what is wanted.
func (r *reader) refuse(code byte, wanted string) {
	r.fail(fmt.Errorf("code %#x is no %s", code, wanted))
}

// peek returns the code of the next value without reading it, and codeNone if there is none.
func (r *reader) peek() byte {
	if r.at == len(r.data) {
		r.fail(io.ErrUnexpectedEOF)
		return codeNone
	}
	return r.data[r.at]
}

// code reads the code of the next value.
func (r *reader) code() byte {
	code := r.peek()
	r.at = min(r.at+1, len(r.data))
	return code
}

// take reads n bytes. They are a part of data. It returns nil if there are fewer.
func (r *reader) take(n int) []byte {
	if n > r.left() {
		r.fail(io.ErrUnexpectedEOF)
		return nil
	}
	taken := r.data[r.at : r.at+n]
	r.at += n
	return taken
}

// number reads an unsigned number of width bytes.
func (r *reader) number(width int) uint64 {
	var n uint64
	for _, b := range r.take(width) {
		n = n<<8 | uint64(b)
	}
	return n
}

// boolean reads a boolean. A nil reads as false.
func (r *reader) boolean() bool {
	switch code := r.code(); code {
	case codeTrue:
		return true
	case codeFalse, codeNil:
	default:
		r.refuse(code, "boolean")
	}
	return false
}

// isInteger says whether a code begins an integer in msgpack.
func isInteger(code byte) bool {
	return code <= maxFixed || code >= codeFixedNegative || code >= codeUint8 && code <= codeInt64
}

// integer reads an integer. JavaScript's encoders write whole numbers as integers of any width,
// signed or not, or as a double if they are large. It refuses a fraction, a nil, and an integer
// beyond int64.
func (r *reader) integer() int64 {
	switch code := r.code(); {
	case code <= maxFixed:
		return int64(code)
	case code >= codeFixedNegative:
		return int64(int8(code))
	case code >= codeUint8 && code <= codeUint64:
		n := r.number(1 << (code - codeUint8))
		if n > math.MaxInt64 {
			r.fail(fmt.Errorf("integer %d is too large", n))
			return 0
		}
		return int64(n)
	case code >= codeInt8 && code <= codeInt64:
		width := 1 << (code - codeInt8)
		unused := 64 - 8*width
		return int64(r.number(width)<<unused) >> unused
	case code == codeDouble:
		return r.whole(math.Float64frombits(r.number(8)))
	default:
		r.refuse(code, "integer")
		return 0
	}
}

// whole returns a double that stands for an integer.
func (r *reader) whole(f float64) int64 {
	if f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		r.fail(fmt.Errorf("%v is no integer", f))
		return 0
	}
	return int64(f)
}

// bytes reads a text or bytes, and returns the part of data that holds them. It returns nil for a
// nil. Long values are so copied only once, which matters because linear memory never shrinks.
func (r *reader) bytes() []byte {
	switch code := r.code(); {
	case code == codeNil:
		return nil
	case isFixedText(code):
		return r.take(int(code &^ codeFixedText))
	case code >= codeBytes8 && code <= codeBytes32:
		return r.take(int(r.number(1 << (code - codeBytes8))))
	case code >= codeText8 && code <= codeText32:
		return r.take(int(r.number(1 << (code - codeText8))))
	default:
		r.refuse(code, "text and no blob")
		return nil
	}
}

func isFixedText(code byte) bool { return code >= codeFixedText && code <= codeFixedText|maxFixedText }

func (r *reader) text() string { return string(r.bytes()) }

// blob returns bytes that the caller owns.
func (r *reader) blob() []byte { return bytes.Clone(r.bytes()) }

// list reads the head of a list, and returns its length. It refuses a length that exceeds the bytes
// at hand, so that a forged one allocates nothing.
func (r *reader) list() int {
	var n int
	switch code := r.code(); {
	case code >= codeFixedList && code <= codeFixedList|maxFixedList:
		n = int(code &^ codeFixedList)
	case code == codeList16:
		n = int(r.number(2))
	case code == codeList32:
		n = int(r.number(4))
	default:
		r.refuse(code, "list")
	}
	if n > r.left() {
		r.fail(fmt.Errorf("list of %d elements", n))
		return 0
	}
	return n
}

// table reads a map of texts. It returns nil for an empty one.
func (r *reader) table() map[string]string {
	n := r.list()
	if n%2 != 0 {
		r.fail(fmt.Errorf("table of %d elements", n))
	}
	if n == 0 || r.err != nil {
		return nil
	}
	t := make(map[string]string, n/2)
	for range n / 2 {
		key := r.text()
		t[key] = r.text()
	}
	return t
}

// value reads a value of SQL.
func (r *reader) value() any {
	switch code := r.peek(); {
	case code == codeNil:
		r.at++
		return nil
	case code == codeFloat:
		r.at++
		return float64(math.Float32frombits(uint32(r.number(4))))
	case code == codeDouble:
		r.at++
		return math.Float64frombits(r.number(8))
	case isFixedText(code), code >= codeText8 && code <= codeText32:
		return r.text()
	case code >= codeBytes8 && code <= codeBytes32:
		return r.blob()
	case isInteger(code):
		return r.integer()
	default:
		r.refuse(code, "value of SQL")
		return nil
	}
}
