// Package transcript records what was decided in a simulated world and what happened in it.
package transcript

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// Transcript is everything that was decided and that happened, as a hash and, for readers, in
// words.
type Transcript struct {
	all, outside hash.Hash
	words        io.Writer
	// prefix names the neighbour that the lines are about, "" for the first root.
	prefix string
}

// New returns an empty transcript, which is also written to words, if that is not nil.
func New(words io.Writer) *Transcript {
	return &Transcript{all: sha256.New(), outside: sha256.New(), words: words}
}

// Beside returns a part of the same transcript that is about a neighbour.
func (t *Transcript) Beside(name string) *Transcript {
	beside := *t
	beside.prefix = name + " "
	return &beside
}

// Sum returns a hash of the transcript.
func (t *Transcript) Sum() string { return hex.EncodeToString(t.all.Sum(nil)[:8]) }

// Outside returns a hash of the commands whose effect leaves the objects.
func (t *Transcript) Outside() string { return hex.EncodeToString(t.outside.Sum(nil)[:8]) }

// Decided records a decision.
func (t *Transcript) Decided(decision string) { t.line(decision) }

// Happened records an event and its commands.
func (t *Transcript) Happened(h durabletest.HandledEvent) {
	slot := h.Slot
	if slot == "" {
		slot = "root"
	}
	if h.Opened {
		t.line("\t" + t.prefix + slot + " is opened")
	}
	if h.Event != nil {
		t.line("\t" + t.prefix + slot + " " + describe(h.Event))
	}
	for i, c := range h.Commands {
		if i == h.Performed {
			t.line("\t\tlost is the rest:")
		}
		text := describe(c)
		t.line("\t\t" + text)
		switch c.(type) {
		case durable.Send, durable.Close, durable.Respond, durable.Fetch:
			_, _ = io.WriteString(t.outside, slot+" "+text+"\n")
		}
	}
	if h.Trap != nil {
		t.line("\t\ttrap")
		t.aside(h.Trap.Error())
	}
}

// Aside writes a line for readers, which is not in the hash. Its text may differ between engines.
// The arguments are evaluated in any case: see [Transcript.HasReader].
func (t *Transcript) Aside(format string, args ...any) {
	if t.words != nil {
		t.aside(fmt.Sprintf(format, args...))
	}
}

// HasReader says whether the transcript is written in words.
func (t *Transcript) HasReader() bool { return t.words != nil }

func (t *Transcript) line(line string) {
	_, _ = t.all.Write(append([]byte(line), '\n'))
	t.aside(line)
}

func (t *Transcript) aside(line string) {
	if t.words != nil {
		_, _ = io.WriteString(t.words, line+"\n")
	}
}

// describe returns an event or a command as one line. The frequent ones do without reflection.
func describe(v any) string {
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
