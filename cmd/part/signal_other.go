//go:build !unix

package main

import "os"

var interrupts = []os.Signal{os.Interrupt}
