package section_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/internal/section"
)

// TestSegments cuts memories into data, and reads them again.
func TestSegments(t *testing.T) {
	zeros := func(n int) []byte { return make([]byte, n) }
	for _, test := range []struct {
		name   string
		memory []byte
		want   []int // the addresses of the segments
	}{
		{"nothing", nil, nil},
		{"zeros", zeros(100), nil},
		{"one byte", []byte{1}, []int{0}},
		{"zeros around", append(append(zeros(40), 7), zeros(40)...), []int{40}},
		{"a gap that is filled", append(append([]byte{1}, zeros(32)...), 2), []int{0}},
		{"a gap that is left out", append(append([]byte{1}, zeros(33)...), 2), []int{0, 34}},
		{"three pieces", slices.Concat([]byte{1}, zeros(50), []byte{2, 0, 3}, zeros(50), []byte{4}), []int{0, 51, 104}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := section.Split([]byte("\x00asm\x01\x00\x00\x00"))
			if err != nil {
				t.Fatal(err)
			}
			m.SetData(section.Segments(test.memory))
			again, err := section.Split(m.Join())
			if err != nil {
				t.Fatal(err)
			}
			data, err := again.Data()
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, s := range data {
				got = append(got, s.Address)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("the segments are at %v, want %v", got, test.want)
			}
			if image := section.Image(data); !bytes.Equal(image, bytes.TrimRight(test.memory, "\x00")) {
				t.Errorf("the memory is %v", image)
			}
		})
	}
}

// TestVariables writes globals and exports, and reads them again.
func TestVariables(t *testing.T) {
	m, err := section.Split([]byte("\x00asm\x01\x00\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	var want []section.Variable
	for _, n := range []int64{0, 1, -1, 63, 64, -64, -65, math.MaxInt32, math.MinInt32} {
		want = append(want, section.Variable{Type: section.TypeI32, Mutable: n > 0, Value: n}, section.Variable{Type: section.TypeI64, Value: n << 31})
	}
	want = append(want, section.Variable{Type: section.TypeI64, Value: math.MinInt64}, section.Variable{Type: 0x7c, Constant: []byte{0x44, 1, 2, 3, 4, 5, 6, 7, 8}})
	m.SetGlobals(want)
	exports := []section.Exported{{Name: "", Kind: section.KindGlobal, Index: 0}, {Name: "step", Kind: section.KindFunction, Index: 1 << 20}}
	m.SetExports(exports)
	again, err := section.Split(m.Join())
	if err != nil {
		t.Fatal(err)
	}
	got, err := again.Globals()
	if err != nil || !slices.EqualFunc(got, want, func(a, b section.Variable) bool {
		return a.Type == b.Type && a.Mutable == b.Mutable && a.Value == b.Value && bytes.Equal(a.Constant, b.Constant)
	}) {
		t.Errorf("got %v, %v", got, err)
	}
	if all, err := again.Exports(); err != nil || !slices.Equal(all, exports) {
		t.Errorf("got %v, %v", all, err)
	}
}

// TestGrowMemory checks that a memory begins with as many pages as it is told, and never with fewer than before.
func TestGrowMemory(t *testing.T) {
	for _, test := range []struct {
		memory string
		pages  uint32
		want   string
	}{
		{"\x01\x00\x02", 5, "\x01\x00\x05"},
		{"\x01\x00\x09", 5, "\x01\x00\x09"},
		{"\x01\x01\x02\x80\x01", 200, "\x01\x01\xc8\x01\x80\x01"},
	} {
		m := &section.Module{}
		m.Content[section.Memory] = []byte(test.memory)
		if err := m.GrowMemory(test.pages); err != nil || string(m.Content[section.Memory]) != test.want {
			t.Errorf("%x becomes %x, %v, want %x", test.memory, m.Content[section.Memory], err, test.want)
		}
	}
	if err := (&section.Module{}).GrowMemory(1); !errors.Is(err, section.ErrModule) {
		t.Errorf("without a memory: %v", err)
	}
}

// FuzzModule checks that no module makes the reader trap, and that what was read is written as it was.
func FuzzModule(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x01\x06\x06\x01\x7f\x01\x41\x07\x0b\x0b\x07\x01\x00\x41\x00\x0b\x01x"))
	f.Fuzz(func(t *testing.T, module []byte) {
		m, err := section.Split(module)
		if err != nil {
			return
		}
		if globals, err := m.Globals(); err == nil {
			m.SetGlobals(globals)
		}
		if exports, err := m.Exports(); err == nil {
			m.SetExports(exports)
		}
		data, err := m.Data()
		if err != nil {
			return
		}
		m.SetData(data)
		if _, err := section.Split(m.Join()); err != nil {
			t.Errorf("it cannot be read again: %v", err)
		}
	})
}
