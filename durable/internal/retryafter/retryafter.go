// Package retryafter reads how long a server asks to wait.
package retryafter

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Max bounds the delay that a server can ask for: a day, in milliseconds.
const Max = 24 * 60 * 60 * 1000

// httpDates are the formats of a date in an HTTP header, the usual one first (RFC 9110, section
// 5.6.7).
var httpDates = []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC}

// Read returns the delay that a server asks for, in milliseconds. It is in the header retry-after-ms, or in
// retry-after as seconds or a date. The names of the headers are in lower case, and now is in milliseconds
// since 1970. The result is 0 if no header can be understood.
func Read(header map[string]string, now int64) int64 {
	if ms, ok := parseWait(header["retry-after-ms"], 1); ok {
		return ms
	}
	value := header["retry-after"]
	if ms, ok := parseWait(value, 1000); ok {
		return ms
	}
	for _, form := range httpDates {
		if t, err := time.Parse(form, strings.TrimSpace(value)); err == nil {
			return min(max(t.UnixMilli()-now, 0), Max)
		}
	}
	return 0
}

// parseWait reads a number of units. A unit has the given number of milliseconds.
func parseWait(value string, unit float64) (int64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, false
	}
	return int64(min(math.Ceil(f*unit), Max)), true
}
