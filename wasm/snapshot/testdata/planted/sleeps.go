//go:build sleeps

package main

import "time"

// The start has a goroutine that sleeps.
func init() {
	go time.Sleep(time.Hour)
	time.Sleep(0)
}
