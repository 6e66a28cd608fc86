//go:build fails

package main

// The start has a panic.
func init() { panic("planted trouble") }
