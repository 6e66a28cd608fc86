package model

import (
	"strings"
	"unicode/utf8"
)

// maxQuote bounds what is quoted of a provider's own words, in bytes.
const maxQuote = 300

// quote makes a provider's words fit to be shown: one line, not too long,
// valid UTF-8, and without what looks like a key.
func quote(text string) string {
	words := strings.Fields(strings.ToValidUTF8(text, "\ufffd"))
	for i, w := range words {
		bare := strings.TrimLeft(w, "\"'`([{<=:")
		afterBearer := i > 0 && strings.EqualFold(strings.TrimRight(words[i-1], ":"), "bearer")
		if strings.HasPrefix(bare, "sk-") || afterBearer {
			words[i] = "[key]"
		}
	}
	return cut(strings.Join(words, " "), maxQuote)
}

// cut shortens text to at most so many bytes, between two characters and if
// possible between two words.
func cut(text string, limit int) string {
	const mark = "…"
	if len(text) <= limit {
		return text
	}
	end := max(limit-len(mark), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexByte(text[:end], ' '); space > end/2 {
		end = space
	}
	return text[:end] + mark
}
