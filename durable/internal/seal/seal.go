// Package seal seals a short text with AES-256-GCM (NIST SP 800-38D), so that somebody else can keep
// it, and can neither read nor change it. crypto/aes would bring the self-tests of Go's FIPS module into
// the module of every application, whether it seals anything or not: 207 kB.
//
// The cipher looks up bytes in a table, as Go's own does on WebAssembly. Its time could tell something of
// the key to a program that shares the processor's cache, and to nobody else.
package seal

import "encoding/binary"

// The sizes of a key, of a nonce, and of what a sealed text has more than the text, in bytes.
const (
	KeySize   = 32
	NonceSize = 12
	Overhead  = NonceSize + blockSize
)

const blockSize = 16

// Seal returns the nonce and the sealed text behind it. A nonce must not be used twice with a key.
func Seal(key [KeySize]byte, nonce [NonceSize]byte, text []byte) []byte {
	c := newCipher(key)
	out := append(nonce[:], text...)
	c.xor(nonce, out[NonceSize:])
	tag := c.tag(nonce, out[NonceSize:])
	return append(out, tag[:]...)
}

// Open returns the text of what [Seal] has returned for the key. It is false for anything else.
func Open(key [KeySize]byte, sealed []byte) (text []byte, ok bool) {
	if len(sealed) < Overhead {
		return nil, false
	}
	c, end := newCipher(key), len(sealed)-blockSize
	nonce := [NonceSize]byte(sealed[:NonceSize])
	text = append(text, sealed[NonceSize:end]...)
	tag := c.tag(nonce, text)
	var differ byte
	for i, b := range sealed[end:] { // all bytes, so that the time says nothing of the first wrong one
		differ |= b ^ tag[i]
	}
	if differ != 0 {
		return nil, false
	}
	c.xor(nonce, text)
	return text, true
}

// xor adds the key stream of a nonce to a text.
func (c *cipher) xor(nonce [NonceSize]byte, text []byte) {
	for n := uint32(2); len(text) > 0; n++ {
		stream := c.stream(nonce, n)
		for i := range min(len(text), blockSize) {
			text[i] ^= stream[i]
		}
		text = text[min(len(text), blockSize):]
	}
}

// stream returns the nth block of a nonce's key stream.
func (c *cipher) stream(nonce [NonceSize]byte, n uint32) [blockSize]byte {
	var block [blockSize]byte
	copy(block[:], nonce[:])
	binary.BigEndian.PutUint32(block[NonceSize:], n)
	return c.encrypt(block)
}

// tag returns the check of a sealed text.
func (c *cipher) tag(nonce [NonceSize]byte, sealed []byte) [blockSize]byte {
	h := elementOf(c.encrypt([blockSize]byte{}))
	var sum element
	for rest := sealed; len(rest) > 0; rest = rest[min(len(rest), blockSize):] {
		var block [blockSize]byte
		copy(block[:], rest)
		sum = sum.plus(elementOf(block)).times(h)
	}
	sum = sum.plus(element{0, uint64(len(sealed)) * 8}).times(h)
	tag := c.stream(nonce, 1)
	binary.BigEndian.PutUint64(tag[:], binary.BigEndian.Uint64(tag[:])^sum[0])
	binary.BigEndian.PutUint64(tag[8:], binary.BigEndian.Uint64(tag[8:])^sum[1])
	return tag
}

// element is an element of GF(2^128). The first bit of a block is the coefficient of 1.
type element [2]uint64

func elementOf(block [blockSize]byte) element {
	return element{binary.BigEndian.Uint64(block[:]), binary.BigEndian.Uint64(block[8:])}
}

func (a element) plus(b element) element { return element{a[0] ^ b[0], a[1] ^ b[1]} }

// times multiplies bit by bit, without a branch or a table that depends on the elements.
func (a element) times(b element) (product element) {
	for i := range 128 {
		bit := -(a[i/64] >> (63 - i%64) & 1) // all ones, or zero
		product[0] ^= b[0] & bit
		product[1] ^= b[1] & bit
		carry := -(b[1] & 1)
		b[1] = b[1]>>1 | b[0]<<63
		b[0] = b[0]>>1 ^ carry&(0xe1<<56)
	}
	return product
}
