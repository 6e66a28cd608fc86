package client

import (
	"testing"
	"time"
)

// TestDelay checks the delays before attempts to connect.
func TestDelay(t *testing.T) {
	b := Options{}.withDefaults().Backoff
	for _, test := range []struct {
		failed int
		chance float64
		want   time.Duration
	}{
		{0, 0, 250 * time.Millisecond},
		{0, 1, 125 * time.Millisecond},
		{1, 0, 375 * time.Millisecond},
		{2, 0.5, 421875 * time.Microsecond},
		{40, 0, 10 * time.Second},
		{1000, 1, 5 * time.Second},
	} {
		if got := b.delay(test.failed, test.chance); got != test.want {
			t.Errorf("%d failed attempts, chance %v: got %v, want %v", test.failed, test.chance, got, test.want)
		}
	}
}
