package model

import (
	"cmp"
	"encoding/json"
	"strings"
)

// The inputs of the tools that the demo model knows.
type (
	queryInput struct {
		Query string `json:"query"`
	}
	planInput struct {
		Description string `json:"description"`
	}
	compareInput struct {
		A string `json:"a"`
		B string `json:"b"`
	}
	fanInput struct {
		N     int    `json:"n"`
		Query string `json:"query"`
	}
	pathInput struct {
		Path string `json:"path"`
	}
)

// toolInput is what a tool is given to do about a text.
func toolInput(tool, text string, words demoWords) json.RawMessage {
	var input any
	switch tool {
	case "plan":
		input = planInput{Description: words.passOn(cmp.Or(text, "a small journey"))}
	case "compare":
		a, b, ok := twoThings(text)
		if !ok {
			a, b = cmp.Or(text, "HTTP/3"), "gRPC"
		}
		input = compareInput{A: words.passOn(a), B: words.passOn(b)}
	case "fan":
		input = fanInput{N: words.number["n"], Query: words.passOn(cmp.Or(text, "durable execution"))}
	case "inspect_file":
		input = pathInput{Path: pathIn(text)}
	default:
		input = queryInput{Query: words.passOn(cmp.Or(text, "durable execution"))}
	}
	b, err := json.Marshal(input)
	if err != nil {
		panic("model: an input of strings and numbers does not encode: " + err.Error())
	}
	return b
}

// twoThings takes "A and B" apart, and what else people write between two
// things to compare.
func twoThings(text string) (a, b string, ok bool) {
	for _, between := range []string{" vs. ", " vs ", " versus ", " and ", " with ", " to ", " or "} {
		for i := range text {
			rest, found := cutPrefixFold(text[i:], between)
			if a, b := strings.TrimSpace(text[:i]), strings.TrimSpace(rest); found && a != "" && b != "" {
				return a, b, true
			}
		}
	}
	return "", "", false
}

// pathIn is the first word that looks like a file's path.
func pathIn(text string) string {
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, "`'\".,;:!?()")
		if i := strings.LastIndexAny(word, "./"); i > 0 && i < len(word)-1 {
			return word
		}
	}
	return "README.md"
}
