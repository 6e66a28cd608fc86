// Package pack reads and writes MessagePack. The library msgpack has the codes. This package is strict about what it
// reads: every value has to be of the class that is wanted, and nothing is allocated for a length that the bytes at hand
// cannot hold.
package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// ErrShort reports that bytes end within a value, or that a length exceeds them.
var ErrShort = errors.New("the bytes end too early")

// Class is a family of values.
type Class uint8

// The classes. Int is that of signed forms, which may hold positive numbers too.
const (
	Invalid Class = iota
	Nil
	Bool
	Uint
	Int
	Float
	Text
	Bytes
	List
	Map
	Ext
)

// String returns a class's name for errors.
func (c Class) String() string {
	return [...]string{
		"nothing of msgpack", "nil", "a boolean", "a whole number", "a whole number", "a fraction", "a text", "bytes",
		"a list", "a map", "an extension",
	}[c]
}

// classOf returns the class of the value that a code begins.
func classOf(code byte) Class {
	switch {
	case code <= msgpcode.PosFixedNumHigh:
		return Uint
	case code >= msgpcode.NegFixedNumLow:
		return Int
	case msgpcode.IsFixedMap(code), code == msgpcode.Map16, code == msgpcode.Map32:
		return Map
	case msgpcode.IsFixedArray(code), code == msgpcode.Array16, code == msgpcode.Array32:
		return List
	case msgpcode.IsString(code):
		return Text
	case msgpcode.IsBin(code):
		return Bytes
	case msgpcode.IsExt(code):
		return Ext
	}
	switch code {
	case msgpcode.Nil:
		return Nil
	case msgpcode.False, msgpcode.True:
		return Bool
	case msgpcode.Uint8, msgpcode.Uint16, msgpcode.Uint32, msgpcode.Uint64:
		return Uint
	case msgpcode.Int8, msgpcode.Int16, msgpcode.Int32, msgpcode.Int64:
		return Int
	case msgpcode.Float, msgpcode.Double:
		return Float
	}
	return Invalid
}

// Reader reads values from bytes. It copies what it returns.
type Reader struct {
	left *bytes.Reader
	from *msgpack.Decoder
}

// NewReader returns a reader of some bytes.
func NewReader(data []byte) *Reader {
	left := bytes.NewReader(data)
	return &Reader{left, msgpack.NewDecoder(left)}
}

// Class returns the class of the next value, which stays the next.
func (r *Reader) Class() (Class, error) {
	code, err := r.from.PeekCode()
	if err != nil {
		return Invalid, ErrShort
	}
	c := classOf(code)
	if c == Invalid {
		return c, fmt.Errorf("%#x begins no value", code)
	}
	return c, nil
}

// want checks that the next value is of a class.
func (r *Reader) want(c Class) error {
	got, err := r.Class()
	if err == nil && got != c {
		err = fmt.Errorf("%s, want %s", got, c)
	}
	return err
}

// short names the error of bytes that end within a head.
func short(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrShort
	}
	return err
}

// Nil reads a nil, if the next value is one.
func (r *Reader) Nil() bool {
	c, err := r.Class()
	return err == nil && c == Nil && r.from.DecodeNil() == nil
}

// Bool reads a boolean.
func (r *Reader) Bool() (bool, error) {
	if err := r.want(Bool); err != nil {
		return false, err
	}
	return r.from.DecodeBool()
}

// Float reads a fraction.
func (r *Reader) Float() (float64, error) {
	if err := r.want(Float); err != nil {
		return 0, err
	}
	f, err := r.from.DecodeFloat64()
	return f, short(err)
}

// Number is a whole number. Negative says that N has to be read as an int64.
type Number struct {
	N        uint64
	Negative bool
}

// String returns the number.
func (n Number) String() string {
	if n.Negative {
		return fmt.Sprint(int64(n.N))
	}
	return fmt.Sprint(n.N)
}

// Number reads a whole number, signed or unsigned.
func (r *Reader) Number() (Number, error) {
	switch c, err := r.Class(); {
	case err != nil:
		return Number{}, err
	case c == Uint:
		n, err := r.from.DecodeUint64()
		return Number{N: n}, short(err)
	case c == Int:
		n, err := r.from.DecodeInt64()
		return Number{uint64(n), n < 0}, short(err)
	default:
		return Number{}, fmt.Errorf("%s, want %s", c, Int)
	}
}

// Text reads a text.
func (r *Reader) Text() (string, error) {
	b, err := r.take(Text)
	return string(b), err
}

// Bytes reads bytes.
func (r *Reader) Bytes() ([]byte, error) { return r.take(Bytes) }

// take reads a text or bytes.
func (r *Reader) take(c Class) ([]byte, error) {
	if err := r.want(c); err != nil {
		return nil, err
	}
	n, err := r.from.DecodeBytesLen()
	if err != nil {
		return nil, short(err)
	}
	return r.raw(n)
}

func (r *Reader) raw(n int) ([]byte, error) {
	if n < 0 || n > r.left.Len() {
		return nil, ErrShort
	}
	b := make([]byte, n)
	_, err := io.ReadFull(r.left, b)
	return b, err
}

// List reads the head of a list, and returns how many elements follow. There are at least as many bytes.
func (r *Reader) List() (int, error) { return r.elements(List, 1, r.from.DecodeArrayLen) }

// Map reads the head of a map, and returns how many pairs follow.
func (r *Reader) Map() (int, error) { return r.elements(Map, 2, r.from.DecodeMapLen) }

func (r *Reader) elements(c Class, bytes int, decode func() (int, error)) (int, error) {
	if err := r.want(c); err != nil {
		return 0, err
	}
	n, err := decode()
	if err == nil && (n < 0 || n > r.left.Len()/bytes) {
		err = ErrShort
	}
	return n, short(err)
}

// Exactly reads the head of a list that must have n elements.
func (r *Reader) Exactly(n int) error {
	got, err := r.List()
	if err == nil && got != n {
		err = fmt.Errorf("list of %d elements, want %d", got, n)
	}
	return err
}

// End refuses bytes behind the last value.
func (r *Reader) End() error {
	if n := r.left.Len(); n > 0 {
		return fmt.Errorf("%d bytes behind the end", n)
	}
	return nil
}

// maxDepth is how deep a value may be nested that is skipped.
const maxDepth = 64

// Skip skips one value of any shape.
func (r *Reader) Skip() error { return r.skip(0) }

func (r *Reader) skip(depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deep")
	}
	c, err := r.Class()
	if err != nil {
		return err
	}
	elements := 0
	switch c {
	case Nil:
		err = r.from.DecodeNil()
	case Bool:
		_, err = r.Bool()
	case Uint, Int:
		_, err = r.Number()
	case Float:
		_, err = r.Float()
	case Text, Bytes:
		_, err = r.take(c)
	case Ext:
		var n int
		if _, n, err = r.from.DecodeExtHeader(); err == nil {
			_, err = r.raw(n)
		}
		err = short(err)
	case List:
		elements, err = r.List()
	case Map:
		elements, err = r.Map()
		elements *= 2
	}
	for ; err == nil && elements > 0; elements-- {
		err = r.skip(depth + 1)
	}
	return err
}

// Uint reads a whole number in one of the unsigned forms.
func (r *Reader) Uint() (uint64, error) {
	if err := r.want(Uint); err != nil {
		return 0, err
	}
	n, err := r.from.DecodeUint64()
	return n, short(err)
}
