package model

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter bounds what a provider can ask us to wait: a day, in
// milliseconds.
const maxRetryAfter = 24 * 60 * 60 * 1000

// httpDates are the forms of a date in an HTTP header, the usual one first
// (RFC 9110, section 5.6.7).
var httpDates = []string{"Mon, 02 Jan 2006 15:04:05 GMT", time.RFC850, time.ANSIC}

// retryAfter reads how long a provider asks to wait, in milliseconds: from
// retry-after-ms, or from retry-after, which is in seconds or a date. It is 0
// where nothing that can be understood is said.
func retryAfter(header map[string]string, now int64) int64 {
	if ms, ok := parseWait(header["retry-after-ms"], 1); ok {
		return ms
	}
	value := header["retry-after"]
	if ms, ok := parseWait(value, 1000); ok {
		return ms
	}
	for _, form := range httpDates {
		if t, err := time.Parse(form, strings.TrimSpace(value)); err == nil {
			return min(max(t.UnixMilli()-now, 0), maxRetryAfter)
		}
	}
	return 0
}

// parseWait reads a number of units of so many milliseconds each.
func parseWait(value string, unit float64) (int64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, false
	}
	return int64(min(math.Ceil(f*unit), maxRetryAfter)), true
}

// waitText says a time to wait, in milliseconds, in whole seconds.
func waitText(ms int64) string {
	return strconv.FormatInt((ms+999)/1000, 10) + " s"
}
