package stream_test

import (
	"fmt"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/stream"
)

// BenchmarkReadLast reads the last chunk of logs, as the tail of a run does with every chunk. A
// long log must cost no more than a short one.
func BenchmarkReadLast(b *testing.B) {
	for _, chunks := range []int{10, 1_000, 5_000} {
		b.Run(fmt.Sprint(chunks), func(b *testing.B) {
			tx := durable.NewTx(1, durabletest.Memory(b), durabletest.Rand(1))
			durable.Migrate(tx, stream.Schema)
			for i := range chunks {
				stream.Append(tx, 1, int64(i), bodies(i, i+1, 100)...)
			}
			for b.Loop() {
				if last, _ := stream.Read(tx, 1, int64(chunks-1), 256<<10); len(last) != 1 {
					b.Fatalf("%d chunks, want 1", len(last))
				}
			}
		})
	}
}
