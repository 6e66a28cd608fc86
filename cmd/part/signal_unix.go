//go:build unix

package main

import (
	"os"
	"syscall"
)

var interrupts = []os.Signal{syscall.SIGINT, syscall.SIGQUIT}
