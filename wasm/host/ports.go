package host

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// Ports are an instance's access to the outside, besides its storage. All except Log and Trace are
// required.
type Ports struct {
	// Now returns the time, in milliseconds since 1970.
	Now func() int64
	// Seed fills bytes for Go's runtime: the order of its maps and of select.
	Seed durable.Random
	// Random fills bytes for the objects. It is a stream of its own, so that the objects'
	// randomness does not depend on how the runtime is built.
	Random durable.Random
	// Log takes a line of the guest's diagnostics.
	Log func(level abi.LogLevel, text string)
	// Trace is called with everything that crosses the boundary: the call, and the bytes that went in
	// and came out, which it must not keep.
	Trace func(call string, bytes ...[]byte)
}

// maxWait is how long the module may wait, in nanoseconds. Its runtime waits when it dies, for
// threads that do not exist. Waiting takes no time.
const maxWait = 1_000_000

// clock is the module's clock. Go's runtime aborts on a reading of zero, and treats a clock that
// stands still as broken, so each reading is at least a nanosecond later than the one before.
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
	if ns > maxWait {
		panic(fmt.Errorf("host: the module tried to wait inside a step"))
	}
	c.last = c.read() + ns
}

// reader makes an io.Reader from a source of random bytes.
type reader durable.Random

func (r reader) Read(b []byte) (int, error) {
	r(b)
	return len(b), nil
}
