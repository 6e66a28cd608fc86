package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// transcript is everything that was decided and has happened: as a hash, and in words for
// whoever wants to read it.
type transcript struct {
	hash, outside hash.Hash
	words         io.Writer
	// of stands before what is told of a neighbour.
	of string
}

// neighbour returns what is told of a neighbour, in the same transcript.
func (t *transcript) neighbour(name string) *transcript {
	n := *t
	n.of = name + " "
	return &n
}

func newTranscript() *transcript { return &transcript{hash: sha256.New(), outside: sha256.New()} }

// sum stands for the transcript, seen for the part of it that left the objects.
func (t *transcript) sum() string  { return hex.EncodeToString(t.hash.Sum(nil)[:8]) }
func (t *transcript) seen() string { return hex.EncodeToString(t.outside.Sum(nil)[:8]) }

func (t *transcript) decided(decision string) { t.line(decision) }

func (t *transcript) happened(h durabletest.HandledEvent) {
	slot := h.Slot
	if slot == "" {
		slot = "root"
	}
	if h.Opened {
		t.line("\t" + t.of + slot + " is opened")
	}
	if h.Event != nil {
		t.line("\t" + t.of + slot + " " + tell(h.Event))
	}
	for i, c := range h.Commands {
		if i == h.Performed {
			t.line("\t\tlost is the rest:")
		}
		said := tell(c)
		t.line("\t\t" + said)
		switch c.(type) {
		case durable.Send, durable.Close, durable.Respond, durable.Fetch:
			_, _ = io.WriteString(t.outside, slot+" "+said+"\n")
		}
	}
	if h.Trap != nil {
		t.line("\t\ttrap")
		t.aside(h.Trap.Error())
	}
}

func (t *transcript) line(line string) {
	_, _ = t.hash.Write(append([]byte(line), '\n'))
	t.aside(line)
}

// aside says something that is for readers alone, since engines put it in their own words.
func (t *transcript) aside(line string) {
	if t.words != nil {
		_, _ = io.WriteString(t.words, line+"\n")
	}
}

// tell says an event or a command in one line. Those that come by the hundred are spared
// the detour through reflection.
func tell(v any) string {
	switch v := v.(type) {
	case durable.Send:
		return fmt.Sprint("Send ", v.To, " ", v.Text)
	case durable.FetchChunk:
		return "FetchChunk " + v.Fetch + " " + strconv.Quote(string(v.Data))
	case durable.Fetch:
		return "Fetch " + v.Fetch + " " + string(v.Body)
	case durable.SocketMessage:
		return "SocketMessage " + string(v.Conn) + " " + v.Text
	case durable.Call:
		return "Call " + v.Call + " of " + v.To.Slot + " " + strconv.Quote(string(v.Data))
	case durable.CallReceived:
		return "CallReceived " + v.Call + " " + strconv.Quote(string(v.Data))
	case durable.StreamData:
		return "StreamData " + v.Stream + " " + strconv.Quote(string(v.Data))
	case durable.Emit:
		return "Emit " + v.Stream + " " + strconv.Quote(string(v.Data))
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", v), "durable.") + fmt.Sprintf(" %v", v)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
