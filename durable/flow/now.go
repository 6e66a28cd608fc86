package flow

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Now returns the time, to the millisecond and in UTC. It returns the same time when the code is
// run again.
func Now(c Awaiter) time.Time {
	e := c.context().do("now", func(tx *durable.Tx) ([]byte, Reason, string) {
		return binary.AppendVarint(nil, tx.Now), "", ""
	})
	ms, _ := binary.Varint(e.result)
	return time.UnixMilli(ms).UTC()
}

// MaxRandom is the largest number of random bytes in one call.
const MaxRandom = 4096

// Random returns n random bytes, at most [MaxRandom]. Code that is run again gets the
// same. A generator for more is seeded with them, one a branch:
//
//	dice := rand.New(rand.NewChaCha8([32]byte(flow.Random(c, 32))))
func Random(c Awaiter, n int) []byte {
	if n < 0 || n > MaxRandom {
		panic(fmt.Sprintf("flow: %d random bytes, at most %d", n, MaxRandom))
	}
	e := c.context().do(fmt.Sprintf("random %d", n), func(tx *durable.Tx) ([]byte, Reason, string) {
		b := make([]byte, n)
		tx.Random(b)
		return b, "", ""
	})
	return append(make([]byte, 0, n), e.result...)[:n]
}
