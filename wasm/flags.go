// Package wasm knows how a module is built.
package wasm

import (
	_ "embed"
	"strings"
)

// noinline lists the packages that are compiled without inlining. They look at few bytes, and the
// module is smaller by a hundred kB without it.
//
//go:embed noinline
var noinline string

// BuildFlags returns the flags of go build for a module. GOOS is wasip1, and GOARCH wasm.
func BuildFlags() []string {
	flags := []string{"-buildmode=c-shared", "-trimpath", "-ldflags=-s -w"}
	for pkg := range strings.FieldsSeq(noinline) {
		flags = append(flags, "-gcflags="+pkg+"=-l")
	}
	return flags
}
