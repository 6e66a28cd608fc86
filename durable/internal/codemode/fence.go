package codemode

import "strings"

const fence = "```"

// withoutFence replaces a code fence around code by nothing. The line of the fence stays, so that all
// lines keep their numbers.
func withoutFence(code string) string {
	at := spaceLen(code)
	inner, fenced := strings.CutPrefix(code[at:], fence)
	if !fenced {
		return code
	}
	language := nameLen(inner)
	line := strings.TrimSpace(inner[:lineLen(inner)])
	if language < len(line) && !isLanguage(inner[:language]) {
		language = 0 // the code begins on this line
	}
	inner = strings.TrimRightFunc(inner[language:], isSpace)
	return code[:at] + strings.TrimSuffix(inner, fence)
}

// isLanguage says whether a name is one that stands at a fence.
func isLanguage(name string) bool {
	switch strings.ToLower(name) {
	case "js", "javascript", "jsx", "mjs", "ts", "typescript", "tsx":
		return true
	}
	return false
}
