//go:build !wasip1

package script

// Host runs the requests of a process that is not a module. Tests set it before they run a script.
// It may be called by several goroutines at a time.
var Host func(request []byte) (result []byte)

func call(request []byte) []byte {
	if Host == nil {
		panic("script: no host: a native test imports wasm/quickjs for its effect")
	}
	return Host(request)
}
