package codemode

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// kind is what a token is.
type kind uint8

const (
	// word is a name or a keyword, and also a private name such as #x. property is a name behind a dot,
	// which is never a keyword.
	word kind = iota
	property
	number
	text
	// template is a whole template, or the part of one between two expressions.
	template
	expression // a regular expression
	punctuator
)

// token is a piece of JavaScript.
type token struct {
	kind kind
	// start and end are its place in the code, and line the line that it begins in, from 1 on.
	start, end, line int
	// fresh says that a line ends between the token before and this one.
	fresh bool
	// pair is the index of the bracket that belongs to this one, or -1.
	pair int
	// body says that this brace encloses the body of an arrow function.
	body bool
	text string
}

// is says whether a token is one of some words or punctuators.
func (t token) is(texts ...string) bool {
	return (t.kind == word || t.kind == punctuator) && slices.Contains(texts, t.text)
}

// endsOperand says whether an expression can end with the token.
func (t token) endsOperand() bool {
	switch t.kind {
	case word:
		return !slices.Contains(prefixWords, t.text)
	case punctuator:
		return t.is(")", "]", "}", "++", "--")
	case template:
		return !strings.HasSuffix(t.text, "${")
	}
	return true
}

// prefixWords are the keywords behind which an operand begins.
var prefixWords = strings.Fields("await case delete do else in instanceof new of return throw typeof void yield extends default const let var")

// punctuators are in an order in which the first that fits is the right one.
var punctuators = strings.Fields(`>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= &= |= ^= << >> **`)

// scanner makes tokens of code.
type scanner struct {
	code   string
	at     int
	line   int
	fresh  bool
	tokens []token
	// open are the indices of the brackets that are open.
	open []int
	// bad says that a literal or a comment does not end, or that a bracket has no pair.
	bad bool
}

// scan returns the tokens of code. It says whether all brackets have their pair and nothing is left
// open: only then the tokens are to be relied on.
func scan(code string) (tokens []token, ok bool) {
	s := &scanner{code: code, line: 1, fresh: true}
	for s.space(); s.at < len(s.code) && !s.bad; s.space() {
		s.next()
	}
	return s.tokens, !s.bad && len(s.open) == 0
}

// space skips white space and comments.
func (s *scanner) space() {
	for s.at < len(s.code) {
		rest := s.code[s.at:]
		switch {
		case strings.HasPrefix(rest, "//"):
			s.skip(lineLen(rest))
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				s.bad, s.at = true, len(s.code)
				return
			}
			s.skip(n + len("/**/"))
		default:
			n := spaceLen(rest)
			if n == 0 {
				return
			}
			s.skip(n)
		}
	}
}

// skip goes on by n bytes and counts the lines that end in them.
func (s *scanner) skip(n int) {
	lines := lineEnds(s.code[s.at : s.at+n])
	s.fresh = s.fresh || lines > 0
	s.line, s.at = s.line+lines, s.at+n
}

// next takes one token.
func (s *scanner) next() {
	rest := s.code[s.at:]
	switch c := rest[0]; {
	case c == '"' || c == '\'':
		s.add(text, s.closed(textLen(rest, c)))
	case c == '`':
		s.add(template, s.closed(templateLen(rest)))
	case c == '}' && s.inTemplate():
		s.add(template, s.closed(templateLen(rest)))
	case isDigit(c) || c == '.' && len(rest) > 1 && isDigit(rest[1]):
		s.add(number, numberLen(rest))
	case c == '/' && !s.afterOperand():
		s.add(expression, s.closed(expressionLen(rest)))
	case nameLen(rest) > 0:
		s.add(s.nameKind(), nameLen(rest))
	default:
		s.add(punctuator, punctuatorLen(rest))
	}
}

// closed gives up on a literal that does not end.
func (s *scanner) closed(n int) int {
	s.bad = s.bad || n == 0
	return max(n, 1)
}

// add appends a token of n bytes.
func (s *scanner) add(k kind, n int) {
	t := token{kind: k, start: s.at, end: s.at + n, line: s.line, fresh: s.fresh, pair: -1, text: s.code[s.at : s.at+n]}
	s.tokens = append(s.tokens, t)
	s.skip(n)
	s.fresh = false
	s.match(len(s.tokens) - 1)
}

// match finds the pairs of brackets. The parts of a template are brackets around its expressions.
func (s *scanner) match(i int) {
	t := &s.tokens[i]
	closes := t.is(")", "]", "}") || t.kind == template && t.text[0] == '}'
	opens := t.is("(", "[", "{") || t.kind == template && strings.HasSuffix(t.text, "${")
	if closes {
		if len(s.open) == 0 {
			s.bad = true
			return
		}
		j := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		s.bad = s.bad || !pairs(s.tokens[j], *t)
		t.pair, t.body = j, s.tokens[j].body
		if s.tokens[j].pair < 0 {
			s.tokens[j].pair = i
		}
	}
	if opens {
		t.body = t.is("{") && i > 0 && s.tokens[i-1].is("=>")
		s.open = append(s.open, i)
	}
}

func pairs(a, b token) bool {
	if a.kind == template || b.kind == template {
		return a.kind == b.kind
	}
	return a.text+b.text == "()" || a.text+b.text == "[]" || a.text+b.text == "{}"
}

// inTemplate says whether the innermost open bracket is that of a template.
func (s *scanner) inTemplate() bool {
	return len(s.open) > 0 && s.tokens[s.open[len(s.open)-1]].kind == template
}

// afterOperand says whether an operand ends here, so that a slash divides it.
func (s *scanner) afterOperand() bool {
	if len(s.tokens) == 0 {
		return false
	}
	i := len(s.tokens) - 1
	switch t := s.tokens[i]; {
	case t.is(")"):
		return t.pair < 1 || !s.tokens[t.pair-1].is("if", "while", "for", "with")
	case t.is("}"):
		return !s.closesBlock(i)
	default:
		return t.endsOperand()
	}
}

// nameKind says what a name that comes next is.
func (s *scanner) nameKind() kind {
	if n := len(s.tokens); n > 0 && s.tokens[n-1].is(".", "?.") {
		return property
	}
	return word
}

// closesBlock says whether a closing brace ends a block of statements, as far as what is before the
// block tells.
func (s *scanner) closesBlock(i int) bool {
	open := s.tokens[i].pair
	if open < 1 {
		return open == 0
	}
	return s.tokens[open-1].is(";", "{", "}", ")", "=>", "else", "do", "try", "finally")
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
