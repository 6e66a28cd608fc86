package wire

import (
	"errors"
	"math"
)

// errShort reports that bytes end within a value, or that a length exceeds them.
var errShort = errors.New("the bytes end too early")

// class is a family of msgpack values.
type class uint8

const (
	classInvalid class = iota
	classNil
	classBool
	classUint
	classInt // signed forms, which may hold positive numbers too
	classFloat
	classText
	classBytes
	classList
	classMap
	classExt
)

// String returns a class's name for errors.
func (c class) String() string {
	return [...]string{
		"nothing of msgpack", "nil", "a boolean", "a whole number", "a whole number", "a fraction", "a text", "bytes",
		"a list", "a map", "an extension",
	}[c]
}

// head is the beginning of a msgpack value: the bits of a boolean or number, or the count of the
// bytes or elements that follow.
type head struct {
	class class
	n     uint64
}

// forms describes the codes from 0xc0 to 0xdf: the class, and the size of the number or length that
// follows, in bytes. If no bytes follow, n is the number or length.
var forms = [32]struct {
	class class
	width uint64
	n     uint64
}{
	{classNil, 0, 0},
	{},
	{classBool, 0, 0},
	{classBool, 0, 1},
	{classBytes, 1, 0},
	{classBytes, 2, 0},
	{classBytes, 4, 0},
	{classExt, 1, 0},
	{classExt, 2, 0},
	{classExt, 4, 0},
	{classFloat, 4, 0},
	{classFloat, 8, 0},
	{classUint, 1, 0},
	{classUint, 2, 0},
	{classUint, 4, 0},
	{classUint, 8, 0},
	{classInt, 1, 0},
	{classInt, 2, 0},
	{classInt, 4, 0},
	{classInt, 8, 0},
	{classExt, 0, 1},
	{classExt, 0, 2},
	{classExt, 0, 4},
	{classExt, 0, 8},
	{classExt, 0, 16},
	{classText, 1, 0},
	{classText, 2, 0},
	{classText, 4, 0},
	{classList, 2, 0},
	{classList, 4, 0},
	{classMap, 2, 0},
	{classMap, 4, 0},
}

// source is the bytes that have not been read yet.
type source struct{ data []byte }

func (s *source) take(n uint64) ([]byte, error) {
	if n > uint64(len(s.data)) {
		return nil, errShort
	}
	taken := s.data[:n:n]
	s.data = s.data[n:]
	return taken, nil
}

// head reads the beginning of the next value.
func (s *source) head() (head, error) {
	b, err := s.take(1)
	if err != nil {
		return head{}, err
	}
	switch code := b[0]; {
	case code < 0x80:
		return head{classUint, uint64(code)}, nil
	case code < 0x90:
		return s.bounded(head{classMap, uint64(code & 0x0f)})
	case code < 0xa0:
		return s.bounded(head{classList, uint64(code & 0x0f)})
	case code < 0xc0:
		return head{classText, uint64(code & 0x1f)}, nil
	case code >= 0xe0:
		return head{classInt, uint64(int8(code))}, nil
	default:
		return s.long(code)
	}
}

func (s *source) long(code byte) (head, error) {
	form := forms[code-0xc0]
	field, err := s.take(form.width)
	if err != nil {
		return head{}, err
	}
	h := head{form.class, form.n}
	for _, b := range field {
		h.n = h.n<<8 | uint64(b)
	}
	switch {
	case h.class == classInvalid:
		return head{}, errors.New("0xc1 begins no value")
	case h.class == classInt:
		shift := 64 - 8*form.width
		h.n = uint64(int64(h.n<<shift) >> shift)
	case h.class == classFloat && form.width == 4:
		h.n = math.Float64bits(float64(math.Float32frombits(uint32(h.n))))
	}
	return s.bounded(h)
}

// bounded refuses a list or map with more elements than there are bytes, so that a forged length
// allocates nothing.
func (s *source) bounded(h head) (head, error) {
	left := uint64(len(s.data))
	if h.class == classList && h.n > left || h.class == classMap && 2*h.n > left {
		return head{}, errShort
	}
	return h, nil
}
