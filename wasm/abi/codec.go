package abi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/vmihailenco/msgpack/v5"
)

// ErrMalformed is the error of every decoder of this package for invalid bytes. Nothing has
// happened then.
var ErrMalformed = errors.New("abi: malformed")

// codec walks the fields of one value, and either writes them or reads them. One walk serves both
// directions, so the two cannot differ.
type codec struct {
	enc *msgpack.Encoder
	dec *msgpack.Decoder
	// data is the bytes that dec reads, and rest the unread part.
	data []byte
	rest *bytes.Reader
	err  error
}

// fielder is a value that can be walked: every event and every command.
type fielder interface{ fields(*codec) }

func walk[T any](c *codec, v *T, write func(T) error, read func() (T, error)) {
	switch {
	case c.err != nil:
	case c.enc != nil:
		c.err = write(*v)
	default:
		*v, c.err = read()
	}
}

func text[T ~string](c *codec, v *T) {
	walk(c, v, func(s T) error { return c.enc.EncodeString(string(s)) }, func() (T, error) {
		b, err := c.bytes()
		return T(b), err
	})
}

func integer[T ~int | ~int64](c *codec, v *T) {
	walk(c, v, func(n T) error { return c.enc.EncodeInt(int64(n)) }, func() (T, error) {
		n, err := readInteger(c)
		return T(n), err
	})
}

func boolean(c *codec, v *bool) {
	walk(c, v, func(b bool) error { return c.enc.EncodeBool(b) }, func() (bool, error) { return c.dec.DecodeBool() })
}

func blob(c *codec, v *[]byte) {
	walk(c, v, func(b []byte) error { return c.enc.EncodeBytes(b) }, func() ([]byte, error) {
		b, err := c.bytes()
		return bytes.Clone(b), err
	})
}

// bytes reads a text or a blob. It returns the part of data that holds it, or nil for none. The
// decoder's own methods would collect a long value in buffers that double in size, and linear
// memory never shrinks.
func (c *codec) bytes() ([]byte, error) {
	n, err := c.dec.DecodeBytesLen()
	if err != nil || n < 0 {
		return nil, err
	}
	at := len(c.data) - c.rest.Len()
	if n > c.rest.Len() {
		return nil, io.ErrUnexpectedEOF
	}
	_, err = c.rest.Seek(int64(n), io.SeekCurrent)
	return c.data[at : at+n], err
}

// length walks the head of a list. When reading, it refuses a length that exceeds the bytes at
// hand, so that a forged one allocates nothing.
func (c *codec) length(n int) int {
	walk(c, &n, func(n int) error { return c.enc.EncodeArrayLen(n) }, func() (int, error) {
		n, err := c.dec.DecodeArrayLen()
		if err == nil && (n < 0 || n > c.rest.Len()) {
			err = fmt.Errorf("list of %d elements", n)
		}
		return n, err
	})
	if c.err != nil {
		return 0
	}
	return n
}

func list[T any](c *codec, v *[]T, each func(*codec, *T)) {
	n := c.length(len(*v))
	if c.enc == nil && n > 0 {
		*v = make([]T, n)
	}
	for i := range n {
		each(c, &(*v)[i])
	}
}

// table is a map of texts, written in the order of its keys.
func table(c *codec, v *map[string]string) {
	if c.enc != nil {
		keys := slices.Sorted(maps.Keys(*v))
		c.length(2 * len(keys))
		for _, k := range keys {
			value := (*v)[k]
			text(c, &k)
			text(c, &value)
		}
		return
	}
	n := c.length(0)
	if c.err == nil && n%2 != 0 {
		c.err = fmt.Errorf("table of %d elements", n)
	}
	if n == 0 || c.err != nil {
		return
	}
	*v = make(map[string]string, n/2)
	for range n / 2 {
		var key, value string
		text(c, &key)
		text(c, &value)
		(*v)[key] = value
	}
}

// encode appends one value after the other to b.
func encode(b []byte, walk func(*codec)) []byte {
	w := bytes.NewBuffer(b)
	c := &codec{enc: msgpack.GetEncoder()}
	defer msgpack.PutEncoder(c.enc)
	c.enc.Reset(w)
	c.enc.UseCompactInts(true)
	walk(c)
	if c.err != nil {
		panic(fmt.Errorf("abi: encoding into memory: %w", c.err))
	}
	return w.Bytes()
}

// decode reads the output of encode, and refuses bytes behind it.
func decode(data []byte, walk func(*codec)) error {
	r := bytes.NewReader(data)
	c := &codec{dec: msgpack.GetDecoder(), data: data, rest: r}
	defer msgpack.PutDecoder(c.dec)
	c.dec.Reset(r)
	walk(c)
	if c.err == nil && r.Len() > 0 {
		c.err = fmt.Errorf("%d bytes behind the end", r.Len())
	}
	if version, ok := errors.AsType[VersionError](c.err); ok {
		return version
	}
	if c.err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, c.err)
	}
	return nil
}

// fixed walks the head of a list whose length is known.
func (c *codec) fixed(n int) {
	if got := c.length(n); c.err == nil && got != n {
		c.err = fmt.Errorf("list of %d elements, want %d", got, n)
	}
}

// versioned walks the head of a list of n elements that begins with the version. When reading, it
// checks the version before the length, because another version's list may be longer.
func (c *codec) versioned(n int, mismatch func(theirs int) VersionError) {
	version := Version
	got := c.length(n)
	integer(c, &version)
	switch {
	case c.err != nil:
	case version != Version:
		c.err = mismatch(version)
	case got != n:
		c.err = fmt.Errorf("list of %d elements, want %d", got, n)
	}
}
