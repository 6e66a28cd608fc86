package mcpcall

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// callTool calls a tool for a model, or for its code.
func (s *Servers) callTool(c *author.Context, server, tool string, input json.RawMessage) (json.RawMessage, error) {
	k := s.newCall(c, server, tool)
	k.consent = consentTo(server, c.Code.Shown)
	result, err := k.CallTool(input)
	if err != nil {
		return nil, err
	}
	return k.output(result)
}

// CallTool calls the tool.
func (k *Call) CallTool(input json.RawMessage) (mcp.CallResult, error) {
	arguments, err := mcp.Parse(input)
	if err != nil || !arguments.IsObject() {
		return mcp.CallResult{}, k.failed("its input must be an object")
	}
	result, err := k.Do(mcp.CallTool{Name: k.tool, Arguments: arguments})
	if err != nil {
		return mcp.CallResult{}, err
	}
	r, ok := result.(mcp.CallResult)
	if !ok {
		return r, k.failed("it answers with something else than a result")
	}
	if r.Failed {
		return r, k.failed(limitWords(reasonOf(r), limit.HookWords))
	}
	return r, nil
}

// reasonOf returns in words why a call has failed: the texts of its result, and structured content that says more.
func reasonOf(r mcp.CallResult) string {
	var texts []string
	repeated := false
	for i, c := range r.Content {
		if c.Type == mcp.ContentText && c.Text != "" {
			texts = append(texts, c.Text)
			repeated = repeated || r.Repeats(i)
		}
	}
	if r.Structured.Exists() && !repeated {
		texts = append(texts, r.Structured.JSON())
	}
	if len(texts) == 0 {
		return "it failed"
	}
	return strings.Join(texts, "\n")
}

func limitWords(text string, most int) string {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// roomForOutput is the size to which the output of a tool is cut, so that it fits with what is around it.
const roomForOutput = limit.Output / 2

// output is what a model is told of a result: its structured content, or else its only text, or else its
// blocks. What is no text is named. The pictures among it are shown beside the output.
func (k *Call) output(r mcp.CallResult) (json.RawMessage, error) {
	refused := k.showPictures(r.Content)
	if r.Structured.Exists() {
		return k.structured(r)
	}
	if len(r.Content) == 1 && r.Content[0].Type == mcp.ContentText {
		return fit(limit.MustMarshal(r.Content[0].Text)), nil
	}
	blocks := []any{}
	for i, c := range r.Content {
		b := block(c)
		if _, _, isData := dataOf(&c); isData && refused[i] != nil {
			b["reason"] = refused[i].Error()
		} else if isData {
			b["shown"] = true
			delete(b, "leftOut")
		}
		blocks = append(blocks, b)
	}
	return fit(limit.MustMarshal(blocks)), nil
}

// structured returns the output of a call whose result has structured content. A model gets that content, and the texts
// that say something else. Code that was told an output schema gets the structured content alone. Content that takes too
// long to read, such as thousands of numbers next to zero, is a text for a model: nobody has to read that as JSON.
func (k *Call) structured(r mcp.CallResult) (json.RawMessage, error) {
	out := struct {
		Content    []any           `json:"content,omitempty"`
		Structured json.RawMessage `json:"structuredContent"`
	}{Structured: json.RawMessage(r.Structured.JSON())}
	forCode := k.Code.ByCode || k.Acting || k.Code.Outside != 0
	if !forCode && protocol.Check(out.Structured) != nil {
		out.Structured = limit.MustMarshal(string(out.Structured))
	}
	for i, c := range r.Content {
		if _, _, isData := dataOf(&c); !isData && !r.Repeats(i) && !(forCode && k.hasOutputSchema) {
			out.Content = append(out.Content, block(c))
		}
	}
	switch {
	case len(out.Content) > 0:
		return fit(limit.MustMarshal(out)), nil
	case len(out.Structured) <= limit.Output:
		return out.Structured, nil
	case forCode:
		return nil, k.failed(fmt.Sprintf("its result has %d bytes, at most %d", len(out.Structured), limit.Output))
	}
	return fit(out.Structured), nil
}

// fit cuts an output that is too large.
func fit(output json.RawMessage) json.RawMessage {
	for most := roomForOutput; len(output) > limit.Output; most /= 2 {
		output = codemode.Cut(output, most)
	}
	return output
}

// showPictures shows the blocks that are data, if they are pictures for which there is room. It returns for
// each block why it is not shown, or nil.
func (k *Call) showPictures(content []mcp.Content) []error {
	urls, found := make([]string, len(content)), false
	for i := range content {
		if media, data, ok := dataOf(&content[i]); ok {
			urls[i], found = "data:"+media+";base64,"+strings.Join(strings.Fields(data), ""), true
		}
	}
	if !found {
		return nil
	}
	call := k.Code.Call.ID
	if k.Acting || k.Code.Outside != 0 { // other code has called, or another program
		call = ""
	}
	return k.Object.Loop().ShowFiles(flow.Event(k), call, urls)
}

// dataOf returns the media type and the base64 of a block that is data.
func dataOf(c *mcp.Content) (media, data string, ok bool) {
	switch {
	case c.Type == mcp.ContentImage, c.Type == mcp.ContentAudio:
		return c.MIME, c.Data, true
	case c.Type == mcp.ContentResource && c.Embedded.Blob != nil:
		return c.Embedded.MIME, *c.Embedded.Blob, true
	}
	return "", "", false
}

// block is what a model is told of one block.
func block(c mcp.Content) map[string]any {
	switch c.Type {
	case mcp.ContentText:
		return map[string]any{"type": "text", "text": c.Text}
	case mcp.ContentLink:
		return map[string]any{"type": "link", "uri": c.Link.URI, "name": c.Link.Name, "mimeType": c.Link.MIME}
	case mcp.ContentResource:
		if c.Embedded.Text != nil && c.Embedded.Blob == nil {
			return map[string]any{"type": "resource", "uri": c.Embedded.URI, "text": *c.Embedded.Text}
		}
		return map[string]any{"type": "resource", "uri": c.Embedded.URI, "mimeType": mcp.Quote(c.Embedded.MIME, 128), "leftOut": true}
	}
	return map[string]any{"type": mcp.Quote(c.Type, 32), "mimeType": mcp.Quote(c.MIME, 128), "leftOut": true}
}
