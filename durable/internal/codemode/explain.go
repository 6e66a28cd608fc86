package codemode

import "strings"

// Explain returns the words of an engine's error about code. If they tell of the syntax of a line that
// seems to have types, or of a type that was taken for a variable, they say so instead.
func Explain(code, words string) string {
	name, missing := strings.CutPrefix(words, "ReferenceError: ")
	if !missing && !strings.HasPrefix(words, "SyntaxError") {
		return words
	}
	line, ok := lineIn(words)
	if !ok {
		return words
	}
	name, _, _ = strings.Cut(name, " ")
	tokens, _ := scan(withoutFence(code))
	p := splitter{tokens: tokens}
	for i, t := range tokens {
		named := !missing || t.is("<") && p.at(i+1).text == strings.Trim(name, "'")
		if t.line == line && named && p.seemsType(i) {
			return typesRefused + lineOf(line)
		}
	}
	return words
}

// lineIn returns the line that is named at the end of an error.
func lineIn(words string) (line int, ok bool) {
	at := strings.LastIndex(words, "(line ")
	if at < 0 {
		return 0, false
	}
	digits := strings.TrimSuffix(words[at+len("(line "):], ")")
	for i := range len(digits) {
		if !isDigit(digits[i]) || line > 1<<20 {
			return 0, false
		}
		line = 10*line + int(digits[i]-'0')
	}
	return line, digits != ""
}

// seemsType says whether a token looks like the beginning of a type, or of a declaration of one.
func (p splitter) seemsType(i int) bool {
	switch t := p.at(i); {
	case t.is(": <"):
		return p.isTypeName(i + 1)
	case t.is("as satisfies"):
		return p.at(i - 1).endsOperand()
	case t.is("interface type enum namespace declare abstract private public protected readonly"):
		return p.at(i+1).kind == word && !p.at(i+1).fresh
	case t.is("!"):
		return p.at(i-1).endsOperand() && !t.fresh && !p.at(i+1).is("=")
	}
	return false
}

// isTypeName says whether a word is the name of a type: one of the language's, or one in a capital.
func (p splitter) isTypeName(i int) bool {
	t := p.at(i)
	if t.kind != word {
		return false
	}
	switch t.text {
	case "string", "number", "boolean", "any", "unknown", "void", "never", "object", "bigint", "symbol":
		return true
	}
	return t.text[0] >= 'A' && t.text[0] <= 'Z'
}
