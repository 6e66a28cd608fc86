package model

import (
	"strings"
	"unicode/utf8"
)

// maxQuote bounds what is quoted of a provider's text, in bytes.
const maxQuote = 300

// Quote makes a text of a provider fit to be shown: one line of valid UTF-8, at most 300 bytes,
// without anything that looks like a key.
func Quote(text string) string {
	words := strings.Fields(strings.ToValidUTF8(text, "\ufffd"))
	for i, w := range words {
		bare := strings.TrimLeft(w, "\"'`([{<=:")
		afterBearer := i > 0 && strings.EqualFold(strings.TrimRight(words[i-1], ":"), "bearer")
		if strings.HasPrefix(bare, "sk-") || afterBearer {
			words[i] = "[key]"
		}
	}
	return Truncate(strings.Join(words, " "), maxQuote)
}

// hideKeys replaces the words of a text that may be a key: some endpoints repeat the one that they refuse, and people
// who chat read their words. It is what has a digit or a star, what begins as keys do, and what a colon behind "key" is
// followed by.
func hideKeys(text string) string {
	words := strings.Fields(text)
	key, named := false, false
	for i, word := range words {
		bare := strings.Trim(word, "\"'`.,;:()[]<>{}")
		digits := len(bare) >= 6 && strings.ContainsAny(bare, "0123456789*") && !strings.HasPrefix(bare, "http")
		if named && bare != "" || digits || strings.HasPrefix(bare, "gsk_") {
			words[i] = strings.Replace(word, bare, "[key]", 1)
		}
		key = key && !strings.HasSuffix(word, ".") || strings.EqualFold(bare, "key")
		named = key && strings.HasSuffix(word, ":")
	}
	return strings.Join(words, " ")
}

// Truncate shortens a text to at most limit bytes, between two characters and if possible between
// two words. A shortened text ends in an ellipsis.
func Truncate(text string, limit int) string {
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
