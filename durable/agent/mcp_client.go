package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/mcpcall"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// MCPClient is a server, for the code of a tool or of a [Program].
type MCPClient struct {
	c    *Context
	name string
}

// MCP returns the server with a name, one of those of [Agent.MCP]. Its methods are awaits. They ask a
// server first what it is, if nobody has before. They ask nobody for approval, and no call of them has a tool
// that has changed count as approved. A call whose tool the server changes before it has the result fails.
func (c *Context) MCP(server string) *MCPClient { return &MCPClient{c, server} }

// call begins a call of the server.
func (m *MCPClient) call(tool string) (*mcpcall.Call, error) {
	s, ok := m.c.of.Object.Servers().(*servers)
	if !ok {
		return nil, fmt.Errorf("agent: there is no server %.80q: the agent has no option MCP", m.name)
	}
	id, err := m.id(s)
	if err != nil {
		return nil, err
	}
	return s.NewCall(m.c.of, id, tool), nil
}

// MCPResult is what a tool of a server has returned.
type MCPResult struct {
	// Text is all text of the result.
	Text string
	// Structured is the result as JSON, or nil.
	Structured json.RawMessage
	// Content are the blocks of the result, each as JSON of the protocol.
	Content []json.RawMessage
}

// Call calls a tool with a value that becomes a JSON object. If the tool fails, the error has its words. A
// call whose instance was lost may be [flow.ErrDoubtful], see [MCP].
func (m *MCPClient) Call(tool string, input any) (MCPResult, error) {
	k, err := m.call(tool)
	if err != nil {
		return MCPResult{}, err
	}
	data, err := limit.Marshal(input)
	if err != nil {
		return MCPResult{}, fmt.Errorf("agent: the input of %s: %w", tool, err)
	}
	r, err := k.CallTool(data)
	if err != nil {
		return MCPResult{}, err
	}
	result := MCPResult{}
	if r.Structured.Exists() {
		result.Structured = json.RawMessage(r.Structured.JSON())
	}
	for i, c := range r.Content {
		if c.Type == mcp.ContentText {
			if i > 0 {
				result.Text += "\n"
			}
			result.Text += c.Text
		}
		result.Content = append(result.Content, json.RawMessage(c.Raw.JSON()))
	}
	return result, nil
}

// MCPContents is what is in a resource: a text, or a blob in base64.
type MCPContents struct{ URI, MIME, Text, Blob string }

// Read reads a resource.
func (m *MCPClient) Read(uri string) ([]MCPContents, error) {
	k, err := m.call("")
	if err != nil {
		return nil, err
	}
	result, err := k.Do(mcp.ReadResource{URI: uri})
	if err != nil {
		return nil, err
	}
	var list []MCPContents
	r, _ := result.(mcp.ReadResult)
	for _, c := range r.Contents {
		one := MCPContents{URI: c.URI, MIME: c.MIME}
		if c.Blob != nil {
			one.Blob = *c.Blob
		} else if c.Text != nil {
			one.Text = *c.Text
		}
		list = append(list, one)
	}
	return list, nil
}

// MCPMessage is a message of a prompt. Role is user or assistant. Content is the block as JSON, and Text
// its text, if it is one.
type MCPMessage struct {
	Role, Text string
	Content    json.RawMessage
}

// Prompt returns the messages of a prompt.
func (m *MCPClient) Prompt(name string, arguments map[string]string) ([]MCPMessage, error) {
	k, err := m.call("")
	if err != nil {
		return nil, err
	}
	given, err := mcp.Parse(limit.MustMarshal(arguments))
	if err != nil {
		return nil, err
	}
	if len(arguments) == 0 {
		given = mcp.Value{}
	}
	result, err := k.Do(mcp.GetPrompt{Name: name, Arguments: given})
	if err != nil {
		return nil, err
	}
	var list []MCPMessage
	r, _ := result.(mcp.PromptResult)
	for _, message := range r.Messages {
		list = append(list, MCPMessage{message.Role, message.Content.Text, json.RawMessage(message.Content.Raw.JSON())})
	}
	return list, nil
}

// id finds the server. Which one has the name is journaled.
func (m *MCPClient) id(s *servers) (string, error) {
	return flow.Step(m.c, "server named "+m.name, s.idOf(m.name))
}

// idOf returns what finds the id of the server with a name.
func (s *servers) idOf(name string) func(tx *durable.Tx) (string, error) {
	return func(tx *durable.Tx) (string, error) {
		for _, r := range s.List(tx) {
			if r.Name == name {
				return r.ID, nil
			}
		}
		return "", fmt.Errorf("agent: there is no server named %.80q", name)
	}
}
