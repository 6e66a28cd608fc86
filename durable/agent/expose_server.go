package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file makes of the declaration of an agent what package mcpserver serves. All of it is reached by
// the methods of [Expose] alone.

// server is an agent that is exposed.
type server struct {
	*Expose
	agent    Agent
	object   author.Object
	endpoint *mcpserver.Server
}

// open implements [Exposed].
func (e *Expose) open(a Agent, o author.Object) author.MCPServer {
	s := &server{Expose: e, agent: a, object: o}
	c := mcpserver.Config{
		Info: mcp.Info{Name: a.Name, Title: a.Title, Version: e.Version, Description: a.Description}, Object: o,
		Tools: s.tools, Prompts: s.prompts(), Templates: s.templates(),
		Subject:     func(claims string) string { return claimsOf(claims).Subject },
		Missing:     func(claims string, scopes []string) []string { return claimsOf(claims).Missing(scopes) },
		Development: func() bool { return o.Var("TRIBUTARY_ENV") == "development" },
		CORS:        func() string { return o.Var("TRIBUTARY_CORS") },
	}
	if e.Withhold != nil {
		c.Withheld = func(tx *durable.Tx, tool string) bool { return e.Withhold(&Conversation{object: o, tx: tx}, tool) }
	}
	if e.Resources || len(e.Documents) > 0 {
		c.Resources, c.Read = s.resources, s.read
	}
	s.endpoint = mcpserver.New(c)
	return s.endpoint
}

// tools returns the tools that can be called now, ordered by name.
func (s *server) tools() []mcpserver.Tool {
	var tools []mcpserver.Tool
	for _, t := range s.agent.Tools {
		if slices.Contains(s.Tools, t.Name) && (t.Enabled == nil || t.Enabled(s.object.Vars())) {
			tools = append(tools, s.tool(t))
		}
	}
	if s.Chat {
		tools = append(tools, s.ask())
	}
	slices.SortFunc(tools, func(a, b mcpserver.Tool) int { return strings.Compare(a.Name, b.Name) })
	return tools
}

func (s *server) tool(t Tool) mcpserver.Tool {
	h := t.Hints()
	said := mcp.Hints{ReadOnly: hint(h.ReadOnly), Idempotent: hint(h.Idempotent), Destructive: hint(h.Destructive)}
	exposed := mcpserver.Tool{
		Tool:     mcp.Tool{Name: t.Name, Description: t.Description, Input: valueOf(t.Schema), Output: valueOf(t.outputSchema()), Hints: said},
		Approval: t.Approval, Scopes: t.Scopes, ApproverScopes: t.ApproverScopes,
		Long: slices.Contains(s.Tasks, t.Name), OnlyTask: slices.Contains(s.OnlyTasks, t.Name),
		Explain: func(input json.RawMessage) string { return explained(t, input) },
		Run: func(c *flow.Context, code author.Code, input json.RawMessage) (json.RawMessage, error) {
			return t.Run(s.context(c, code), input)
		},
	}
	if t.Describe != nil {
		exposed.Description = t.Describe(s.object.Vars(), s.agent.Tools)
	}
	if t.Output != nil {
		exposed.Check = func(output json.RawMessage) error { return run.Fit(t.Output, output) }
	}
	return exposed
}

func (s *server) context(c *flow.Context, code author.Code) *Context {
	return contextOf(author.NewContext(s.object, c, code))
}

func hint(yes bool) mcp.Hint {
	if yes {
		return mcp.Yes
	}
	return mcp.No
}

// valueOf returns JSON of our own. What cannot be sent in the protocol is left out.
func valueOf(data json.RawMessage) mcp.Value {
	v, err := mcp.Parse(data)
	if err != nil {
		return mcp.Value{}
	}
	return v
}

// maxExplained is how much of its input the question about a call shows, in bytes. It says how much there is.
const maxExplained = 2_000

// explained is what a person is told who has to approve a call.
func explained(t Tool, input json.RawMessage) string {
	if t.Explain != nil {
		if e, err := t.Explain(input); err == nil {
			return strings.Trim(e.Title+"\n\n"+e.Text, "\n")
		}
	}
	return fmt.Sprintf("May %s run with the input %s?", t.Name, protocol.CutOff(mcp.Escaped(string(input)), maxExplained))
}

// askInput and askOutput are those of the tool ask.
type askInput struct {
	Message string `json:"message" jsonschema:"What to tell the agent."`
}

// ask returns the tool that talks to the agent.
func (s *server) ask() mcpserver.Tool {
	t := NewTool(askTool, "Puts a message into the conversation with "+s.agent.Name+" and returns the answer.",
		func(c *Context, in askInput) (string, error) {
			data, err := s.endpoint.Converse(c.Context, c.of.Code.Claims, in.Message)
			if err != nil {
				return "", err
			}
			var answered Submission
			if err := json.Unmarshal(data, &answered); err != nil {
				return "", err
			}
			if answered.Status != "completed" {
				return "", fmt.Errorf("the turn has ended as %s: %s", answered.Status, answered.Failure)
			}
			return answered.Answer, nil
		})
	return s.tool(t)
}

// resources returns what can be read now.
func (s *server) resources(tx *durable.Tx) []mcpserver.Resource {
	var list []mcpserver.Resource
	add := func(uri, name, mime string) {
		list = append(list, mcpserver.Resource{Resource: mcp.Resource{URI: uri, Name: name, MIME: mime}})
	}
	if s.Resources {
		add(ConversationURI, "conversation", "text/plain")
		for _, r := range run.List(tx, run.Filter{}) {
			add(RunURI+r.ID, "run "+r.ID, "application/json")
		}
		add(StateURI, "state", "application/json")
	}
	for _, d := range s.Documents {
		if d.URI != "" {
			list = append(list, mcpserver.Resource{Resource: d.resource()})
		}
	}
	slices.SortFunc(list, func(a, b mcpserver.Resource) int { return strings.Compare(a.URI, b.URI) })
	return list
}

// maxText is how long the text of a resource may be, in bytes. Less than that is one message.
const maxText = 700_000

var errLongText = errors.New("the resource is too long to be read")

// read returns the contents of a resource.
func (s *server) read(tx *durable.Tx, uri, claims string) (contents mcp.Contents, found bool, err error) {
	c := &Conversation{object: s.object, tx: tx, claims: &claims}
	if contents, found = s.own(c, uri); !found {
		contents, found, err = s.document(c, uri)
	}
	if contents.Text != nil && len(*contents.Text) > maxText || contents.Blob != nil && len(*contents.Blob) > maxText {
		return contents, true, errLongText
	}
	return contents, found, err
}

// own returns what every agent has.
func (s *server) own(c *Conversation, uri string) (mcp.Contents, bool) {
	if !s.Resources {
		return mcp.Contents{}, false
	}
	if id, ok := strings.CutPrefix(uri, RunURI); ok {
		info, err := c.Run(id)
		return mcp.TextContents(uri, "application/json", string(limit.MustMarshal(info))), err == nil
	}
	switch uri {
	case StateURI:
		state := c.State()
		if state == nil {
			state = json.RawMessage("null")
		}
		return mcp.TextContents(uri, "application/json", string(state)), true
	case ConversationURI:
		return mcp.TextContents(uri, "text/plain", s.object.Said(c.tx)), true
	}
	return mcp.Contents{}, false
}
