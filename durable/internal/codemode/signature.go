package codemode

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// detail is how much a signature tells.
type detail struct {
	// tool and property are how many bytes of a description are shown.
	tool, property int
	// size is about how many bytes of types are written, before the rest becomes unknown.
	size int
}

var (
	brief = detail{tool: 300, property: 100, size: 1 << 10}
	full  = detail{tool: 2_000, property: 300, size: 2 << 10}
)

// signature returns a tool as TypeScript would write it, behind its description, and ends the line. work is what
// may still be read of schemas.
func signature(t Tool, name string, d detail, work *int) string {
	var b strings.Builder
	if said := oneLine(t.Description, d.tool); said != "" {
		b.WriteString("// " + said + "\n")
	}
	w := typeWriter{detail: d, rest: d.size, work: work}
	b.WriteString("tools." + name + "(" + w.parameter(t.Schema) + "): Promise<")
	w.rest = d.size
	b.WriteString(w.schemaType(t.Output) + ">\n")
	return b.String()
}

// parameter returns the parameter of a tool whose input has a schema. A tool without a schema has none.
func (w *typeWriter) parameter(schema json.RawMessage) string {
	t := w.schemaType(schema)
	switch fields := fieldsOf(w.root); {
	case t == "{}", len(schema) == 0:
		return ""
	case strings.HasPrefix(t, "{") && len(requiredOf(fields)) == 0 && fields["properties"] != nil:
		return "input?: " + t
	}
	return "input: " + t
}

// oneLine returns the first bytes of a text in one line that can be a comment.
func oneLine(text string, most int) string {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.TrimRight(text[:most], " ") + cutMark
}
