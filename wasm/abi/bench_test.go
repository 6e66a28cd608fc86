package abi

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// The messages of a helper's chunk: what its parent reads and tells, and a statement with its rows.
var (
	benchOccurrence = Occurrence{At: 1_700_000_000_000, Event: durable.StreamData{Stream: "run.17", Data: bytes.Repeat([]byte("chunk "), 100)}}
	benchReply      = Reply{Busy: true, Commands: []durable.Command{
		durable.Send{To: []durable.ConnID{"a", "b"}, Text: strings.Repeat("frame ", 100)},
		durable.StartTimer{Timer: "pump", After: 15},
		durable.Emit{Stream: "s", Data: bytes.Repeat([]byte("chunk "), 100)},
	}}
	benchStatement = Statement{
		SQL:  `UPDATE chunk SET count = count + ?, body = body || ? WHERE stream = ? AND first = ?`,
		Args: []any{int64(3), strings.Repeat("chunk ", 20), int64(-17), int64(512)},
	}
	benchResult = Result{Rows: []durable.Row{
		{int64(1), "call_0000000000000017", "Researcher", int64(0), "running", 1.5, nil},
		{int64(2), "call_0000000000000018", "Researcher", int64(1), "running", 1.5, nil},
		{int64(3), "call_0000000000000019", "Researcher", int64(1700000000000), "running", 1.5, []byte{1}},
	}}
)

func BenchmarkCodec(b *testing.B) {
	buffer := make([]byte, 0, 64<<10)
	reply, statement := benchReply, benchStatement
	occurrence, result := benchOccurrence.Encode(), benchResult.Encode()
	for name, run := range map[string]func() error{
		"read an occurrence": func() error { _, err := DecodeOccurrence(occurrence); return err },
		"write a reply":      func() error { buffer = reply.Append(buffer[:0]); return nil },
		"write a statement":  func() error { buffer = statement.Append(buffer[:0]); return nil },
		"read a result":      func() error { _, err := DecodeResult(result); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
