//go:build file

package main

import "os"

// The start has a opened file.
func init() { _, _ = os.ReadFile("/etc/hostname") }
