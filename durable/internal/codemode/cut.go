package codemode

import (
	"encoding/json"
	"slices"
	"unicode/utf8"
)

const (
	// leastCut is the fewest characters that [Cut] can keep to.
	leastCut = 2
	// cutDepth is how many lists and objects within each other are cut. What is deeper, and too long, is
	// replaced as a whole. Each level costs a pass over its text.
	cutDepth = 16
	// leastShare is what a field of an object gets at least, and leastElement an element of a list. If all
	// together would get less, only the first ones are kept.
	leastShare, leastElement = 32, 160
	// listParts is how many elements of a long list are shown at least, as far as leastElement allows.
	listParts = 12
	// cutMark begins every text that stands for what is missing.
	cutMark = "…"
)

// Cut returns a JSON value of at most most characters. A value that is longer is cut where it is long:
// long texts and long lists keep their beginning, and the members of a list or an object share what
// there is. A text at each place says how much is missing there. A value that is no JSON is cut as a
// text. Cut keeps to at least 2 characters. It does not change the value, but may return it.
func Cut(value json.RawMessage, most int) json.RawMessage {
	raw, ok := compact(value)
	if !ok {
		raw = quoted(string(value))
	}
	switch most = max(most, leastCut); {
	case utf8.RuneCount(raw) > most:
		return appendCut(nil, raw, most, cutDepth)
	case ok && utf8.RuneCount(value) <= most && utf8.Valid(value):
		return value
	}
	return raw
}

// appendCut appends a value in at most most characters.
func appendCut(out []byte, raw json.RawMessage, most, depth int) []byte {
	if fits(raw, most) {
		return append(out, raw...)
	}
	switch raw[0] {
	case '"':
		return appendCutText(out, raw, most)
	case '[', '{':
		if s := newShares(raw, most); depth > 0 && s.kept > 0 {
			return appendCutMembers(out, raw, s, depth-1)
		}
	}
	return appendMark(out, most, standIn(raw))
}

// fits says whether a text has at most most characters.
func fits(raw []byte, most int) bool {
	return len(raw) <= most || len(raw) <= utf8.UTFMax*most && utf8.RuneCount(raw) <= most
}

// standIn says what a list or an object was.
func standIn(raw json.RawMessage) string {
	n := 0
	for range members(raw) {
		n++
	}
	switch raw[0] {
	case '[':
		return cutMark + " a list of " + counted(n, "item")
	case '{':
		return cutMark + " an object of " + counted(n, "field")
	}
	return cutMark
}

// appendMark appends the first of some words that fits, or the mark alone, or an empty text.
func appendMark(out []byte, most int, words string) []byte {
	for _, text := range []string{words, cutMark} {
		if utf8.RuneCountInString(text)+2 <= most {
			return append(append(append(out, '"'), text...), '"')
		}
	}
	return append(out, `""`...)
}

// appendCutText appends the beginning of a quoted text, and how much more there was.
func appendCutText(out []byte, raw json.RawMessage, most int) []byte {
	total := 0
	for at := 1; at < len(raw)-1; total++ {
		at += characterLen(raw[at:])
	}
	room := most - 2 - utf8.RuneCountInString(cutMark+" "+counted(total, "more character"))
	kept, at := 0, 1
	for {
		n := characterLen(raw[at:])
		if room -= utf8.RuneCount(raw[at : at+n]); room < 0 {
			break
		}
		kept, at = kept+1, at+n
	}
	if kept == 0 {
		return appendMark(out, most, cutMark+" "+counted(total, "character"))
	}
	out = append(out, raw[:at]...)
	return append(out, cutMark+" "+counted(total-kept, "more character")+`"`...)
}

// characterLen returns the length of the character with which the inside of a quoted text begins. The
// two escapes of a surrogate pair are one character.
func characterLen(raw []byte) int {
	const unicodeEscape = len(`\u0000`)
	switch {
	case raw[0] != '\\':
		_, n := utf8.DecodeRune(raw)
		return n
	case raw[1] != 'u':
		return 2
	case surrogate(raw, "89ab") && surrogate(raw[unicodeEscape:], "cdef"):
		return 2 * unicodeEscape
	}
	return unicodeEscape
}

// surrogate says whether a text begins with an escape from \ud800 on whose third digit is one of some.
func surrogate(raw []byte, third string) bool {
	return len(raw) > 6 && raw[0] == '\\' && raw[1] == 'u' && raw[2]|0x20 == 'd' && slices.Contains([]byte(third), raw[3]|0x20)
}

// appendCutMembers appends the first members of a list or an object, each within its share, and how
// many more there were.
func appendCutMembers(out []byte, raw json.RawMessage, s shares, depth int) []byte {
	out = append(out, raw[0])
	n := 0
	for name, value := range members(raw) {
		if n == s.kept {
			break
		}
		if n > 0 {
			out = append(out, ',')
		}
		if name != nil {
			out = append(append(out, name...), ':')
		}
		out = appendCut(out, value, min(s.sizes[n], s.level), depth)
		n++
	}
	if n < s.count {
		out = append(append(out, ','), s.mark...)
	}
	return append(out, raw[0]+2) // the closing brackets of ASCII
}
