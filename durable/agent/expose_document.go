package agent

import (
	"encoding/base64"
	"strings"

	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Document is what other programs can read, see [Expose].
type Document struct {
	// URI is its address. A Template is in its place for many documents of one form, such as
	// "doc://{name}/text": a variable stands for text without a slash.
	URI, Template string
	// Name names it, and Title and Description are for people. MIME is its type.
	Name, Title, Description, MIME string
	// Read returns the text of the document, or its bytes if it is no text. vars are the variables of the
	// Template. found is false if there is no such document.
	Read func(c *Conversation, uri string, vars map[string]string) (text string, data []byte, found bool, err error)
	// Complete returns what a variable of the Template could be, by what has been typed of it and by the
	// other variables. It may be nil.
	Complete func(variable, begun string, others map[string]string) []string
}

func (d Document) resource() mcp.Resource {
	return mcp.Resource{URI: d.URI, Template: d.Template, Name: d.Name, Title: d.Title, Description: d.Description, MIME: d.MIME}
}

// templates returns the forms of addresses that can be read.
func (s *server) templates() []mcpserver.Resource {
	var list []mcpserver.Resource
	if s.Resources {
		list = append(list, mcpserver.Resource{Resource: mcp.Resource{Template: RunURI + "{id}", Name: "run", MIME: "application/json"}})
	}
	for _, d := range s.Documents {
		if d.Template != "" {
			list = append(list, mcpserver.Resource{Resource: d.resource(), Complete: d.Complete})
		}
	}
	return list
}

// document returns the contents of one of the author's documents.
func (s *server) document(c *Conversation, uri string) (mcp.Contents, bool, error) {
	for _, d := range s.Documents {
		vars, ok := map[string]string(nil), d.URI == uri
		if d.Template != "" {
			vars, ok = matched(d.Template, uri)
		}
		if !ok {
			continue
		}
		text, data, found, err := d.Read(c, uri, vars)
		if data != nil {
			return mcp.BlobContents(uri, d.MIME, base64.StdEncoding.EncodeToString(data)), found, err
		}
		return mcp.TextContents(uri, d.MIME, text), found, err
	}
	return mcp.Contents{}, false, nil
}

// matched returns the variables of a template in a URI, and says whether the URI is of that form.
func matched(template, uri string) (map[string]string, bool) {
	vars := map[string]string{}
	for {
		before, rest, more := strings.Cut(template, "{")
		after, ok := strings.CutPrefix(uri, before)
		if !ok || !more {
			return vars, ok && after == ""
		}
		name, next, _ := strings.Cut(rest, "}")
		literal, _, _ := strings.Cut(next, "{")
		end := len(after)
		if literal != "" {
			end = strings.Index(after, literal)
		}
		if end <= 0 || strings.Contains(after[:end], "/") {
			return nil, false
		}
		vars[name] = after[:end]
		template, uri = next, after[end:]
	}
}
