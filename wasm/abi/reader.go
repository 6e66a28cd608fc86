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

// code reads the code of the next value. It returns codeNone if there is none.
func (r *reader) code() byte {
	if r.at < len(r.data) {
		r.at++
		return r.data[r.at-1]
	}
	r.fail(io.ErrUnexpectedEOF)
	return codeNone
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

func (r *reader) integer() int64 { return r.integerOf(r.code()) }

// integerOf reads what follows the code of an integer. JavaScript's encoders write whole numbers as integers of any width,
// signed or not, or as a double if they are large. It refuses a fraction, a nil, and an integer
// beyond int64.
func (r *reader) integerOf(code byte) int64 {
	switch {
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

// bytesOf reads what follows the code of a text or of bytes, and returns the part of data that holds
// them, or nil for a nil. The caller makes the only copy: linear memory never gives back what others
// would take.
func (r *reader) bytesOf(code byte) []byte {
	switch {
	case isFixedText(code):
		return r.take(int(code &^ codeFixedText))
	case code == codeNil:
		return nil
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

func (r *reader) text() string { return string(r.bytesOf(r.code())) }

// blob returns bytes that the caller owns.
func (r *reader) blob() []byte { return bytes.Clone(r.bytesOf(r.code())) }

// list reads the head of a list, and returns its length. It refuses a length that exceeds the bytes
// at hand, so that a forged one allocates at most 48 bytes for each of them.
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
	switch code := r.code(); {
	case isInteger(code):
		return r.integerOf(code)
	case isFixedText(code), code >= codeText8 && code <= codeText32:
		return string(r.bytesOf(code))
	case code == codeNil:
		return nil
	case code >= codeBytes8 && code <= codeBytes32:
		return bytes.Clone(r.bytesOf(code))
	case code == codeDouble:
		return math.Float64frombits(r.number(8))
	case code == codeFloat:
		return float64(math.Float32frombits(uint32(r.number(4))))
	default:
		r.refuse(code, "value of SQL")
		return nil
	}
}
