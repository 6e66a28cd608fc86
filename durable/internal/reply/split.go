package reply

import (
	"iter"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/stream"
)

// maxDelta is the size of a delta, in bytes. Its chunk stays within the log's limit even if JSON
// needs six bytes for every byte.
const maxDelta = stream.MaxChunk/6 - 1024

// split cuts a text that is too long for one chunk, between runes.
func split(text string) iter.Seq[string] {
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
