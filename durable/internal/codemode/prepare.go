package codemode

import (
	"errors"
	"strconv"
)

// What [Prepare] puts around code. Nothing of it is a line of its own before the code, so that its
// lines keep their numbers.
const (
	opening = "$run(async () => {"
	closing = "\n})"
)

// errEmpty says that there is no code.
var errEmpty = errors.New("there is no code: write JavaScript that returns a value")

// Prepare makes the script that a host runs of the code that a model has written: an async arrow
// function, a function, or statements, which may end with an expression whose value is meant. Whether
// they do is read off the tokens of the code. What they do not tell is run as statements. A fence around
// the code is removed. Its error is for the model: it tells of an empty text, of types, and of modules.
// Syntax errors are the engine's, see [Explain].
func Prepare(code string) (script string, err error) {
	code = withoutFence(code)
	tokens, ok := scan(code)
	if len(tokens) == 0 && ok {
		return "", errEmpty
	}
	if !ok {
		return opening + code + closing, nil
	}
	if err := refuse(tokens); err != nil {
		return "", err
	}
	return opening + returning(code, tokens) + closing, nil
}

// returning returns code with a return before the value that it ends with.
func returning(code string, tokens []token) string {
	all := statements(tokens)
	if len(all) == 0 {
		return code
	}
	last := all[len(all)-1]
	from, to := tokens[last.first].start, tokens[last.end-1].end
	switch called, arguments := callable(tokens, last, len(all) == 1); {
	case called:
		return code[:from] + "return await (" + code[from:to] + ")(" + arguments + ")" + code[to:]
	case last.kind == value:
		return code[:from] + "return " + code[from:]
	}
	return code
}

// callable says whether a statement is a function that is meant to be called, and what with. A declared
// function is meant so if it is all of the code.
func callable(tokens []token, s statement, alone bool) (called bool, arguments string) {
	first, end := s.first, s.end
	if s.kind == function && !alone && !anonymous(tokens[first:end]) {
		return false, ""
	}
	for s.kind == value && tokens[first].is("(") && tokens[first].pair == end-1 && end-first > 2 {
		first, end = first+1, end-1
	}
	at := first
	if tokens[at].is("async") && at+1 < end && !tokens[at+1].is("=>") {
		at++
	}
	switch t := tokens[at]; {
	case t.is("function"):
		for at < end && !tokens[at].is("(") {
			at++
		}
		whole := at < end && tokens[at].pair+1 < end && tokens[tokens[at].pair+1].pair == end-1
		return whole, argumentsFor(tokens, at)
	case t.is("("):
		return t.pair+1 < end && tokens[t.pair+1].is("=>"), argumentsFor(tokens, at)
	case t.kind == word:
		return at+1 < end && tokens[at+1].is("=>"), "tools"
	}
	return false, ""
}

// anonymous says whether a function has no name.
func anonymous(tokens []token) bool {
	for _, t := range tokens[1:] {
		if !t.is("function *") {
			return t.is("(")
		}
	}
	return false
}

// argumentsFor returns what a function is called with whose parameters begin at a bracket. Some models
// expect to be handed the tools.
func argumentsFor(tokens []token, bracket int) string {
	if bracket+1 >= len(tokens) {
		return ""
	}
	switch first := tokens[bracket+1]; {
	case first.is(")"):
		return ""
	case first.is("{"):
		return "{tools, search, help, sleep, console}"
	}
	return "tools"
}

// lineOf returns the words that name a line.
func lineOf(line int) string { return " (line " + strconv.Itoa(line) + ")" }
