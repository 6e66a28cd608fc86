package model

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// silent is a dialect whose events say nothing.
type silent struct{}

func (silent) Event(*durable.Tx, []byte) ([]Delta, error) { return nil, nil }
func (silent) Whole(*durable.Tx, []byte) ([]Delta, error) { return nil, nil }
func (silent) Complete() bool                             { return false }
func (silent) CallsWhole() bool                           { return true }
func (silent) Finish(*durable.Tx) ([]Delta, error)        { return nil, nil }

// TestStreamHasAnEnd checks that a stream that says nothing is cancelled at its limit, in words.
func TestStreamHasAnEnd(t *testing.T) {
	tx := durable.NewTx(0, nil, nil)
	a := NewAnswer(tx, durable.Fetch{Fetch: "f"}, Origin{}, silent{})
	chunk := []byte(strings.Repeat(": nothing\n\n", 90_000))
	if _, err := a.Take(tx, durable.FetchResponded{Fetch: "f", Status: 200, Header: map[string]string{"content-type": "text/event-stream"}}); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n += len(chunk) {
		_, err := a.Take(tx, durable.FetchChunk{Fetch: "f", Data: chunk})
		if beyond := n+len(chunk) > maxStream; (err != nil) != beyond || beyond && !strings.Contains(err.Error(), "a stream of more than 128 MiB") {
			t.Fatalf("behind %d bytes: %v", n, err)
		} else if beyond {
			break
		}
	}
	if commands := tx.Commands(); len(commands) != 2 || commands[1] != durable.Command(durable.CancelFetch{Fetch: "f"}) {
		t.Errorf("got %v", commands)
	}
}
