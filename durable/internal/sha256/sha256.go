// Package sha256 is SHA-256 of FIPS 180-4 for data in memory. crypto/sha256 would bring the
// self-tests of Go's FIPS module with everything that they test: 149 kB of the module, 48 kB
// compressed. Its time depends on the length of the data alone. It signs and encrypts nothing.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is how many bytes a sum has.
const Size = 32

const blockSize = 64

// Sum returns the SHA-256 of data.
func Sum(data []byte) [Size]byte {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	whole := len(data) / blockSize * blockSize
	compress(&h, data[:whole])
	compress(&h, padded(data[whole:], len(data)))
	var sum [Size]byte
	for i, word := range h {
		binary.BigEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

// padded returns the last blocks: what is left of the data, a one bit, zeros, and the length of all
// data in bits.
func padded(rest []byte, length int) []byte {
	blocks := make([]byte, (len(rest)+8)/blockSize*blockSize+blockSize)
	blocks[copy(blocks, rest)] = 0x80
	binary.BigEndian.PutUint64(blocks[len(blocks)-8:], uint64(length)*8)
	return blocks
}

// compress takes whole blocks into the state.
func compress(state *[8]uint32, data []byte) {
	for ; len(data) >= blockSize; data = data[blockSize:] {
		var w [64]uint32
		for i := range 16 {
			w[i] = binary.BigEndian.Uint32(data[4*i:])
		}
		for i := 16; i < len(w); i++ {
			s0 := rotate(w[i-15], 7) ^ rotate(w[i-15], 18) ^ w[i-15]>>3
			s1 := rotate(w[i-2], 17) ^ rotate(w[i-2], 19) ^ w[i-2]>>10
			w[i] = w[i-16] + s0 + w[i-7] + s1
		}
		a, b, c, d, e, f, g, h := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
		for i := range w {
			t1 := h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + (e&f ^ ^e&g) + constants[i] + w[i]
			t2 := (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + (a&b ^ a&c ^ b&c)
			a, b, c, d, e, f, g, h = t1+t2, a, b, c, d+t1, e, f, g
		}
		for i, v := range [8]uint32{a, b, c, d, e, f, g, h} {
			state[i] += v
		}
	}
}

// rotate returns v rotated to the right.
func rotate(v uint32, n int) uint32 { return bits.RotateLeft32(v, -n) }

// constants are the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
