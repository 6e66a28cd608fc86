package durable_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

func TestBackoffWait(t *testing.T) {
	backoff := durable.Backoff{10, 20, 50}
	for _, test := range []struct {
		name     string
		failures int
		want     int64
	}{
		{"the first failure", 1, 10},
		{"one more", 2, 20},
		{"as many as there are waits", 3, 50},
		{"more than there are waits", 1_000, 50},
		{"a damaged count", 0, 10},
		{"a damaged count below zero", -1, 10},
	} {
		if got := backoff.Wait(test.failures); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

func TestBackoffAfterCrash(t *testing.T) {
	for attempts, want := range []int64{0, 0, 250, 500, 1_000, 2_000, 4_000, 8_000, 8_000} {
		if got := durable.BackoffAfterCrash(attempts); got != want {
			t.Errorf("after %d attempts: got %d, want %d", attempts, got, want)
		}
	}
}
