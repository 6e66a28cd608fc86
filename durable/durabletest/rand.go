package durabletest

// Rand returns a stream of bytes that depends on seed alone: xorshift32, whose
// highest byte is taken at every step. Every engine's random port is this one,
// so that ids agree between them; it is no source of secrets.
func Rand(seed uint32) func(b []byte) {
	x := seed | 1
	return func(b []byte) {
		for i := range b {
			x ^= x << 13
			x ^= x >> 17
			x ^= x << 5
			b[i] = byte(x >> 24)
		}
	}
}
