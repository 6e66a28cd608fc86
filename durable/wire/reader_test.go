package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/pack"
	"github.com/tributary-agents/tributary/durable/wire"
	"github.com/tributary-agents/tributary/internal/heap"
)

// whole is a stream of every frame of the vectors that does not end a stream, and then an end.
func whole() (stream []byte, want []wire.Frame) {
	stream = wire.AppendStart(nil)
	for _, f := range frames {
		if f.frame.Kind == wire.KindEnd {
			break
		}
		want = append(want, f.frame)
	}
	want = append(want, wire.Frame{Kind: wire.KindEnd, Index: 99, Body: []byte("done")})
	for _, f := range want {
		stream = wire.AppendFrame(stream, f)
	}
	return stream, want
}

func TestReaderAnySplit(t *testing.T) {
	stream, want := whole()
	for size := 1; size <= len(stream); size++ {
		var r wire.Reader
		got, err := feed(&r, stream, func(int) int { return size })
		if err != nil || !reflect.DeepEqual(got, want) || !r.Finished() {
			t.Fatalf("split every %d bytes: got %v, %v, finished %t", size, got, err, r.Finished())
		}
	}
}

// feed feeds a stream in parts, the i-th of size(i) bytes.
func feed(r *wire.Reader, stream []byte, size func(int) int) ([]wire.Frame, error) {
	var all []wire.Frame
	var err error
	for i := 0; len(stream) > 0; i++ {
		n := min(max(size(i), 1), len(stream))
		var got []wire.Frame
		got, err = r.Feed(bytes.Clone(stream[:n]))
		all, stream = append(all, got...), stream[n:]
	}
	return all, err
}

func TestReaderInterrupted(t *testing.T) {
	stream, _ := whole()
	for n := range len(stream) {
		var r wire.Reader
		if _, err := r.Feed(stream[:n]); err != nil || r.Finished() {
			t.Fatalf("after %d of %d bytes: %v, finished %t", n, len(stream), err, r.Finished())
		}
	}
}

func TestReaderRefuses(t *testing.T) {
	ahead := wire.Frame{Kind: wire.KindChunk, Index: 1, Body: []byte("good")}
	good := wire.AppendFrame(wire.AppendStart(nil), ahead)
	end := wire.AppendFrame(nil, wire.Frame{Kind: wire.KindEnd})
	for _, c := range []struct {
		name string
		bad  []byte
		want error
	}{
		{"too long", binary.BigEndian.AppendUint32(nil, wire.MaxFrame+1), wire.ErrOversized},
		{"as long as can be said", []byte{0xff, 0xff, 0xff, 0xff}, wire.ErrOversized},
		{"empty", framed(), wire.ErrCorrupt},
		{"no list", framed(0x80, 1, 1, 0xc4, 0), wire.ErrCorrupt},
		{"list of two", framed(0x92, 1, 1, 0xc4, 0), wire.ErrCorrupt},
		{"kind 0", framed(0x93, 0, 1, 0xc4, 0), wire.ErrUnknownKind},
		{"kind 9", framed(0x93, 9, 1, 0xc4, 0), wire.ErrUnknownKind},
		{"kind 256 + 1", framed(0x93, 0xcd, 1, 1, 1, 0xc4, 0), wire.ErrUnknownKind},
		{"kind is a text", framed(0x93, 0xa1, '1', 1, 0xc4, 0), wire.ErrCorrupt},
		{"index is negative", framed(0x93, 1, 0xff, 0xc4, 0), wire.ErrCorrupt},
		{"index above 63 bits", framed(0x93, 1, 0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0, 0xc4, 0), wire.ErrCorrupt},
		{"index longer than it must be", framed(0x93, 1, 0xcc, 1, 0xc4, 0), wire.ErrCorrupt},
		{"body is a text", framed(0x93, 1, 1, 0xa0), wire.ErrCorrupt},
		{"body is missing", framed(0x93, 1, 1), wire.ErrCorrupt},
		{"body shorter than it says", framed(0x93, 1, 1, 0xc4, 2, 'x'), wire.ErrCorrupt},
		{"body longer than it says", framed(0x93, 1, 1, 0xc4, 0, 'x'), wire.ErrCorrupt},
		{"0xc1", framed(0x93, 0xc1, 1, 0xc4, 0), wire.ErrCorrupt},
		{"heartbeat with a body", framed(0x93, 5, 1, 0xc4, 1, 'x'), wire.ErrCorrupt},
		{"error without code and words", framed(0x93, 7, 1, 0xc4, 0), wire.ErrCorrupt},
		{"error with an empty code", framed(0x93, 7, 1, 0xc4, 3, 0x92, 0xa0, 0xa0), wire.ErrCorrupt},
		{"bytes behind the end", append(bytes.Clone(end), 0), wire.ErrAfterEnd},
		{"two ends", append(bytes.Clone(end), end...), wire.ErrAfterEnd},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r wire.Reader
			got, err := r.Feed(append(bytes.Clone(good), c.bad...))
			if len(got) == 0 || !reflect.DeepEqual(got[0], ahead) {
				t.Errorf("got %v, want the frame ahead of the bad one", got)
			}
			if fe, ok := errors.AsType[*wire.FrameError](err); !ok || !errors.Is(err, c.want) || fe.Offset < int64(len(good)) {
				t.Errorf("got %v, want %v at byte %d or behind", err, c.want, len(good))
			}
			if r.Finished() {
				t.Error("finished")
			}
			if more, again := r.Feed(end); more != nil || again != err {
				t.Errorf("fed again: got %v, %v, want nothing, %v", more, again, err)
			}
		})
	}
}

func TestReaderRefusesOtherVersion(t *testing.T) {
	var r wire.Reader
	if _, err := r.Feed([]byte{wire.Version + 1, 0, 0}); !errors.Is(err, wire.ErrVersion) {
		t.Errorf("got %v, want %v", err, wire.ErrVersion)
	}
}

func framed(body ...byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)
}

// TestReaderForgedLength promises the largest frame and sends one byte of it, to many readers. They
// hold only the bytes that have come.
func TestReaderForgedLength(t *testing.T) {
	promise := append(wire.AppendStart(nil), binary.BigEndian.AppendUint32(nil, wire.MaxFrame)...)
	promise = append(promise, 0x93)
	const readers = 1000
	got := heap.Allocated(func() {
		for i, readers := 0, make([]wire.Reader, readers); i < len(readers); i++ {
			if _, err := readers[i].Feed(promise); err != nil {
				t.Fatal(err)
			}
		}
	})
	if got > wire.MaxFrame {
		t.Errorf("%d bytes were allocated for %d that came", got, readers*len(promise))
	}
}

func TestAppendFramePanics(t *testing.T) {
	for name, f := range map[string]wire.Frame{
		"no kind":          {},
		"unknown kind":     {Kind: wire.KindHost + 1},
		"negative index":   {Kind: wire.KindChunk, Index: -1},
		"body too large":   {Kind: wire.KindChunk, Body: make([]byte, wire.MaxBody+1)},
		"heart that talks": {Kind: wire.KindHeartbeat, Body: []byte("x")},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("it was written")
				}
			}()
			wire.AppendFrame(nil, f)
		})
	}
}

func TestLargestFrame(t *testing.T) {
	want := wire.Frame{Kind: wire.KindChunk, Index: 1 << 62, Body: make([]byte, wire.MaxBody)}
	stream := wire.AppendFrame(wire.AppendStart(nil), want)
	if got := len(stream) - 5; got != wire.MaxFrame {
		t.Errorf("frame of %d bytes, want %d", got, wire.MaxFrame)
	}
	var r wire.Reader
	got, err := feed(&r, stream, func(int) int { return 65536 })
	if err != nil || !reflect.DeepEqual(got, []wire.Frame{want}) {
		t.Errorf("got %d frames, %v", len(got), err)
	}
}

func TestKindNames(t *testing.T) {
	want := []string{"kind 0", "chunk", "progress", "milestone", "waiting", "heartbeat", "end", "error", "host", "kind 9"}
	for k, name := range want {
		if got := wire.Kind(k).String(); got != name {
			t.Errorf("got %q, want %q", got, name)
		}
	}
}

func BenchmarkAppendFrame(b *testing.B) {
	f := wire.Frame{Kind: wire.KindChunk, Index: 1000, Body: make([]byte, 100)}
	var dst []byte
	for b.Loop() {
		dst = wire.AppendFrame(dst[:0], f)
	}
}

// BenchmarkHead writes and reads a frame by hand, and as the library would.
func BenchmarkHead(b *testing.B) {
	f := wire.Frame{Kind: wire.KindChunk, Index: 70_000, Body: make([]byte, 120)}
	b.Run("by hand", func(b *testing.B) {
		for b.Loop() {
			var r wire.Reader
			if got, err := r.Feed(wire.AppendFrame(wire.AppendStart(nil), f)); err != nil || len(got) != 1 {
				b.Fatal(got, err)
			}
		}
	})
	b.Run("by the library", func(b *testing.B) {
		for b.Loop() {
			w := pack.NewWriter()
			w.List(3)
			w.Uint(uint64(f.Kind))
			w.Uint(uint64(f.Index))
			w.Bytes(f.Body)
			r := pack.NewReader(w.Data())
			_, _ = r.List()
			_, _ = r.Uint()
			_, _ = r.Uint()
			if body, err := r.Bytes(); err != nil || len(body) != len(f.Body) {
				b.Fatal(body, err)
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var batch []byte
	for i := range 1000 {
		batch = wire.AppendFrame(batch, wire.Frame{Kind: wire.KindChunk, Index: int64(i), Body: make([]byte, 100)})
	}
	var r wire.Reader
	r.Feed(wire.AppendStart(nil))
	for b.Loop() {
		r.Feed(batch)
	}
}
