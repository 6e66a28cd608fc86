package mcpserver

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// resultOf returns what a tool has returned as a client is sent it. JSON that is an object is structured
// content, and its text besides, for clients that know no other.
func resultOf(output json.RawMessage, err error) mcp.CallResult {
	if err != nil {
		return failedWith(err.Error())
	}
	v, err := mcp.Parse(output)
	switch {
	case len(output) > limit.Output:
		return failedWith("the tool has returned too much")
	case len(output) == 0 || v.IsNull():
		return mcp.CallResult{Content: []mcp.Content{}}
	case err != nil: // it has more values than a message may have
		return mcp.CallResult{Content: []mcp.Content{mcp.TextContent(string(output))}}
	case v.IsText():
		return mcp.CallResult{Content: []mcp.Content{mcp.TextContent(v.Text())}}
	}
	if blocks, ok := blocksOf(v); ok {
		return blocks
	}
	r := mcp.CallResult{Content: []mcp.Content{mcp.TextContent(v.JSON())}}
	if v.IsObject() {
		r.Structured = v
	}
	return r
}

// blocksOf returns the content of an output that is made of blocks, {"type":"content","value":[…]}.
func blocksOf(v mcp.Value) (mcp.CallResult, bool) {
	if len(v.Names()) != 2 || v.Get("type").Text() != "content" || !v.Get("value").IsList() {
		return mcp.CallResult{}, false
	}
	wrapped, err := mcp.Parse([]byte(`{"content":` + v.Get("value").JSON() + `}`))
	if err != nil {
		return mcp.CallResult{}, false
	}
	r, err := mcp.ParseCallResult(wrapped)
	return r, err == nil
}

func failedWith(words string) mcp.CallResult {
	return mcp.CallResult{Content: []mcp.Content{mcp.TextContent(words)}, Failed: true}
}
