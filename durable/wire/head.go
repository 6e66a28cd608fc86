package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// This file writes and reads the head of a frame by hand. It is made for each chunk, and the library takes several times as
// long: the README has the numbers. A test reads the golden frames with the library.

// The codes of msgpack that a head has.
const (
	codeListOf3                                   = 0x93
	codeUint8, codeUint16, codeUint32, codeUint64 = 0xcc, 0xcd, 0xce, 0xcf
	codeBytes8, codeBytes16, codeBytes32          = 0xc4, 0xc5, 0xc6
)

// appendHead writes the part of a frame between prefix and body.
func appendHead(dst []byte, f Frame) []byte {
	dst = append(dst, codeListOf3)
	dst = appendUint(dst, uint64(f.Kind))
	dst = appendUint(dst, uint64(f.Index))
	switch n := len(f.Body); {
	case n <= math.MaxUint8:
		return append(dst, codeBytes8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, codeBytes16), uint16(n))
	default:
		return binary.BigEndian.AppendUint32(append(dst, codeBytes32), uint32(n))
	}
}

// appendUint writes a whole number in its shortest form.
func appendUint(dst []byte, n uint64) []byte {
	switch {
	case n < 0x80:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, codeUint8, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, codeUint16), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, codeUint32), uint32(n))
	default:
		return binary.BigEndian.AppendUint64(append(dst, codeUint64), n)
	}
}

// head is the head of a frame, and what stands behind it.
type head struct {
	kind, index, length uint64
	body                []byte
}

// readHead reads the head of a whole frame, without its prefix.
func readHead(whole []byte) (h head, err error) {
	if len(whole) == 0 || whole[0] != codeListOf3 {
		return h, errors.New("no list of kind, index and body")
	}
	rest := whole[1:]
	if h.kind, rest, err = cutUint(rest, "kind"); err != nil {
		return h, err
	}
	if h.index, rest, err = cutUint(rest, "index"); err != nil {
		return h, err
	}
	if len(rest) == 0 || rest[0] < codeBytes8 || rest[0] > codeBytes32 {
		return h, errors.New("no bytes where the body is due")
	}
	h.length, h.body, err = cutNumber(rest[1:], 1<<(rest[0]-codeBytes8))
	return h, err
}

// cutUint reads a whole number from the beginning of some bytes.
func cutUint(data []byte, what string) (n uint64, rest []byte, err error) {
	switch {
	case len(data) > 0 && data[0] < 0x80:
		return uint64(data[0]), data[1:], nil
	case len(data) > 0 && data[0] >= codeUint8 && data[0] <= codeUint64:
		return cutNumber(data[1:], 1<<(data[0]-codeUint8))
	}
	return 0, nil, fmt.Errorf("no whole number where the %s is due", what)
}

// cutNumber reads a number of some bytes.
func cutNumber(data []byte, width int) (n uint64, rest []byte, err error) {
	if len(data) < width {
		return 0, nil, errors.New("the bytes end too early")
	}
	for _, b := range data[:width] {
		n = n<<8 | uint64(b)
	}
	return n, data[width:], nil
}
