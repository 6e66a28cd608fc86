//go:build !wasip1

package main

func passMalformed(string) { panic("a malformed request") }
