package model

import "bytes"

// halves joins characters that are split between two events of a stream. JSON writes a character such as
// an emoji as two escapes, and some servers end a text behind the first one. encoding/json would make a
// replacement character of each.
type halves struct {
	// high is the escape that waits for its other half, or nil.
	high []byte
}

// mend returns the JSON of an event. A first half at the end of a text is held back, and a second half
// at the beginning of a text gets the half before it.
func (h *halves) mend(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\ud`)) && !bytes.Contains(data, []byte(`\uD`)) {
		return data
	}
	out := make([]byte, 0, len(data)+escapeSize)
	quoted := false
	for i := 0; i < len(data); i++ {
		switch rest := data[i:]; {
		case !quoted && rest[0] == '"':
			quoted = true
			out = append(out, '"')
			if h.high != nil && isHalf(rest[1:], "cdef") {
				out = append(out, h.high...)
				h.high = nil
			}
		case quoted && isHalf(rest, "89ab") && bytes.HasPrefix(rest[escapeSize:], []byte(`"`)):
			h.high = bytes.Clone(rest[:escapeSize])
			i += escapeSize - 1
		case quoted && rest[0] == '\\' && len(rest) > 1:
			out = append(out, rest[:2]...)
			i++
		default:
			quoted = quoted && rest[0] != '"'
			out = append(out, rest[0])
		}
	}
	return out
}

// escapeSize is the size of an escape such as \ud83d, in bytes.
const escapeSize = 6

// isHalf says whether a text begins with the escape of half a character, whose second digit is given.
func isHalf(text []byte, digits string) bool {
	return len(text) >= escapeSize && text[0] == '\\' && text[1] == 'u' && text[2]|0x20 == 'd' && bytes.IndexByte([]byte(digits), text[3]|0x20) >= 0
}
