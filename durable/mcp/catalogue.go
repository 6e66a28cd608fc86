package mcp

import (
	"encoding/hex"
	"slices"

	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Limits of a catalogue. MaxCatalogue, MaxToolName and MaxDescription are in bytes.
const (
	MaxCatalogue   = 1 << 20
	MaxTools       = 512
	MaxPages       = 64
	MaxToolName    = 256
	MaxDescription = 2 << 10
)

// roomForNote is the room for the note that a description was cut off, in bytes.
const roomForNote = 64

// Catalogue collects the tools of a server, page by page. The zero Catalogue is empty.
type Catalogue struct {
	// Tools are the tools that can be used, in the server's order, with descriptions of at most
	// MaxDescription bytes. One that was cut off says so.
	Tools []Listed
	// Left are the tools that cannot, at most [MaxTools].
	Left []Left
	// TTL is the shortest time for which a page stays good, in milliseconds.
	TTL int64

	bytes int
	pages int
	names map[string]bool
	// listed are the places in Tools by name, and before is how many there are of earlier pages.
	listed map[string]int
	before int
}

// Listed is a tool that can be used.
type Listed struct {
	Tool Tool
	// Params are the arguments that are also sent as headers.
	Params []Param
	// Digest changes whenever the server says anything else of the tool.
	Digest string
	// NoOutput says why the schema of the tool's results is not used, or is "".
	NoOutput string
}

// Left is a tool that was left out.
type Left struct {
	// Name is fit to be shown.
	Name   string
	Reason string
}

// The errors of a catalogue as a whole.
const (
	ErrCatalogue failure = "mcp: the list of tools has more than 1 MiB"
	ErrPages     failure = "mcp: the list of tools has more than 64 pages"
)

// The reasons why a tool is left out.
const (
	errToolName   failure = "its name is empty, too long, or has characters that cannot be shown"
	errToolTwice  failure = "another tool has its name"
	errToolsMany  failure = "it is beyond the first 512 tools"
	errPageCursor failure = "mcp: the list of tools leads back to a page that was read"
)

// Add takes a page. It returns the cursor of the next page, or nil at the end. An error ends the
// reading; the tools before it can be used.
func (c *Catalogue) Add(page Tools) (next *string, err error) {
	if c.names == nil {
		c.names, c.listed, c.TTL = map[string]bool{}, map[string]int{}, page.Cache.TTL
	}
	c.before = len(c.Tools)
	c.TTL = min(c.TTL, page.Cache.TTL)
	for _, t := range page.Tools {
		if err := c.add(t); err != nil {
			return nil, err
		}
	}
	if c.pages++; c.pages >= MaxPages && page.Next != nil {
		return nil, ErrPages
	}
	if page.Next != nil && c.seen("\x00"+*page.Next) { // no tool has this name
		return nil, errPageCursor
	}
	return page.Next, nil
}

// seen says whether a name was there before.
func (c *Catalogue) seen(name string) bool {
	before := c.names[name]
	c.names[name] = true
	return before
}

// cameBefore says whether an earlier page has the same tool: some servers send one page again and again.
func (c *Catalogue) cameBefore(t Tool) bool {
	i, ok := c.listed[t.Name]
	return ok && i < c.before && c.Tools[i].Digest == t.digest()
}

func (c *Catalogue) add(t Tool) error {
	c.bytes += len(t.Name) + len(t.Title) + len(t.Description) + len(t.Input.JSON()) + len(t.Output.JSON()) + len(t.Meta.JSON())
	if c.bytes > MaxCatalogue {
		return ErrCatalogue
	}
	params, err := c.check(t)
	if err == errToolTwice && c.cameBefore(t) {
		return nil
	}
	if err != nil {
		if len(c.Left) < MaxTools {
			c.Left = append(c.Left, Left{Name: Quote(t.Name, 128), Reason: err.Error()})
		}
		return nil
	}
	digest := t.digest()
	c.listed[t.Name] = len(c.Tools)
	noOutput := ""
	if err := CheckSchema(t.Output); err != nil { // it promises nothing
		t.Output, noOutput = Value{}, err.Error()
	}
	if len(t.Description) > MaxDescription {
		t.Description = protocol.CutOff(t.Description, MaxDescription-roomForNote)
	}
	c.Tools = append(c.Tools, Listed{Tool: t, Params: params, Digest: digest, NoOutput: noOutput})
	return nil
}

// check says why a tool cannot be used.
func (c *Catalogue) check(t Tool) ([]Param, error) {
	switch {
	case len(t.Name) > MaxToolName || Quote(t.Name, MaxToolName) != t.Name || t.Name == "":
		return nil, errToolName
	case c.seen(t.Name):
		return nil, errToolTwice
	case len(c.Tools) >= MaxTools:
		return nil, errToolsMany
	case t.Input.text("type") != "object":
		return nil, errSchemaObject
	}
	if err := CheckSchema(t.Input); err != nil {
		return nil, err
	}
	return Params(t.Input)
}

// digest is over all that a model or a person is told of the tool, and over its hints. The order of
// fields does not count.
func (t Tool) digest() string {
	w := &writer{}
	t.Icons, t.Meta = Value{}, Value{}
	w.open("", '{')
	w.fields(t)
	w.close('}')
	sum := sha256.Sum(canonical(nil, w.made()))
	return hex.EncodeToString(sum[:])
}

func canonical(dst []byte, v Value) []byte {
	switch {
	case v.IsObject():
		return canonicalObject(dst, v)
	case v.IsList():
		dst = append(dst, '[')
		for _, item := range v.Items() {
			dst = append(canonical(dst, item), ',')
		}
		return append(dst, ']')
	case v.IsText():
		return protocol.AppendQuoted(dst, v.Text())
	}
	return append(dst, v.JSON()...)
}

// canonicalObject has a map, because the names of a hostile schema may be thousands.
func canonicalObject(dst []byte, v Value) []byte {
	values := make(map[string]Value, len(v.Names()))
	for i, name := range v.Names() {
		values[name] = v.Items()[i]
	}
	names := slices.Clone(v.Names())
	slices.Sort(names)
	dst = append(dst, '{')
	for _, name := range names {
		dst = append(protocol.AppendQuoted(dst, name), ':')
		dst = append(canonical(dst, values[name]), ',')
	}
	return append(dst, '}')
}
