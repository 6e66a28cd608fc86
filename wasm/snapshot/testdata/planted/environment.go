//go:build environment

package main

import "os"

// The start has a variable of the environment.
func init() { table[os.Getenv("PLANTED")] = 1; table[os.Getenv("HOME")] = 2 }
