package limit

import (
	"strconv"
	"strings"
)

const (
	// The costs of numbers, in those of a usual one. They were measured, see BenchmarkNumbers.
	tinyNumber, longNumber, halfwayNumber = 1_000, 400, 40
	// exactDigits is how many digits a whole number can have so that a float64 keeps it, and wordDigits how many
	// digits of a number are read into one machine word.
	exactDigits, wordDigits = 15, 19
	// tiny is the power of ten from which on a float64 has fewer bits than otherwise, and zero from which on it has none.
	tiny, zero = -307, -331
)

// NumberCost returns how much work it is to read a JSON number as a float64, where 1 is that for a usual number. A
// number next to zero, such as 1e-320, takes a thousand times as much: package strconv computes it with hundreds of
// digits, and with it encoding/json. Numbers of many digits take more than usual too, and so do those that are in the
// middle between two values of a float64.
func NumberCost(text string) int {
	if len(text) <= exactDigits && strings.IndexByte(text, 'e') < 0 && strings.IndexByte(text, 'E') < 0 {
		return 1
	}
	digits, power := measure(text)
	switch {
	case digits == 0:
		return 1
	case power <= tiny && power > zero:
		return tinyNumber
	case digits > wordDigits:
		return longNumber + len(text)/2
	case digits > exactDigits && power-digits > -5 && power-digits < 24: // elsewhere there is none in the middle
		return halfwayNumber
	}
	return 1
}

// measure returns how many digits a number has without its leading zeros, and the power of ten: the number is
// 0.DIGITS times that.
func measure(text string) (digits, power int) {
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		power, _ = strconv.Atoi(text[e+1:]) // one that is too large becomes the largest
		power = min(max(power, -1<<30), 1<<30)
		text = text[:e]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if whole = strings.TrimLeft(whole, "-0"); whole != "" {
		return len(whole) + len(fraction), power + len(whole)
	}
	digits = len(strings.TrimLeft(fraction, "0"))
	return digits, power + digits - len(fraction)
}
