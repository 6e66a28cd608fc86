//go:build words

package main

// The start has a line that is written.
func init() { println("planted words") }
