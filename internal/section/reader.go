package section

import "math"

// Reader reads what a module consists of. After something that is cut off or malformed it is Bad, and
// reads nothing more.
type Reader struct {
	// Data is what is left to read.
	Data []byte
	Bad  bool
}

// Take returns the next n bytes.
func (r *Reader) Take(n uint32) []byte {
	if r.Bad || uint64(n) > uint64(len(r.Data)) {
		r.Bad, r.Data = true, nil
		return nil
	}
	taken := r.Data[:n]
	r.Data = r.Data[n:]
	return taken
}

// Byte returns the next byte.
func (r *Reader) Byte() byte {
	if b := r.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Uint reads a number without a sign, which takes at most five bytes.
func (r *Reader) Uint() uint32 {
	var n uint64
	for shift := 0; shift < 35; shift += 7 {
		b := r.Byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			r.Bad = r.Bad || n > math.MaxUint32
			return uint32(n)
		}
	}
	r.Bad = true
	return 0
}

// Int reads a number with a sign, in two's complement, which takes at most ten bytes.
func (r *Reader) Int() int64 {
	var n int64
	for shift := 0; shift < 70; shift += 7 {
		b := r.Byte()
		n |= int64(b&0x7f) << shift
		if b < 0x80 {
			if shift < 57 && b&0x40 != 0 {
				n |= -1 << (shift + 7)
			}
			return n
		}
	}
	r.Bad = true
	return 0
}

// SkipNumber skips a number with a sign, which takes at most ten bytes.
func (r *Reader) SkipNumber() { r.Int() }

// Name reads a length and a text of that length.
func (r *Reader) Name() string { return string(r.Take(r.Uint())) }

// Limits reads the bounds of a table or a memory.
func (r *Reader) Limits() (low, high uint32) {
	flag := r.Byte()
	low, high = r.Uint(), math.MaxUint32
	if flag == 1 {
		high = r.Uint()
	}
	r.Bad = r.Bad || flag > 1
	return low, high
}

// Locals reads how many locals a function has, besides its parameters.
func (r *Reader) Locals() (n uint64) {
	for groups := r.Uint(); groups > 0 && !r.Bad; groups-- {
		n += uint64(r.Uint())
		r.Byte()
	}
	return n
}

// AppendUint appends a number without a sign.
func AppendUint(out []byte, n uint32) []byte {
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
}

// AppendInt appends a number with a sign.
func AppendInt(out []byte, n int64) []byte {
	for ; n < -64 || n > 63; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n)&0x7f)
}
