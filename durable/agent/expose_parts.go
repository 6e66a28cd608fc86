package agent

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// PromptTemplate is a template of messages for the model of another program, see [Expose].
type PromptTemplate struct {
	Name, Title, Description string
	Arguments                []PromptArgument
	// Messages makes the messages. It is code like that of a tool, and may wait and ask.
	Messages func(c *Context, arguments map[string]string) ([]PromptMessage, error)
	// Complete returns what an argument could be, by what has been typed of it and by the other
	// arguments. It may be nil.
	Complete func(argument, begun string, others map[string]string) []string
}

// PromptArgument is a text that a [PromptTemplate] takes.
type PromptArgument struct {
	Name, Title, Description string
	Required                 bool
}

// PromptMessage is one message of a [PromptTemplate]. Role is user or assistant.
type PromptMessage struct {
	Role    string `json:"role"`
	Content Block  `json:"content"`
}

// prompts returns the prompts in the form of the protocol.
func (s *server) prompts() []mcpserver.Prompt {
	var list []mcpserver.Prompt
	for _, p := range s.Prompts {
		made := mcpserver.Prompt{
			Prompt: mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}, Complete: p.Complete,
			Run: func(c *flow.Context, code author.Code, input json.RawMessage) (json.RawMessage, error) {
				var arguments map[string]string
				if err := json.Unmarshal(input, &arguments); err != nil {
					return nil, err
				}
				messages, err := p.Messages(s.context(c, code), arguments)
				if err != nil {
					return nil, err
				}
				return limit.Marshal(map[string]any{"messages": append([]PromptMessage{}, messages...)})
			},
		}
		for _, a := range p.Arguments {
			made.Arguments = append(made.Arguments, mcp.Argument{Name: a.Name, Title: a.Title, Description: a.Description, Required: a.Required})
		}
		list = append(list, made)
	}
	return list
}

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

// Content is the output of a tool that is more than a text or a value: texts, pictures, sound, and
// resources. Another program that calls the tool is sent them as they are, see [Expose]. The agent's own
// model is told their JSON.
type Content []Block

// MarshalJSON returns the content in a form that differs from that of a list.
func (c Content) MarshalJSON() ([]byte, error) {
	return limit.Marshal(struct {
		Type  string  `json:"type"`
		Value []Block `json:"value"`
	}{"content", append([]Block{}, c...)})
}

// Block is one part of [Content], or of a [PromptMessage]. [TextBlock] and the functions beside it make
// one.
type Block struct{ form any }

// MarshalJSON returns the block in the form of the protocol.
func (b Block) MarshalJSON() ([]byte, error) { return json.Marshal(b.form) }

type blockJSON struct {
	Type     string        `json:"type"`
	Text     *string       `json:"text,omitempty"`
	Data     string        `json:"data,omitempty"`
	MIME     string        `json:"mimeType,omitempty"`
	URI      string        `json:"uri,omitempty"`
	Name     string        `json:"name,omitempty"`
	Resource *embeddedJSON `json:"resource,omitempty"`
}

type embeddedJSON struct {
	URI  string  `json:"uri"`
	MIME string  `json:"mimeType,omitempty"`
	Text *string `json:"text,omitempty"`
	Blob string  `json:"blob,omitempty"`
}

// TextBlock is a text.
func TextBlock(text string) Block { return Block{blockJSON{Type: "text", Text: &text}} }

// ImageBlock is a picture of a type such as image/png.
func ImageBlock(mime string, data []byte) Block {
	return Block{blockJSON{Type: "image", Data: base64.StdEncoding.EncodeToString(data), MIME: mime}}
}

// AudioBlock is sound of a type such as audio/wav.
func AudioBlock(mime string, data []byte) Block {
	return Block{blockJSON{Type: "audio", Data: base64.StdEncoding.EncodeToString(data), MIME: mime}}
}

// ResourceBlock is a resource that is a text.
func ResourceBlock(uri, mime, text string) Block {
	return Block{blockJSON{Type: "resource", Resource: &embeddedJSON{URI: uri, MIME: mime, Text: &text}}}
}

// LinkBlock names a resource that can be read.
func LinkBlock(uri, name, mime string) Block {
	return Block{blockJSON{Type: "resource_link", URI: uri, Name: name, MIME: mime}}
}
