//go:build unix && !linux

package dev

import "syscall"

// endWithParent does nothing: a process that is killed leaves its commands behind.
func endWithParent(*syscall.SysProcAttr) {}
