package wire

import (
	"encoding/binary"
	"math"
)

// appendUint writes a whole number in its shortest form.
func appendUint(dst []byte, n uint64) []byte {
	switch {
	case n < 0x80:
		return append(dst, byte(n))
	case n <= math.MaxUint8:
		return append(dst, 0xcc, byte(n))
	case n <= math.MaxUint16:
		return binary.BigEndian.AppendUint16(append(dst, 0xcd), uint16(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(dst, 0xce), uint32(n))
	default:
		return binary.BigEndian.AppendUint64(append(dst, 0xcf), n)
	}
}

// appendInt writes an integer; one that is not negative has the form of appendUint.
func appendInt(dst []byte, n int64) []byte {
	switch {
	case n >= 0:
		return appendUint(dst, uint64(n))
	case n >= -32:
		return append(dst, byte(n))
	case n >= math.MinInt8:
		return append(dst, 0xd0, byte(n))
	case n >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(dst, 0xd1), uint16(n))
	case n >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(dst, 0xd2), uint32(n))
	default:
		return binary.BigEndian.AppendUint64(append(dst, 0xd3), uint64(n))
	}
}

func appendFloat(dst []byte, f float64) []byte {
	return binary.BigEndian.AppendUint64(append(dst, 0xcb), math.Float64bits(f))
}

func appendNil(dst []byte) []byte { return append(dst, 0xc0) }

func appendBool(dst []byte, b bool) []byte {
	if b {
		return append(dst, 0xc3)
	}
	return append(dst, 0xc2)
}

func appendText(dst []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		dst = append(dst, 0xa0|byte(n))
	case n <= math.MaxUint8:
		dst = append(dst, 0xd9, byte(n))
	default:
		dst = appendLength(dst, n, 0xda)
	}
	return append(dst, s...)
}

func appendBytesHead(dst []byte, n int) []byte {
	if n <= math.MaxUint8 {
		return append(dst, 0xc4, byte(n))
	}
	return appendLength(dst, n, 0xc5)
}

func appendListHead(dst []byte, n int) []byte {
	if n < 16 {
		return append(dst, 0x90|byte(n))
	}
	return appendLength(dst, n, 0xdc)
}

func appendMapHead(dst []byte, n int) []byte {
	if n < 16 {
		return append(dst, 0x80|byte(n))
	}
	return appendLength(dst, n, 0xde)
}

// appendLength writes a length in two bytes behind code, or in four bytes behind the next code.
func appendLength(dst []byte, n int, code byte) []byte {
	if n <= math.MaxUint16 {
		return binary.BigEndian.AppendUint16(append(dst, code), uint16(n))
	}
	return binary.BigEndian.AppendUint32(append(dst, code+1), uint32(n))
}
