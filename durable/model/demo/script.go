package demo

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/tributary-agents/tributary/durable/model"
)

// proseDelay is the time between two words of prose, in milliseconds: fast, but visible as a
// stream.
const proseDelay = 12

// script is what the demo model will say.
type script struct {
	// count is the number of text deltas: first the words, then chunks.
	count int
	words []string
	// size is the length that chunks are padded to, in bytes.
	size int
	// delay is the time between two deltas, in milliseconds.
	delay int64
	// call is the tool call at the end, without its final id, or nil.
	call *model.ToolCall
}

// piece returns the text of delta i.
func (s script) piece(i int) string {
	if i < len(s.words) {
		return s.words[i]
	}
	return chunkText(i, s.size)
}

// chunkText is "c7 " for i = 7, padded with x to size.
func chunkText(i, size int) string {
	name := "c" + strconv.Itoa(i) + " "
	return name + strings.Repeat("x", max(size-len(name), 0))
}

// prose says text word by word.
func prose(text string) script {
	words := splitWords(strings.TrimSpace(text))
	return script{words: words, count: len(words), delay: proseDelay}
}

// inPieces says text in exactly count deltas. If text has fewer words, chunks follow.
func inPieces(text string, count, size int) script {
	words := splitWords(text)
	if count >= len(words) {
		return script{words: words, count: count, size: size, delay: proseDelay}
	}
	pieces := make([]string, count)
	for i := range pieces {
		pieces[i] = strings.Join(words[i*len(words)/count:(i+1)*len(words)/count], "")
	}
	return script{words: pieces, count: count, delay: proseDelay}
}

// splitWords splits text after each run of white space. Nothing is lost.
func splitWords(text string) []string {
	var words []string
	start, spaces := 0, false
	for i, r := range text {
		if spaces && !unicode.IsSpace(r) {
			words, start = append(words, text[start:i]), i
		}
		spaces = unicode.IsSpace(r)
	}
	if start < len(text) {
		words = append(words, text[start:])
	}
	return words
}
