package retryafter

import "testing"

// noon is 2026-11-21 12:00:00 UTC, in milliseconds since 1970.
const noon = 1795262400000

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		seconds, ms string
		want        int64
	}{
		"nothing":       {"", "", 0},
		"seconds":       {"20", "", 20_000},
		"half a second": {" 0.5 ", "", 500},
		"milliseconds":  {"20", "1500", 1500},
		"bad ms":        {"20", "soon", 20_000},
		"none":          {"0", "", 0},
		"negative":      {"-5", "", 0},
		"not a number":  {"NaN", "", 0},
		"for ever":      {"1e300", "", Max},
		"date":          {"Sat, 21 Nov 2026 12:01:00 GMT", "", 60_000},
		"old date":      {"Saturday, 21-Nov-26 12:01:00 UTC", "", 60_000},
		"older date":    {"Sat Nov 21 12:01:00 2026", "", 60_000},
		"past":          {"Sat, 21 Nov 2026 11:00:00 GMT", "", 0},
		"far":           {"Sat, 21 Nov 2099 11:00:00 GMT", "", Max},
		"prose":         {"in a minute", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			header := map[string]string{"retry-after": c.seconds, "retry-after-ms": c.ms}
			if got := Read(header, noon); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}
