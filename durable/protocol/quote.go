package protocol

import "unicode/utf8"

const hex = "0123456789abcdef"

// AppendQuoted appends s as a JSON string. Unlike encoding/json it does not escape <, > and &,
// because an escape would cost six bytes each, twice, in a chunk within a frame. Bytes that are not
// UTF-8 become U+FFFD.
func AppendQuoted[T ~string | ~[]byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b >= utf8.RuneSelf {
			r, size := decodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, s[start:i]...)
				dst = append(dst, `\ufffd`...)
				start = i + 1
			}
			i += size
			continue
		}
		if b < 0x20 || b == '"' || b == '\\' {
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, b)
			start = i + 1
		}
		i++
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
}

// decodeRune reads at most the four bytes that a rune can have.
func decodeRune[T ~string | ~[]byte](s T) (rune, int) {
	return utf8.DecodeRuneInString(string(s[:min(len(s), utf8.UTFMax)]))
}
