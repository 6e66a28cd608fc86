package demo

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// mcpWord is the beginning of a message that names a tool of a server, and its input.
const mcpWord = "mcp:"

// toolIn returns the tool that a message names behind the word for it, and what stands behind the name.
// The words key=value have no meaning in it.
func toolIn(text string) (tool, input string, ok bool) {
	rest, ok := cutPrefixFold(strings.TrimSpace(text), mcpWord)
	rest = strings.TrimSpace(rest)
	end := strings.IndexFunc(rest, func(c rune) bool { return !isNamed(c) })
	if end < 0 {
		end = len(rest)
	}
	return rest[:end], strings.TrimLeft(rest[end:], " :\n\t"), ok && end > 0
}

// isNamed says whether a character is one of a tool's name.
func isNamed(c rune) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// callNamed answers with a call of a tool, and tells afterwards what came of it. The input is JSON, or a
// text for what the tool requires.
func callNamed(request model.Request, results []model.ToolResult, tool, input string) script {
	usual := parseWords("")
	i := slices.IndexFunc(request.Tools, func(t model.Tool) bool { return t.Name == tool })
	switch {
	case len(results) > 0:
		return inPieces(closing(results), usual.number["pchunks"], usual.number["size"])
	case i < 0:
		return prose(fill(noToolText, "tool", model.Truncate(tool, 64)))
	case !strings.HasPrefix(input, "{"):
		return callTool(tool, asJSON(inputFor(request.Tools[i].Schema, input, usual.number["n"])))
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(input), &object); err != nil {
		return prose(fill(badWordText, "problem", "the input of `"+tool+"` is not JSON: "+model.Truncate(err.Error(), maxGist)))
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(input)); err != nil {
		panic("demo: valid JSON does not become compact: " + err.Error())
	}
	return callTool(tool, compact.Bytes())
}

// asJSON encodes an input of texts and numbers.
func asJSON(input any) json.RawMessage {
	b, err := json.Marshal(input)
	if err != nil {
		panic("demo: an input of strings and numbers does not encode: " + err.Error())
	}
	return b
}
