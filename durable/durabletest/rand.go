package durabletest

// Rand returns a stream of bytes that depends only on seed: xorshift32, which yields its highest
// byte at every step. Every engine uses it as its random port, so that ids agree between them. It
// is not fit for secrets.
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
