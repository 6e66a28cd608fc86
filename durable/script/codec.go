package script

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The kinds of requests.
const (
	kindOpen = iota
	kindAnswer
	kindClose
)

// ErrMalformed says that bytes are no request or no result.
var ErrMalformed = errors.New("script: malformed")

// Request is an [Open], an [Answer] or a [Close].
type Request interface{ Encode() []byte }

// Encode returns the bytes of the request.
func (o Open) Encode() []byte {
	w := writer{}
	w.list(9)
	w.integers(kindOpen, o.Box)
	w.text(o.Prelude)
	w.text(o.Code)
	w.blob(o.Seed[:])
	w.integers(o.Now, o.Memory, o.Stack, o.Work)
	return w.out
}

// Encode returns the bytes of the request.
func (a Answer) Encode() []byte {
	w := writer{}
	w.list(7)
	w.integers(kindAnswer, a.Box, a.Call)
	w.boolean(a.OK)
	w.text(a.JSON)
	w.integers(a.Now, a.Work)
	return w.out
}

// Encode returns the bytes of the request.
func (c Close) Encode() []byte {
	w := writer{}
	w.list(2)
	w.integers(kindClose, c.Box)
	return w.out
}

// DecodeRequest decodes what the Encode of a request returns. Its error wraps [ErrMalformed].
func DecodeRequest(data []byte) (Request, error) {
	r := reader{data: data}
	var request Request
	switch n, kind := r.list(), r.integer(); {
	case kind == kindOpen && n == 9:
		o := Open{Box: r.integer(), Prelude: r.text(), Code: r.text()}
		if seed := r.blob(); len(seed) == len(o.Seed) {
			copy(o.Seed[:], seed)
		} else {
			r.bad = true
		}
		o.Now, o.Memory, o.Stack, o.Work = r.integer(), r.integer(), r.integer(), r.integer()
		request = o
	case kind == kindAnswer && n == 7:
		request = Answer{Box: r.integer(), Call: r.integer(), OK: r.boolean(), JSON: r.text(), Now: r.integer(), Work: r.integer()}
	case kind == kindClose && n == 2:
		request = Close{Box: r.integer()}
	default:
		r.bad = true
	}
	return request, r.end("request")
}

// Encode returns the bytes of the result.
func (r Result) Encode() []byte {
	w := writer{}
	w.list(7)
	w.integers(int64(r.State))
	w.list(len(r.Calls))
	for _, c := range r.Calls {
		w.list(3)
		w.integers(c.Number)
		w.text(c.Name)
		w.text(c.JSON)
	}
	w.list(len(r.Lines))
	for _, line := range r.Lines {
		w.text(line)
	}
	w.text(r.Value)
	w.text(r.Words)
	w.integers(r.Work, r.Bytes)
	return w.out
}

// DecodeResult decodes what [Result.Encode] returns. Its error wraps [ErrMalformed].
func DecodeResult(data []byte) (result Result, err error) {
	r := reader{data: data}
	r.exactly(7)
	result.State = State(r.integer())
	r.bad = r.bad || result.State < Waits || result.State > Spent
	for n := r.list(); n > 0 && !r.bad; n-- {
		r.exactly(3)
		result.Calls = append(result.Calls, Call{Number: r.integer(), Name: r.text(), JSON: r.text()})
	}
	for n := r.list(); n > 0 && !r.bad; n-- {
		result.Lines = append(result.Lines, r.text())
	}
	result.Value, result.Words, result.Work, result.Bytes = r.text(), r.text(), r.integer(), r.integer()
	return result, r.end("result")
}

// The codes of msgpack that the port uses.
const (
	codeFalse, codeTrue                                = 0xc2, 0xc3
	codeBytes8, codeBytes16, codeBytes32               = 0xc4, 0xc5, 0xc6
	codeUint8, codeUint16, codeUint32, codeUint64      = 0xcc, 0xcd, 0xce, 0xcf
	codeInt8, codeInt16, codeInt32, codeInt64          = 0xd0, 0xd1, 0xd2, 0xd3
	codeFixedText, codeText8, codeText16, codeText32   = 0xa0, 0xd9, 0xda, 0xdb
	codeFixedList, codeList16, codeList32, maxFixedLen = 0x90, 0xdc, 0xdd, 15
)

// writer appends values, each in its shortest form.
type writer struct{ out []byte }

func (w *writer) integers(all ...int64) {
	for _, n := range all {
		w.integer(n)
	}
}

func (w *writer) integer(n int64) {
	switch {
	case n >= 0 && n <= math.MaxInt8, n < 0 && n >= -32:
		w.out = append(w.out, byte(n))
	case n >= 0 && n <= math.MaxUint8:
		w.out = append(w.out, codeUint8, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		w.out = binary.BigEndian.AppendUint16(append(w.out, codeUint16), uint16(n))
	case n >= 0 && n <= math.MaxUint32:
		w.out = binary.BigEndian.AppendUint32(append(w.out, codeUint32), uint32(n))
	case n >= 0:
		w.out = binary.BigEndian.AppendUint64(append(w.out, codeUint64), uint64(n))
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

func (w *writer) boolean(b bool) {
	code := byte(codeFalse)
	if b {
		code = codeTrue
	}
	w.out = append(w.out, code)
}

func (w *writer) text(s string) {
	switch n := len(s); {
	case n <= 31:
		w.out = append(w.out, codeFixedText|byte(n))
	case n <= math.MaxUint8:
		w.out = append(w.out, codeText8, byte(n))
	default:
		w.length(n, codeText16, codeText32)
	}
	w.out = append(w.out, s...)
}

func (w *writer) blob(b []byte) {
	if n := len(b); n <= math.MaxUint8 {
		w.out = append(w.out, codeBytes8, byte(n))
	} else {
		w.length(n, codeBytes16, codeBytes32)
	}
	w.out = append(w.out, b...)
}

func (w *writer) list(n int) {
	if n <= maxFixedLen {
		w.out = append(w.out, codeFixedList|byte(n))
		return
	}
	w.length(n, codeList16, codeList32)
}

func (w *writer) length(n int, code16, code32 byte) {
	if n <= math.MaxUint16 {
		w.out = binary.BigEndian.AppendUint16(append(w.out, code16), uint16(n))
		return
	}
	w.out = binary.BigEndian.AppendUint32(append(w.out, code32), uint32(n))
}

// reader reads values. After the first that is not what is wanted, it is bad, and every further value
// reads as zero.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.data) || r.bad {
		r.bad, r.data = true, nil
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) code() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) number(width int) (n uint64) {
	for _, b := range r.take(width) {
		n = n<<8 | uint64(b)
	}
	return n
}

func (r *reader) integer() int64 {
	switch code := r.code(); {
	case code <= math.MaxInt8:
		return int64(code)
	case code >= 0xe0:
		return int64(int8(code))
	case code >= codeUint8 && code <= codeUint64:
		n := r.number(1 << (code - codeUint8))
		r.bad = r.bad || n > math.MaxInt64
		return int64(n)
	case code == codeInt8:
		return int64(int8(r.number(1)))
	case code == codeInt16:
		return int64(int16(r.number(2)))
	case code == codeInt32:
		return int64(int32(r.number(4)))
	case code == codeInt64:
		return int64(r.number(8))
	}
	r.bad = true
	return 0
}

func (r *reader) boolean() bool {
	code := r.code()
	r.bad = r.bad || code != codeTrue && code != codeFalse
	return code == codeTrue
}

func (r *reader) text() string {
	switch code := r.code(); {
	case code&0xe0 == codeFixedText:
		return string(r.take(int(code & 31)))
	case code >= codeText8 && code <= codeText32:
		return string(r.take(int(r.number(1 << (code - codeText8)))))
	}
	r.bad = true
	return ""
}

func (r *reader) blob() []byte {
	if code := r.code(); code >= codeBytes8 && code <= codeBytes32 {
		return r.take(int(r.number(1 << (code - codeBytes8))))
	}
	r.bad = true
	return nil
}

// list reads the length of a list. Each value takes a byte at least.
func (r *reader) list() (n int) {
	switch code := r.code(); {
	case code&0xf0 == codeFixedList:
		n = int(code & maxFixedLen)
	case code == codeList16, code == codeList32:
		n = int(r.number(2 << (code - codeList16)))
	default:
		r.bad = true
	}
	if n > len(r.data) {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) exactly(n int) { r.bad = r.list() != n || r.bad }

func (r *reader) end(what string) error {
	if r.bad || len(r.data) > 0 {
		return fmt.Errorf("%w %s", ErrMalformed, what)
	}
	return nil
}
