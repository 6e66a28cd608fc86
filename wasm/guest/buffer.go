package guest

const (
	// maxInput bounds what a host may hand over in one call: the largest message
	// of the platform, 32 MiB, and room for what surrounds it.
	maxInput = 40 << 20
	// keptBuffer is how large a buffer may be to be used again. Linear memory
	// never shrinks, but what a larger one occupies can at least serve others.
	keptBuffer = 1 << 20
	// leastBuffer is large enough for most messages and most results.
	leastBuffer = 16 << 10
)

// reuse returns an empty buffer, b's own bytes where they are worth keeping.
func reuse(b []byte) []byte {
	if cap(b) > keptBuffer {
		return nil
	}
	return b[:0]
}

// grow returns n bytes, b's own where they suffice and are worth keeping.
func grow(b []byte, n int) []byte {
	if n <= cap(b) && (cap(b) <= keptBuffer || n > keptBuffer) {
		return b[:n]
	}
	return make([]byte, n, max(n, leastBuffer))
}
