package demo

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// codeTool is the tool for code, and codeWord the beginning of a message that is code for it.
const codeTool, codeWord = "code", "code:"

// codeIn returns the code of a message that begins with the word for it. The words key=value have no
// meaning in it.
func codeIn(text string) (code string, ok bool) {
	rest, ok := cutPrefixFold(strings.TrimSpace(text), codeWord)
	return strings.TrimSpace(rest), ok
}

// runCode answers with a call of the tool for code, and tells afterwards what came of it.
func runCode(request model.Request, results []model.ToolResult, code string) script {
	usual := parseWords("")
	switch {
	case len(results) > 0:
		return inPieces(closing(results), usual.number["pchunks"], usual.number["size"])
	case !hasTool(request, codeTool):
		return prose(fill(noToolText, "tool", codeTool))
	}
	return callTool(codeTool, codeInput(code))
}

// codeInput returns the input of the tool for code. Arrows stay readable in it.
func codeInput(code string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(map[string]string{"code": code}); err != nil {
		panic("demo: a text does not encode: " + err.Error())
	}
	return bytes.TrimSpace(b.Bytes())
}

// returned is what code has returned if the output is that of code that has ended well, and the output
// otherwise.
func returned(output json.RawMessage) json.RawMessage {
	var done struct {
		Status string
		Result json.RawMessage
	}
	if json.Unmarshal(output, &done) == nil && done.Status == "completed" && done.Result != nil {
		return done.Result
	}
	return output
}
