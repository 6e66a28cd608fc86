package chat

import (
	"iter"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/stream"
)

// maxDelta keeps a delta's chunk within the log's limit even when every byte of
// it needs six in JSON.
const maxDelta = stream.MaxChunk/6 - 1024

// pieces cuts a text that is too long for one chunk, between runes.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(text) > maxDelta {
			end := maxDelta
			for end > maxDelta-utf8.UTFMax && !utf8.RuneStart(text[end]) {
				end--
			}
			if !yield(text[:end]) {
				return
			}
			text = text[end:]
		}
		if text != "" {
			yield(text)
		}
	}
}
