package codemode

import "strings"

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
	closes := t.is(") ] }") || t.kind == template && t.text[0] == '}'
	opens := t.is("( [ {") || t.kind == template && strings.HasSuffix(t.text, "${")
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
		return t.pair < 1 || !s.tokens[t.pair-1].is("if while for with")
	case t.is("}"):
		return !s.closesBlock(i)
	default:
		return t.endsOperand()
	}
}

// nameKind says what a name that comes next is.
func (s *scanner) nameKind() kind {
	if n := len(s.tokens); n > 0 && s.tokens[n-1].is(". ?.") {
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
	return s.tokens[open-1].is("; { } ) => else do try finally")
}
