// Command program does what needs the tables of functions: it collects garbage while its stack grows, and
// recovers through wrappers that the compiler makes.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

type closer interface{ Close() }

type file struct{ name string }

// Close recovers. It is deferred through an interface, so a wrapper lies between.
func (f file) Close() { fmt.Println(f.name, "recovers", recover()) }

func guarded(c closer) {
	defer c.Close()
	panic("by itself")
}

func grow(depth int) string {
	if depth == 0 {
		runtime.GC()
		return ""
	}
	text := strings.Repeat("x", depth%7)
	return grow(depth-1) + text
}

func main() {
	guarded(&file{"a"})
	fmt.Println(len(grow(5_000)))
	if len(os.Args) > 1 {
		panic("for good")
	}
}
