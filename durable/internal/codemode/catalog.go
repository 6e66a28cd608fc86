package codemode

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	// maxDescription is how many bytes the description of the tool for code has at most.
	maxDescription = 8 << 10
	// restRoom is how many bytes of it are kept for what it says of tools that it leaves out.
	restRoom = 512
	// leastSignature is how many bytes the signature of a tool has at least.
	leastSignature = 32
)

// rules are what a model has to know besides the signatures of its tools.
const rules = `Runs JavaScript that you write, with your tools as functions, and gives you the value that it returns. Use it to call several tools, and to loop over, filter and compute with what they give.
- Write plain JavaScript as the body of an async function: no types, no import, no require. End it with ` + "`return value`" + `, a value that JSON can hold. Return only what you need: a long result is cut.
- ` + "`await tools.NAME({…})`" + ` calls a tool with one object and gives its output. It throws an Error with the reason if the tool fails or a person denies the call: catch it if you can go on.
- Calls that do not need each other run side by side: ` + "`await Promise.all(list.map(x => tools.NAME({…})))`" + `.
- There are also ` + "`await search(\"words\")`" + ` and ` + "`await help(\"NAME\")`" + `, which give signatures of tools as text, ` + "`await sleep(milliseconds)`" + ` and ` + "`console.log`" + `, whose lines you are shown.
- There is nothing else: no fetch, no setTimeout, no files, no process. No variable is kept for the next call.
`

// Tool is what the model's code is told of a tool.
type Tool struct {
	// Name is the tool's own name.
	Name, Description string
	// Schema is the JSON Schema of its input, and Output that of its output. Both may be missing.
	Schema, Output json.RawMessage
}

// Catalog are the tools that code may call, with their names in JavaScript.
type Catalog struct {
	tools []Tool
	names []string
	// terms are the words of the tools that a search looks at.
	terms []toolTerms
}

// NewCatalog gives tools their names in JavaScript. Equal lists get equal names. The catalog keeps the
// list.
func NewCatalog(tools []Tool) *Catalog { return &Catalog{tools: tools, names: scriptNames(tools)} }

// Names returns the names of the tools in JavaScript, in their order. The caller must not change them.
func (c *Catalog) Names() []string { return c.names }

// Tool returns the own name of the tool that has a name in JavaScript.
func (c *Catalog) Tool(name string) (real string, ok bool) {
	i := slices.Index(c.names, name)
	if i < 0 {
		return "", false
	}
	return c.tools[i].Name, true
}

// Description is what the model is told of the tool for code: rules, and the signatures of the tools.
// It has at most 8 KiB. A tool that does not fit is left out, and the text says so.
func (c *Catalog) Description() string {
	var b strings.Builder
	b.WriteString(rules)
	if len(c.tools) == 0 {
		b.WriteString("\nThere are no tools.")
		return b.String()
	}
	b.WriteString("\nThe tools:\n")
	var left []string
	work := maxWork
	for i := range c.tools {
		s := ""
		if work > 0 && b.Len()+leastSignature <= maxDescription-restRoom {
			s = c.signature(i, brief, &work)
		}
		if s != "" && b.Len()+len(s)+1 <= maxDescription-restRoom {
			b.WriteString("\n" + s)
		} else {
			left = append(left, c.names[i])
		}
	}
	if len(left) > 0 {
		b.WriteString("\n" + grouped(len(left)) + " more tools are not shown. `await search(\"words\")` finds them, and `await help(\"NAME\")` shows one.")
		writeNames(&b, left, maxDescription)
	}
	return b.String()
}

// writeNames writes as many names as a text of at most most bytes has room for.
func writeNames(b *strings.Builder, names []string, most int) {
	const before, between, more = " Their names: ", ", ", ", …"
	for i, name := range names {
		separator := between
		if i == 0 {
			separator = before
		}
		if b.Len()+len(separator)+len(name)+len(more) > most {
			if i > 0 {
				b.WriteString(more)
			}
			return
		}
		b.WriteString(separator + name)
	}
}

// signature returns the signature of one tool, with its description.
func (c *Catalog) signature(i int, d detail, work *int) string {
	return signature(c.tools[i], c.names[i], d, work)
}
