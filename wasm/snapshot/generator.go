package snapshot

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
)

// generator is a random number generator of Go's runtime in a module's memory, an internal/chacha8rand.State: a
// buffer of numbers, the seed behind it, and three counters behind that.
type generator struct {
	// seed is the address of the seed.
	seed int
}

// The sizes of its parts in bytes. The counters are how many numbers of the buffer are used, how many it has, and
// which block of the cipher it is. If all are zero, the next number is of a new buffer.
const (
	bufferSize   = 32 * 8
	seedSize     = 32
	countersSize = 3 * 4
)

// How many numbers a buffer has. The last one of a seed keeps four of them back, which are the next seed.
const (
	wholeBuffer = bufferSize / 8
	lastBuffer  = wholeBuffer - 4
)

const (
	// early is how many numbers the runtime draws at most from its first generator before it seeds that of the
	// only thread, and itself again. The keys of the hash function are among them.
	early = 64
	// most is how many seeds the generator of the thread may have had, each for more than a hundred numbers.
	most = 1 << 10
)

// findGenerators returns the runtime's two generators: the first one, which the host seeds, and that of the only
// thread. They are known by their seeds, for the key is known, and so is all that is drawn of it: the runtime seeds
// the thread's generator with four numbers of the first one, and the first one with the four behind them.
func findGenerators(memory []byte, key Key) ([]generator, error) {
	var drawn []byte
	for g := rand.NewChaCha8(key); len(drawn) < 8*early; {
		drawn = binary.LittleEndian.AppendUint64(drawn, g.Uint64())
	}
	for at := seedSize; at+seedSize <= len(drawn); at += 8 {
		first, ok := findSeed(memory, Key(drawn[at:at+seedSize]))
		if !ok {
			continue
		}
		if thread, ok := findDrawn(memory, Key(drawn[at-seedSize:at])); ok {
			return []generator{first, thread}, nil
		}
	}
	return nil, unfit("the random number generators of this version of Go are not known")
}

// findDrawn returns the generator that was seeded so, whatever it has drawn since: from time to time it takes a new
// seed of its own numbers.
func findDrawn(memory []byte, seed Key) (generator, bool) {
	stream := rand.NewChaCha8(seed)
	for range most {
		if g, ok := findSeed(memory, seed); ok {
			return g, true
		}
		for last := seed; seed == last; seed = seedOf(stream) {
			stream.Uint64()
		}
	}
	return generator{}, false
}

// seedOf returns the seed that a generator has now.
func seedOf(g *rand.ChaCha8) Key {
	text, _ := g.MarshalBinary() // it fails for no generator
	return Key(text[len(text)-seedSize:])
}

// findSeed returns the only generator in a memory that has a seed now.
func findSeed(memory []byte, seed Key) (g generator, ok bool) {
	for from := 0; ; {
		i := bytes.Index(memory[from:], seed[:])
		if i < 0 {
			return g, ok
		}
		at := from + i
		if isGenerator(memory, at) {
			if ok {
				return g, false
			}
			g, ok = generator{at}, true
		}
		from = at + 1
	}
}

// isGenerator says whether the counters behind a seed can be those of a generator. The keys of the hash function,
// which are drawn as a seed is, have none.
func isGenerator(memory []byte, seed int) bool {
	if seed < bufferSize || seed+seedSize+countersSize > len(memory) {
		return false
	}
	counters := memory[seed+seedSize:]
	used, size, block := binary.LittleEndian.Uint32(counters), binary.LittleEndian.Uint32(counters[4:]), binary.LittleEndian.Uint32(counters[8:])
	return used <= size && (size == wholeBuffer || size == lastBuffer) && block < 16 && block%4 == 0
}
