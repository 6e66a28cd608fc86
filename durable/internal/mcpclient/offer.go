package mcpclient

import (
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/sha256"
	"github.com/tributary-agents/tributary/durable/internal/validator"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/model"
)

// Offer is what a server offers.
type Offer struct {
	Tools     []Tool     `json:"tools,omitempty"`
	Prompts   []Prompt   `json:"prompts,omitempty"`
	Resources []Resource `json:"resources,omitempty"`
	// Left are tools that are not used, and why, at most [maxLeft].
	Left []Left `json:"left,omitempty"`
	// At is where the server redirects to from its URL, or "".
	At string `json:"at,omitempty"`
}

// Tool is a tool of a server. Nothing that it says of itself is believed.
type Tool struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output,omitempty"`
	// ReadOnly, Destructive and Idempotent are the server's hints.
	ReadOnly    bool `json:"readOnly,omitempty"`
	Destructive bool `json:"destructive,omitempty"`
	Idempotent  bool `json:"idempotent,omitempty"`
	// Params are the arguments that are also sent as headers.
	Params []mcp.Param `json:"params,omitempty"`
	// Digest changes with all that the server says of the tool.
	Digest string `json:"digest"`
	// Adjusted lists in words how the schemas that a model is told differ from the server's.
	Adjusted []string `json:"adjusted,omitempty"`
	// Changed says that the tool was another one when it was first seen, or last approved.
	Changed bool `json:"changed,omitempty"`
}

// Left is a tool that is not used.
type Left struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// maxLeft is how many such tools are kept.
const maxLeft = 16

// Prompt is a prompt of a server, and Resource a resource. They are shown to people alone.
type Prompt struct {
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"`
	Description string     `json:"description,omitempty"`
	Arguments   []Argument `json:"arguments,omitempty"`
}

// Argument is an argument of a prompt.
type Argument struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Required    bool   `json:"required,omitempty"`
}

// Resource is a resource of a server.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	MIME        string `json:"mimeType,omitempty"`
}

// maxListed is how many prompts, and how many resources, are kept of a server.
const maxListed = 512

// maxOffer is the size of what is kept of a server, in bytes, so that it fits into a row.
const maxOffer = limit.Row - 100_000

// addTool adds a tool in the form in which it is kept. One that no model can be told of is left out.
func (o *Offer) addTool(l mcp.Listed) {
	t := toolOf(l)
	fitted, err := model.FitSchema(t.Input)
	if err != nil {
		o.leave(t.Name, err.Error())
		return
	}
	for _, change := range fitted.Changes {
		t.Adjusted = append(t.Adjusted, plain(change))
	}
	if l.NoOutput == "" && len(t.Output) > 0 {
		if _, err := validator.CompileOffered(t.Output); err != nil { // it promises nothing
			t.Output, l.NoOutput = nil, "it "+err.Error()
		}
	}
	if l.NoOutput != "" {
		t.Adjusted = append(t.Adjusted, "the schema of its results is left out: "+mcp.Quote(l.NoOutput, 200))
	}
	o.Tools = append(o.Tools, t)
}

func (o *Offer) leave(name, reason string) {
	if len(o.Left) < maxLeft {
		o.Left = append(o.Left, Left{name, reason})
	}
}

// toolOf returns a tool in the form in which it is kept.
func toolOf(l mcp.Listed) Tool {
	h := l.Tool.Hints
	return Tool{
		Name: l.Tool.Name, Title: mcp.Quote(l.Tool.Title, 128), Description: plain(l.Tool.Description),
		Input: json.RawMessage(l.Tool.Input.JSON()), Output: json.RawMessage(l.Tool.Output.JSON()),
		ReadOnly: h.ReadOnly == mcp.Yes, Destructive: h.ReadOnly != mcp.Yes && h.Destructive != mcp.No, Idempotent: h.Idempotent == mcp.Yes,
		Params: l.Params, Digest: l.Digest[:32],
	}
}

// plain removes the characters of a text that nobody would see, except for line breaks.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || mcp.Visible(r) {
			return r
		}
		return -1
	}, text)
}

func promptOf(p mcp.Prompt) Prompt {
	out := Prompt{Name: mcp.Quote(p.Name, 256), Title: mcp.Quote(p.Title, 128), Description: mcp.Quote(p.Description, 512)}
	for _, a := range p.Arguments[:min(len(p.Arguments), 32)] {
		out.Arguments = append(out.Arguments, Argument{mcp.Quote(a.Name, 128), mcp.Quote(a.Description, 256), a.Required})
	}
	return out
}

func resourceOf(r mcp.Resource) Resource {
	return Resource{URI: mcp.Quote(r.URI, mcp.MaxURL), Name: mcp.Quote(r.Name, 256), Description: mcp.Quote(r.Description, 512), MIME: mcp.Quote(r.MIME, 128)}
}

// keep stores what a server offers. Tools that were seen before in another form are marked.
func (r *Servers) keep(tx *durable.Tx, s *Server, o Offer) error {
	r.mark(tx, s, o.Tools)
	body, err := limit.MarshalWithin(o, maxOffer)
	if err != nil {
		return mcp.ErrCatalogue
	}
	sum := sha256.Sum(body)
	hash := hex.EncodeToString(sum[:8])
	if hash != s.Hash || s.ReadAt == 0 {
		s.saveOffer(tx, body)
		s.Hash, s.Offer = hash, o
		r.revision++
	}
	return nil
}
