package seal

import "math/bits"

// rounds is the number of rounds of AES with a key of 256 bits, FIPS 197.
const rounds = 14

// cipher is AES-256 with one key. It only encrypts: GCM needs no more.
type cipher struct {
	keys [rounds + 1][blockSize]byte
	box  [256]byte
}

// newCipher expands a key into the keys of the rounds.
func newCipher(key [KeySize]byte) *cipher {
	c := cipher{box: makeBox()}
	words := make([][4]byte, 4*(rounds+1))
	for i := range words {
		if i < 8 {
			words[i] = [4]byte(key[4*i:])
			continue
		}
		w := words[i-1]
		switch i % 8 {
		case 0:
			w = [4]byte{c.box[w[1]] ^ 1<<(i/8-1), c.box[w[2]], c.box[w[3]], c.box[w[0]]}
		case 4:
			w = [4]byte{c.box[w[0]], c.box[w[1]], c.box[w[2]], c.box[w[3]]}
		}
		for j := range w {
			words[i][j] = words[i-8][j] ^ w[j]
		}
	}
	for i, w := range words {
		copy(c.keys[i/4][i%4*4:], w[:])
	}
	return &c
}

// encrypt encrypts a block, whose columns lie one behind the other.
func (c *cipher) encrypt(block [blockSize]byte) [blockSize]byte {
	add(&block, &c.keys[0])
	for round := 1; round <= rounds; round++ {
		block = c.substitute(block)
		if round < rounds {
			mix(&block)
		}
		add(&block, &c.keys[round])
	}
	return block
}

func add(block, key *[blockSize]byte) {
	for i := range block {
		block[i] ^= key[i]
	}
}

// substitute replaces each byte, and shifts the rows.
func (c *cipher) substitute(block [blockSize]byte) (out [blockSize]byte) {
	for i := range out {
		out[i] = c.box[block[(i+i%4*4)%blockSize]]
	}
	return out
}

// mix mixes the bytes of each column.
func mix(block *[blockSize]byte) {
	for i := 0; i < blockSize; i += 4 {
		a, b, c, d := block[i], block[i+1], block[i+2], block[i+3]
		all := a ^ b ^ c ^ d
		block[i] ^= all ^ double(a^b)
		block[i+1] ^= all ^ double(b^c)
		block[i+2] ^= all ^ double(c^d)
		block[i+3] ^= all ^ double(d^a)
	}
}

// double multiplies by x in GF(2^8).
func double(b byte) byte { return b<<1 ^ b>>7*0x1b }

// makeBox returns the substitution of bytes. It runs through all elements of GF(2^8) but 0 as powers of 3, beside their inverses.
func makeBox() (box [256]byte) {
	power, inverse := byte(1), byte(1)
	for range 255 {
		power ^= double(power)
		for shift := 1; shift < 8; shift *= 2 { // divides by 3
			inverse ^= inverse << shift
		}
		inverse ^= inverse >> 7 * 0x09
		s := inverse
		for turn := 1; turn < 5; turn++ {
			s ^= bits.RotateLeft8(inverse, turn)
		}
		box[power] = s ^ 0x63
	}
	box[0] = 0x63
	return box
}
