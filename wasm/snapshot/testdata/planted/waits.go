//go:build waits

package main

// The start has a goroutine that waits.
func init() { go func() { <-make(chan int) }() }
