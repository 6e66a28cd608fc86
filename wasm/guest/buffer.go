package guest

const (
	// maxInput bounds what a host may pass in one call: the platform's largest message, 32 MiB, and
	// room for its envelope.
	maxInput = 40 << 20
	// keptBuffer is the largest buffer that is kept for reuse. Linear memory never shrinks, but the
	// bytes of a larger buffer can then serve other purposes.
	keptBuffer = 1 << 20
	// leastBuffer is large enough for most messages and most results.
	leastBuffer = 16 << 10
)

// reuse returns an empty buffer: b itself if it is small enough to keep.
func reuse(b []byte) []byte {
	if cap(b) > keptBuffer {
		return nil
	}
	return b[:0]
}

// grow returns n bytes: those of b if they suffice and b is small enough to keep.
func grow(b []byte, n int) []byte {
	if n <= cap(b) && (cap(b) <= keptBuffer || n > keptBuffer) {
		return b[:n]
	}
	return make([]byte, n, max(n, leastBuffer))
}
