package abi

import (
	"fmt"
	"math"

	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// isInteger says whether a code begins an integer in msgpack.
func isInteger(code byte) bool {
	return msgpcode.IsFixedNum(code) || code >= msgpcode.Uint8 && code <= msgpcode.Int64
}

// readInteger reads an integer. JavaScript's encoders write whole numbers as integers of any width,
// signed or not, or as a double if they are large. It refuses a fraction, a nil, and an integer
// beyond int64. The library would round the first, read the second as zero, and wrap the third
// around.
func readInteger(c *codec) (int64, error) {
	code, err := c.dec.PeekCode()
	switch {
	case err != nil:
		return 0, err
	case code == msgpcode.Uint64:
		n, err := c.dec.DecodeUint64()
		if err == nil && n > math.MaxInt64 {
			err = fmt.Errorf("integer %d is too large", n)
		}
		return int64(n), err
	case isInteger(code):
		return c.dec.DecodeInt64()
	case code == msgpcode.Double:
		f, err := c.dec.DecodeFloat64()
		if err == nil && (f != math.Trunc(f) || math.Abs(f) >= 1<<63) {
			err = fmt.Errorf("%v is no integer", f)
		}
		return int64(f), err
	}
	return 0, fmt.Errorf("code %#x is no integer", code)
}
