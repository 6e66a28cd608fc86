package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// transcript is everything that was decided and has happened, as a hash, and in words for
// whoever wants to read it.
type transcript struct {
	hash  hash.Hash
	words io.Writer
}

func newTranscript() *transcript { return &transcript{hash: sha256.New()} }

func (t *transcript) sum() string { return hex.EncodeToString(t.hash.Sum(nil)[:8]) }

func (t *transcript) decided(decision string) { t.line("%s", decision) }

func (t *transcript) happened(h durabletest.Happening) {
	t.line("\t%s: %T %.200v", h.Slot, h.Event, h.Event)
	for _, c := range h.Commands {
		t.line("\t\t%T %v", c, c)
	}
	if h.Trap != nil {
		t.line("\t\ttrap")
	}
}

func (t *transcript) line(format string, args ...any) {
	fmt.Fprintf(t.hash, format+"\n", args...)
	if t.words != nil {
		fmt.Fprintf(t.words, format+"\n", args...)
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
