package codemode

import (
	"strings"
	"unicode/utf8"
)

// punctuators are in an order in which the first that fits is the right one.
var punctuators = []string{
	">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
}

// lineLen returns the length of the line with which a text begins.
func lineLen(s string) int {
	for at, r := range s {
		if isLineEnd(r) {
			return at
		}
	}
	return len(s)
}

func isLineEnd(r rune) bool { return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' }

// lineEnds counts the ends of lines in a text.
func lineEnds(s string) (n int) {
	for at, r := range s {
		if isLineEnd(r) && !(r == '\r' && strings.HasPrefix(s[at+1:], "\n")) {
			n++
		}
	}
	return n
}

// spaceLen returns the length of the white space with which a text begins.
func spaceLen(s string) int {
	for at, r := range s {
		if !isSpace(r) {
			return at
		}
	}
	return len(s)
}

// isSpace says whether a character is white space or ends a line.
func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\v', '\f', '\u00a0', '\ufeff', '\u1680', '\u202f', '\u205f', '\u3000':
		return true
	}
	return isLineEnd(r) || r >= '\u2000' && r <= '\u200a'
}

// textLen returns the length of the quoted text with which code begins, or 0 if it does not end.
func textLen(s string, quote byte) int {
	for at := 1; at < len(s); at++ {
		switch s[at] {
		case '\\':
			if at++; strings.HasPrefix(s[at:], "\r\n") {
				at++
			}
		case '\n', '\r':
			return 0
		case quote:
			return at + 1
		}
	}
	return 0
}

// templateLen returns the length of the part of a template with which code begins, up to its end or to
// the beginning of an expression, or 0 if it does not end.
func templateLen(s string) int {
	for at := 1; at < len(s); at++ {
		switch {
		case s[at] == '\\':
			at++
		case s[at] == '`':
			return at + 1
		case s[at] == '$' && strings.HasPrefix(s[at+1:], "{"):
			return at + 2
		}
	}
	return 0
}

// expressionLen returns the length of the regular expression with which code begins, with its flags, or
// 0 if it does not end.
func expressionLen(s string) int {
	class := false
	for at := 1; at < len(s); at++ {
		switch c := s[at]; {
		case c == '\n' || c == '\r':
			return 0
		case c == '\\':
			if at++; at < len(s) && (s[at] == '\n' || s[at] == '\r') {
				return 0
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return at + 1 + nameLen(s[at+1:])
		}
	}
	return 0
}

// numberLen returns the length of the number with which code begins.
func numberLen(s string) int {
	hexadecimal := len(s) > 1 && s[1]|0x20 == 'x'
	for at := 0; at < len(s); at++ {
		sign := at > 0 && !hexadecimal && s[at-1]|0x20 == 'e' && (s[at] == '+' || s[at] == '-')
		if !isWord(s[at]) && s[at] != '.' && !sign {
			return at
		}
	}
	return len(s)
}

// nameLen returns the length of the name with which code begins.
func nameLen(s string) int {
	for at, r := range s {
		switch {
		case r < utf8.RuneSelf && isWord(byte(r)), r == '$', r == '\\', r == '#' && at == 0:
		case r >= utf8.RuneSelf && !isSpace(r):
		default:
			return at
		}
	}
	return len(s)
}

// punctuatorLen returns the length of the punctuator with which code begins.
func punctuatorLen(s string) int {
	for _, p := range punctuators {
		if strings.HasPrefix(s, p) {
			if p == "?." && len(s) > 2 && isDigit(s[2]) {
				return 1
			}
			return len(p)
		}
	}
	return 1
}
