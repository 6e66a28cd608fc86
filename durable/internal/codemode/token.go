package codemode

import "strings"

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

// symbol returns the text of a word or a punctuator, and "" for any other token.
func (t *token) symbol() string {
	if t.kind == word || t.kind == punctuator {
		return t.text
	}
	return ""
}

// is says whether a token is one of some words or punctuators, which have spaces between them.
func (t *token) is(symbols string) bool {
	for symbols != "" {
		var one string
		if one, symbols, _ = strings.Cut(symbols, " "); one == t.symbol() {
			return true
		}
	}
	return false
}

// endsOperand says whether an expression can end with the token.
func (t *token) endsOperand() bool {
	switch t.kind {
	case word:
		return !t.is(prefixWords)
	case punctuator:
		return t.is(") ] } ++ --")
	case template:
		return !strings.HasSuffix(t.text, "${")
	}
	return true
}

// prefixWords are the keywords behind which an operand begins.
const prefixWords = "await case delete do else in instanceof new of return throw typeof void yield extends default const let var"
