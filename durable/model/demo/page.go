package demo

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// pageTool is the tool that reads a page on the web. The demo model calls it if a text has an
// address.
const pageTool = "fetch_page"

func readsPages(request model.Request) bool { return hasTool(request, pageTool) }

// addressIn returns the first address of a page in a text, or "".
func addressIn(text string) string {
	for _, word := range strings.Fields(text) {
		if word = strings.Trim(word, "`'\".,;:!?()<>"); strings.HasPrefix(word, "https://") {
			return word
		}
	}
	return ""
}

// shape is what the demo model looks at in a JSON Schema.
type shape struct {
	Type       any
	Properties map[string]shape
	Items      *shape
}

// fromPage answers with JSON that fits the schema of the request: lists have one element, about the
// page that was read last. If none was read, they are empty.
func fromPage(request model.Request, turn lastTurn) script {
	last := turn.results[len(turn.results)-1]
	var page struct{ URL, Title, Text string }
	var schema shape
	_ = json.Unmarshal(last.Output, &page) // an error in words is no page
	if json.Unmarshal(request.Output, &schema) != nil {
		return prose(gist(last.Output))
	}
	said := gist(last.Output)
	if page.URL == "" {
		said = ""
	}
	b, err := json.Marshal(schema.fill("", said, page.URL, true))
	if err != nil {
		panic("demo: an answer of strings and lists does not encode: " + err.Error())
	}
	return inPieces(string(b), 1, 0)
}

// fill makes a value: words and an address are in the elements of lists, and other texts are empty.
func (o shape) fill(name, words, address string, top bool) any {
	kind := o.Type
	if list, ok := kind.([]any); ok { // a list that may be null
		kind = list[len(list)-1]
	}
	switch kind {
	case "object":
		fields := map[string]any{}
		for field, inner := range o.Properties {
			fields[field] = inner.fill(field, words, address, top)
		}
		return fields
	case "array":
		if words == "" || o.Items == nil {
			return []any{}
		}
		return []any{o.Items.fill(name, words, address, false)}
	case "integer", "number":
		return 0
	case "boolean":
		return false
	}
	switch {
	case top:
		return ""
	case name == "source" || name == "url":
		return address
	}
	return words
}
