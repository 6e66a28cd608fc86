package stream_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/stream"
)

// TestAFollowedStreamIsNotReadBack appends and reads in turns. Only the first read, one behind a loss
// of memory, one that asks for earlier chunks, and one of too many chunks read storage.
func TestAFollowedStreamIsNotReadBack(t *testing.T) {
	storage := &counter{SQLite: durabletest.Memory(t)}
	var memory durable.Tables
	tx := durable.NewTx(1, storage, durabletest.Rand(1))
	durable.Migrate(tx, stream.Schema)
	tx.Use(&memory)
	stream.Append(tx, 7, 0, bodies(0, 3, 0)...)
	stream.Follow(tx, 7)
	for _, step := range []struct {
		name       string
		do         func()
		from, want int64
		reads      bool
	}{
		{"the first read", func() {}, 1, 3, true},
		{"nothing is new", func() {}, 3, 3, false},
		{"an event has appended twice", func() {
			stream.Append(tx, 7, 3, bodies(3, 4, 0)...)
			stream.Append(tx, 7, 4, bodies(4, 6, 0)...)
		}, 3, 6, false},
		{"another stream", func() { stream.Append(tx, 8, 0, bodies(0, 2, 0)...) }, 6, 6, false},
		{"earlier chunks", func() {}, 2, 6, true},
		{"a part of what is kept", func() { stream.Append(tx, 7, 6, bodies(6, 9, 0)...) }, 8, 9, false},
		{"what was taken", func() {}, 7, 9, true},
		{"too many chunks", func() { stream.Append(tx, 7, 9, bodies(9, 12, 100_000)...) }, 9, 12, true},
		{"behind them", func() { stream.Append(tx, 7, 12, bodies(12, 13, 0)...) }, 12, 13, false},
		{"the memory is lost", func() {
			stream.Append(tx, 7, 13, bodies(13, 14, 0)...)
			memory = durable.Tables{}
			stream.Follow(tx, 7)
			stream.Append(tx, 7, 14, bodies(14, 15, 0)...)
		}, 13, 15, true},
		{"nobody follows", func() { stream.Append(tx, 7, 15, bodies(15, 16, 0)...); stream.Unfollow(tx, 7) }, 15, 16, true},
	} {
		step.do()
		before := storage.statements
		from := step.from
		for more := true; more; {
			var chunks []stream.Chunk
			chunks, more = stream.Read(tx, 7, from, 256<<10)
			for _, c := range chunks {
				if want := fmt.Sprintf(`{"n":%d,`, c.Index); c.Index != from || string(c.Body[:len(want)]) != want {
					t.Fatalf("%s: chunk %d is %.20s at %d", step.name, from, c.Body, c.Index)
				}
				from++
			}
		}
		if reads := storage.statements > before; from != step.want || reads != step.reads {
			t.Errorf("%s: read up to %d, want %d; read storage %v, want %v", step.name, from, step.want, reads, step.reads)
		}
	}
	if n := memory.Bytes(); n != 0 {
		t.Errorf("%d bytes are kept of streams that nobody follows", n)
	}
}
