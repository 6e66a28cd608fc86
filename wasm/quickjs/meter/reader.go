package meter

import "math"

// reader reads what a module consists of. After something that is cut off or malformed it is bad, and
// reads nothing more.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) take(n uint32) []byte {
	if r.bad || uint64(n) > uint64(len(r.data)) {
		r.bad, r.data = true, nil
		return nil
	}
	taken := r.data[:n]
	r.data = r.data[n:]
	return taken
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

// uint reads a number without a sign, which takes at most five bytes.
func (r *reader) uint() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			r.bad = r.bad || n > math.MaxUint32
			return uint32(n)
		}
	}
	r.bad = true
	return 0
}

// skipNumber skips a number with a sign, which takes at most ten bytes.
func (r *reader) skipNumber() {
	for range 10 {
		if r.byte() < 0x80 {
			return
		}
	}
	r.bad = true
}

func (r *reader) name() string { return string(r.take(r.uint())) }

// limits reads the bounds of a table or a memory.
func (r *reader) limits() (low, high uint32) {
	flag := r.byte()
	low, high = r.uint(), math.MaxUint32
	if flag == 1 {
		high = r.uint()
	}
	r.bad = r.bad || flag > 1
	return low, high
}

// locals reads how many locals a function has, besides its parameters.
func (r *reader) locals() (n uint64) {
	for groups := r.uint(); groups > 0 && !r.bad; groups-- {
		n += uint64(r.uint())
		r.byte()
	}
	return n
}

func appendUint(out []byte, n uint32) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

func appendInt(out []byte, n int64) []byte {
	for ; n < -64 || n > 63; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n)&0x7f)
}
