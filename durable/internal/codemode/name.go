package codemode

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reserved are the words that no tool is called in JavaScript: the language's own, which cannot be
// variables, and names of properties that objects have already or that mean something to promises.
var reserved = []string{
	"arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger",
	"default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for",
	"function", "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "of",
	"package", "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true",
	"try", "typeof", "undefined", "var", "void", "while", "with", "yield", "__proto__", "constructor",
	"hasOwnProperty", "prototype", "then", "toJSON", "toString", "valueOf", "console", "help", "search",
	"sleep", "tools",
}

// scriptNames returns the names of tools in JavaScript, in their order. A tool whose name can be used
// as it is keeps it.
func scriptNames(tools []Tool) []string {
	names, taken, next := make([]string, len(tools)), map[string]bool{}, map[string]int{}
	for i, t := range tools {
		if name := identifier(t.Name); name == t.Name && !taken[name] {
			names[i], taken[name] = name, true
		}
	}
	for i, t := range tools {
		if names[i] == "" {
			names[i] = untaken(identifier(t.Name), taken, next)
			taken[names[i]] = true
		}
	}
	return names
}

// untaken returns a name, with a number behind it if it is taken. next is the number for the next time: a server
// may offer many tools whose names become the same.
func untaken(name string, taken map[string]bool, next map[string]int) string {
	unique := name
	for taken[unique] {
		next[name] = max(next[name]+1, 2)
		unique = name + strconv.Itoa(next[name])
	}
	return unique
}

// identifier returns the name of a variable for the name of a tool.
func identifier(name string) string {
	s := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && isWord(byte(r)) {
			return r
		}
		return '_'
	}, name)
	switch {
	case s == "", isDigit(s[0]):
		return "_" + s
	case slices.Contains(reserved, s):
		return s + "_"
	default:
		return s
	}
}

// isWord says whether a byte is an ASCII letter, a digit or an underscore.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || isDigit(c)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
