package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/client"
)

// TestNotes checks the lines that show what happens beside the text of an answer.
func TestNotes(t *testing.T) {
	event := func(e client.RunEvent) client.Chunk {
		e.RunID = "r1"
		return client.Chunk{Kind: client.Helper, Event: &e}
	}
	for want, chunk := range map[string]client.Chunk{
		`[research {"query":"tea"}]`: {Kind: client.ToolCall, Tool: "research", Input: []byte(`{"query":"tea"}`)},
		"[research failed: no tea]":  {Kind: client.ToolError, Tool: "research", Err: "no tea"},
		"[a picture, image/png]":     {Kind: client.File, MediaType: "image/png", URL: "data:image/png;base64,AAAA"},
		"":                           {Kind: client.Reasoning, Text: "hm"},
		"  r1: Researcher begins":    event(client.RunEvent{Kind: client.RunStarted, Agent: "Researcher"}),
		"  r1: 40 % reading":         event(client.RunEvent{Kind: client.RunProgress, Progress: client.Progress{Fraction: 0.4, Message: "reading"}}),
		"  r1: searched":             event(client.RunEvent{Kind: client.RunMilestone, Milestone: client.Milestone{Name: "searched"}}),
		"  r1: finished":             event(client.RunEvent{Kind: client.RunFinished, Summary: "tea"}),
		"  r1: aborted: stopped":     event(client.RunEvent{Kind: client.RunAborted, Reason: "stopped"}),
		"  r1: [search 1]":           event(client.RunEvent{Kind: client.RunChunk, Chunk: client.Chunk{Kind: client.ToolCall, Tool: "search", Input: []byte("1")}}),
	} {
		if got := noteOf(chunk); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestNoServer asks where nobody listens, and with wrong flags.
func TestNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	ask := func(args ...string) error {
		t := terminal{in: bufio.NewReader(strings.NewReader("")), out: io.Discard, notes: io.Discard, interruptible: untilInterrupt}
		return t.run(context.Background(), args)
	}
	if err := ask("-url", free, "hello"); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("nobody listens: got %v", err)
	}
	if err := ask("-help"); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("help: got %v", err)
	}
}
