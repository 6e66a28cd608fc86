package codemode

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// compact returns a JSON text without white space and in valid UTF-8, and says whether the text is
// JSON. The functions below read such texts only.
func compact(raw []byte) (json.RawMessage, bool) {
	var b bytes.Buffer
	b.Grow(len(raw))
	if json.Compact(&b, raw) != nil {
		return nil, false
	}
	if !utf8.Valid(b.Bytes()) {
		return bytes.ToValidUTF8(b.Bytes(), []byte("\uFFFD")), true
	}
	return b.Bytes(), true
}

// members yields the elements of a list, and the fields of an object with their quoted names. Other
// values have none.
func members(raw json.RawMessage) iter.Seq2[json.RawMessage, json.RawMessage] {
	return func(yield func(name, value json.RawMessage) bool) {
		if len(raw) < 2 || raw[0] != '[' && raw[0] != '{' {
			return
		}
		for at := 1; at < len(raw)-1; at++ { // behind each member is a comma or the closing bracket
			var name json.RawMessage
			if raw[0] == '{' {
				end := at + valueLen(raw[at:])
				name, at = raw[at:end], end+1
			}
			end := at + valueLen(raw[at:])
			if !yield(name, raw[at:end]) {
				return
			}
			at = end
		}
	}
}

// valueLen returns the length of the value with which a text begins.
func valueLen(raw []byte) int {
	depth := 0
	for at := 0; at < len(raw); at++ {
		switch raw[at] {
		case '"':
			at += stringLen(raw[at:]) - 1
		case '[', '{':
			depth++
			continue
		case ']', '}':
			depth--
		case ',', ':':
			continue
		default:
			at += plainLen(raw[at:]) - 1
		}
		if depth == 0 {
			return at + 1
		}
	}
	return len(raw)
}

// stringLen returns the length of the quoted text with which a text begins.
func stringLen(raw []byte) int {
	for at := 1; at < len(raw); at++ {
		switch raw[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(raw)
}

// plainLen returns the length of the number, true, false or null with which a text begins.
func plainLen(raw []byte) int {
	for at, c := range raw {
		if c == ',' || c == ']' || c == '}' {
			return at
		}
	}
	return len(raw)
}

// quoted returns a text as JSON.
func quoted(text string) json.RawMessage { return limit.MustMarshal(text) }

// unquoted returns the text of a JSON string, and "" for any other value.
func unquoted(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) < 2 || raw[0] != '"':
	case bytes.IndexByte(raw, '\\') < 0:
		return string(raw[1 : len(raw)-1])
	case json.Unmarshal(raw, &text) != nil:
		return ""
	}
	return text
}

// grouped returns a number with commas: 12,345.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// counted returns a number of things: 1 item, 2,000 items.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}
