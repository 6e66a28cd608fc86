package demo

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
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

// added are the tools of a request that the demo model does not know: an author has added them to
// the shipped agents, or to those of a new project.
func added(request model.Request) []model.Tool {
	known := []string{"research", "plan", "background", "compare", "fan", "web_search", "search", "inspect_file", codeTool}
	var tools []model.Tool
	for _, t := range request.Tools {
		if !slices.Contains(known, t.Name) {
			tools = append(tools, t)
		}
	}
	return tools
}

// toolInput returns the input of a tool for a text.
func toolInput(request model.Request, tool, text string, words keywords) json.RawMessage {
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
	case "background":
		input = queryInput{Query: words.searchFirst(cmp.Or(text, "durable execution"))}
	case "research", "web_search", "search":
		input = queryInput{Query: words.passOn(cmp.Or(text, "durable execution"))}
	default:
		i := slices.IndexFunc(request.Tools, func(t model.Tool) bool { return t.Name == tool })
		input = inputFor(request.Tools[i].Schema, words.passOn(cmp.Or(text, "durable execution")), words.number["n"])
	}
	return asJSON(input)
}

// inputFor fills the properties that a schema requires: strings with the text, and numbers with n.
// If it requires a number and the text begins with one, the two are split: "120 to Ada". Other
// required properties stay missing, and the tool reports them.
func inputFor(schema json.RawMessage, text string, n int) map[string]any {
	var s struct {
		Properties map[string]struct{ Type any }
		Required   []string
	}
	if json.Unmarshal(schema, &s) != nil {
		return map[string]any{}
	}
	kinds := map[any]bool{}
	for _, field := range s.Required {
		kinds[s.Properties[field].Type] = true
	}
	if first, rest, ok := numberFirst(text); ok && (kinds["integer"] || kinds["number"]) {
		text, n = cmp.Or(rest, "durable execution"), first
	}
	input := map[string]any{}
	for _, field := range s.Required {
		switch s.Properties[field].Type {
		case "string":
			input[field] = text
		case "integer", "number":
			input[field] = n
		case "boolean":
			input[field] = true
		}
	}
	return input
}

// numberFirst splits a text that begins with a number: "3 on tea", "120 to Ada".
func numberFirst(text string) (n int, rest string, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	n, err := strconv.Atoi(first)
	if err != nil {
		return 0, "", false
	}
	rest = strings.TrimSpace(rest)
	for _, between := range []string{"on ", "about ", "to "} {
		if after, cut := cutPrefixFold(rest, between); cut {
			return n, strings.TrimSpace(after), true
		}
	}
	return n, rest, true
}

// twoThings splits "A and B", and the other ways in which people write two things to compare.
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

// pathIn returns the first word that looks like the path of a file.
func pathIn(text string) string {
	for _, word := range strings.Fields(text) {
		word = strings.Trim(word, "`'\".,;:!?()")
		if i := strings.LastIndexAny(word, "./"); i > 0 && i < len(word)-1 {
			return word
		}
	}
	return "README.md"
}
