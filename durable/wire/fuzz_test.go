package wire_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/tributary-agents/tributary/durable/wire"
	"github.com/tributary-agents/tributary/durable/wire/travel/testdata/allowed"
)

// FuzzReader shows that it does not matter where a stream is split, valid or not, and that the
// frames read are those that AppendFrame writes.
func FuzzReader(f *testing.F) {
	stream, _ := whole()
	f.Add(stream, []byte{1, 2, 3})
	f.Add(append(bytes.Clone(stream), "behind"...), []byte{1})
	for _, data := range goldenVectors(f) {
		f.Add(append(wire.AppendStart(nil), data...), []byte{5})
	}
	f.Fuzz(func(t *testing.T, stream, sizes []byte) {
		var once, split wire.Reader
		want, wantErr := once.Feed(bytes.Clone(stream))
		got, gotErr := feed(&split, stream, func(i int) int {
			if len(sizes) == 0 {
				return 1
			}
			return int(sizes[i%len(sizes)])
		})
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotErr, wantErr) || split.Finished() != once.Finished() {
			t.Errorf("split: got %v, %v; at once: %v, %v", got, gotErr, want, wantErr)
		}
		again := wire.AppendStart(nil)
		for _, f := range want {
			again = wire.AppendFrame(again, f)
		}
		if len(stream) > 0 && stream[0] == wire.Version && !bytes.HasPrefix(stream, again) {
			t.Errorf("%x was read, and is written as %x", stream, again)
		}
	})
}

// FuzzServe shows that every input is answered with a result or an error.
func FuzzServe(f *testing.F) {
	for _, data := range goldenVectors(f) {
		f.Add(data)
	}
	mux := newMux()
	f.Fuzz(func(t *testing.T, data []byte) {
		answer := mux.Serve(&world{}, data)
		_, err := start.Result(answer)
		if err == nil {
			return
		}
		if _, ok := err.(*wire.Error); !ok {
			t.Errorf("%x is answered with %v, which is no *wire.Error", answer, err)
		}
	})
}

// FuzzValue shows that a value which could be read travels on unchanged.
func FuzzValue(f *testing.F) {
	f.Add(allowed.Echo.Request(everything))
	f.Add(allowed.Echo.Request(allowed.Everything{}))
	var mux wire.Mux[*allowed.Everything]
	wire.Handle(&mux, allowed.Echo, func(seen *allowed.Everything, req allowed.Everything) (allowed.Everything, error) {
		*seen = req
		return req, nil
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		var seen allowed.Everything
		got, err := allowed.Echo.Result(mux.Serve(&seen, data))
		if err == nil && !bytes.Equal(allowed.Echo.Request(got), allowed.Echo.Request(seen)) {
			t.Errorf("got %+v, sent %+v", got, seen)
		}
	})
}
