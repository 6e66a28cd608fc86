package host

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// Ports are what an instance is given of the world, beside its storage. All but
// Log and Trace must be there.
type Ports struct {
	// Now tells the time, in milliseconds since 1970.
	Now func() int64
	// Seed fills bytes for Go's runtime: the order of its maps and of select.
	Seed durable.Random
	// Random fills bytes for the objects. It is a stream of its own, so that what
	// the objects get does not depend on how the runtime is built.
	Random durable.Random
	// Log takes a line of the guest's diagnostics.
	Log func(level abi.LogLevel, text string)
	// Trace is told of everything that passes the boundary: the call, and the bytes
	// that went in and came out, which it must not keep.
	Trace func(call string, bytes ...[]byte)
}

// longestWait is how long the module may wait, in nanoseconds: its runtime does
// so when it dies, for threads that are not there. Waiting takes no time.
const longestWait = 1_000_000

// clock is the module's. A reading of zero would make Go's runtime abort, and
// one that stands still looks broken to it, so each is a nanosecond later than
// the one before.
type clock struct {
	now  func() int64
	last int64
}

func (c *clock) read() int64 {
	c.last = max(c.last+1, c.now()*1_000_000)
	return c.last
}

func (c *clock) wall() (sec int64, nsec int32) {
	t := c.read()
	return t / 1e9, int32(t % 1e9)
}

func (c *clock) wait(ns int64) {
	if ns > longestWait {
		panic(fmt.Errorf("host: the module tried to wait inside a step"))
	}
	c.last = c.read() + ns
}

// reader makes an io.Reader of a stream of random bytes.
type reader durable.Random

func (r reader) Read(b []byte) (int, error) {
	r(b)
	return len(b), nil
}
