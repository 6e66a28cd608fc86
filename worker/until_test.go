package worker

import (
	"testing"
	"time"
)

func TestStamp(t *testing.T) {
	until := time.UnixMilli(1_700_000_000_000)
	for _, tt := range []struct {
		query string
		until time.Time
		want  string
	}{
		{"", time.Time{}, ""},
		{"_pk=1&x=%20y+z", time.Time{}, "_pk=1&x=%20y+z"},
		{"", until, "_until=1700000000000"},
		{"_pk=1&x=%20y", until, "_pk=1&x=%20y&_until=1700000000000"},
		{"_until=1", time.Time{}, ""},
		{"_until=1&_pk=1&_until=2", time.Time{}, "_pk=1"},
		{"%5Funtil=9999999999999&_unti%6C&_until=9", until, "_until=1700000000000"},
		{"x_until=1&_until2=1&%zz=1", time.Time{}, "x_until=1&_until2=1&%zz=1"},
		{"", time.Unix(1<<53, 0), "_until=8640000000000000"},
	} {
		if got := stamp(tt.query, tt.until); got != tt.want {
			t.Errorf("stamp(%q, %v) = %q, want %q", tt.query, tt.until, got, tt.want)
		}
	}
}
