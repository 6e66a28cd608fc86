package section

// Segment is a piece of the data that a module's memory begins with.
type Segment struct {
	// Address is where the bytes come to lie in the memory.
	Address int
	Bytes   []byte
}

// MaxAddress is the largest memory that this package reads data for, in bytes.
const MaxAddress = 1 << 26

// Data returns the data of a module. The segments share the module's bytes.
func (m *Module) Data() ([]Segment, error) {
	n, entries, err := m.Vector(Data)
	if err != nil {
		return nil, err
	}
	segments := make([]Segment, 0, min(n, uint32(len(entries))))
	r := Reader{Data: entries}
	for ; n > 0 && !r.Bad; n-- {
		isActive := r.Byte() == 0 && r.Byte() == opI32Const
		address := int64(uint32(r.Int()))
		isActive = isActive && r.Byte() == opEnd
		bytes := r.Take(r.Uint())
		if !isActive || address > MaxAddress || len(bytes) > MaxAddress {
			return nil, malformed("a segment of its data has no address that is a constant")
		}
		segments = append(segments, Segment{int(address), bytes})
	}
	if r.Bad || len(r.Data) > 0 {
		return nil, malformed("its data is cut off, or more follows it")
	}
	return segments, nil
}

// SetData replaces the data of a module.
func (m *Module) SetData(segments []Segment) {
	if len(segments) == 0 && !m.Has(Data) {
		return
	}
	out := AppendUint(nil, uint32(len(segments)))
	for _, s := range segments {
		out = AppendInt(append(out, 0, opI32Const), int64(int32(s.Address)))
		out = AppendUint(append(out, opEnd), uint32(len(s.Bytes)))
		out = append(out, s.Bytes...)
	}
	m.Content[Data] = out
	if m.Has(DataCount) {
		m.Content[DataCount] = AppendUint(nil, uint32(len(segments)))
	}
}

// Image returns what the memory is at the start, up to the last byte of the data.
func Image(segments []Segment) []byte {
	end := 0
	for _, s := range segments {
		end = max(end, s.Address+len(s.Bytes))
	}
	memory := make([]byte, end)
	for _, s := range segments {
		copy(memory[s.Address:], s.Bytes)
	}
	return memory
}

// gap is the largest number of zeros between two pieces of data that stay one segment. The header of a segment
// takes up to eleven bytes that do not compress, and zeros do.
const gap = 32

// Segments returns a memory as data: the zeros at its end, and long runs of zeros, are left out.
func Segments(memory []byte) (segments []Segment) {
	begin, end := -1, 0 // of the segment that is read, whose last byte is not zero
	for i, b := range memory {
		switch {
		case b == 0:
			continue
		case begin < 0:
			begin = i
		case i-end > gap:
			segments = append(segments, Segment{begin, memory[begin:end]})
			begin = i
		}
		end = i + 1
	}
	if begin >= 0 {
		segments = append(segments, Segment{begin, memory[begin:end]})
	}
	return segments
}
