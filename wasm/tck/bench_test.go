package tck

import (
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/host"
)

// BenchmarkInstantiate makes instances of the shipped module. MB is the linear memory of a new one.
func BenchmarkInstantiate(b *testing.B) {
	_, m := shipped(b)
	ports := host.Ports{Now: func() int64 { return 1 }, Seed: durabletest.Rand(1), Random: durabletest.Rand(2)}
	size := 0
	for b.Loop() {
		in, err := m.Instantiate(b.Context(), ports)
		if err != nil {
			b.Fatal(err)
		}
		size = in.Size()
		if err := in.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(size)/1e6, "MB")
}

// BenchmarkStep delivers one message to one object of the kit's guest, which draws randomness and
// answers.
func BenchmarkStep(b *testing.B) {
	g, err := guest()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("wazero", func(b *testing.B) {
		bench(b, host.NewEngine(g.module, host.EngineOptions{}))
	})
	b.Run("node", func(b *testing.B) {
		n, err := NewNode(g.path, NodeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		bench(b, n)
	})
}

func bench(b *testing.B, e durabletest.Engine) {
	opened := durable.Opened{Class: "Probe"}
	for b.Loop() {
		if _, err := e.Step("a", 1, opened, durable.SocketMessage{Conn: "c", Text: "random"}); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
}
