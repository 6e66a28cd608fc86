package agent

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpcall"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
)

// MCP are the servers of the Model Context Protocol whose tools an agent uses. Their tools are tools of
// the agent, with the names {server}_{tool}. Nothing is connected: a server is asked what it offers when a
// turn needs that, and asked again when the answer is old. A turn waits for the first answer of a server,
// for ten seconds at most.
//
// A call of a tool is journaled. If its instance is lost, a call under way is made again if the server
// says that the tool only reads, or that a second call changes nothing, or if [MCPServer.Repeat] says so.
// Any other call fails, with the error that it may or may not have happened. A server that answers with a
// task is asked for the result until it has one, whatever is lost meanwhile. A question of a server is put
// to a person, as one of [Ask].
//
// A server that wants to know who uses it waits in the state authenticating until a person has signed in, by
// the link that the clients are shown. A call that a server lets nobody make without that waits too, for a
// week at most, and holds nothing meanwhile.
//
// A model is told the structured content of a result, and in an object with that the texts, links and embedded
// texts that say more. Code that was told a schema of the results gets the structured content alone. The
// pictures of a result (PNG, JPEG, GIF, WebP) are shown in the answer, as file parts behind the call,
// each of up to 900 kB and as many as the message has room for, at most 20. The model is told which are
// shown, and which are not and why, unless the result has structured content. Other data is named and
// left out, and so are pictures for code. A call that fails says so in words that name the server and the
// tool, which the method mcpServers shows too, until a call of the server succeeds.
//
// Clients call the methods addMcpServer, removeMcpServer, mcpServers and reconnectMcpServer. A method of
// the agent of the same name replaces it.
type MCP struct {
	// Servers are the agent's own.
	Servers []MCPServer
	// Editable says that clients can add servers, and remove those that were added. Conversations have
	// their own then.
	Editable bool
	// Approve says whether a person has to approve a call with this input. It decides by the tool and the
	// input alone. Nil means never. [ApproveWrites] is one. Unless it is nil, a tool that a server has
	// changed since it was first seen, or last approved, needs approval too. An approval is good for the tool
	// that the person was shown: if the server changes it before the call has its result, the person is asked
	// again.
	Approve func(t MCPTool, input json.RawMessage) bool
	// Tell says which tools the model is told of.
	Tell MCPTell
	// Elicit answers a form that a server of an older version asks for while it works, at once. Its answer
	// has to fit the schema. It is false to decline. Without Elicit a person is asked, who has five minutes.
	Elicit func(server, message string, schema, defaults json.RawMessage) (answer json.RawMessage, ok bool)
	// Sampling says that servers may ask the agent's model. A person has to approve each request.
	Sampling bool
	// Roots says that servers may ask which folders they can use. They are told that there are none.
	Roots bool
}

// MCPOption is the option [Agent.MCP].
type MCPOption interface {
	servers(o author.Object) author.Servers
}

// MCPServer is a server that an agent's author names.
type MCPServer struct {
	// Name names the server, and begins the names of its tools: letters, digits, - and _, at most 32. Two servers
	// cannot have names that are equal in capitals with _ for -.
	Name string
	// URL is https. In development it can also be http on the own machine.
	URL string
	// Header is sent with every request. It can name secrets.
	Header []durable.Header
	// Client is the agent as the server's authorization server knows it, if it was registered there by hand.
	Client MCPRegistration
	// Allow are the names of the tools that are used, with * at the end for any rest. Nil allows all.
	Allow []string
	// Repeat are the names of the tools, as in Allow, of which a call can be made twice.
	Repeat []string
}

// MCPRegistration is an agent as an authorization server knows it that has registered it by hand. Without an ID,
// the variable MCP_CLIENT_{NAME} and the secret MCP_CLIENT_{NAME}_SECRET are used, NAME being the server's in
// capitals, with _ for what is neither a letter nor a digit. Without these the agent introduces itself by a document,
// or registers itself. None of this is for a server that a client has added.
type MCPRegistration struct {
	ID string
	// Secret is the name of a secret of the deployment, or "". It is sent to the Issuer alone.
	Secret string
	// Issuer is the authorization server, as the server writes it. If it is "", it is the variable
	// MCP_CLIENT_{NAME}_ISSUER. If that is not set, a client without a secret is used at the first one that the
	// server names, and one with a secret is not used.
	Issuer string
}

// MCPTell says which tools of servers the model is told of.
type MCPTell int

// The ways to tell.
const (
	// TellAll tells the model of the tools, of the first 128. Code reaches the others.
	TellAll MCPTell = iota
	// TellCode tells the model of none of the tools: the code of the tool [Code] finds and calls them.
	TellCode
)

// MCPTool is a tool of a server. All but Server is what the server says, which may be a lie.
type MCPTool struct {
	Server, Name, Title, Description string
	// ReadOnly, Destructive and Idempotent are the server's hints.
	ReadOnly, Destructive, Idempotent bool
	// Changed says that the tool is not what it was when it was first seen, or last approved.
	Changed bool
}

// ApproveWrites is an [MCP.Approve] that asks a person about every call of a tool of which the server does
// not say that it only reads.
func ApproveWrites(t MCPTool, _ json.RawMessage) bool { return !t.ReadOnly }

// servers are the servers of an object: those of package mcpcall, their tools as tools of the agent, and the methods
// for clients. They implement [author.Servers].
type servers struct {
	*mcpcall.Servers
	editable bool
	// made are the tools of a revision.
	made     []Tool
	revision int
}

// servers makes the servers of an object. It panics if the option cannot be used.
func (m *MCP) servers(o author.Object) author.Servers {
	options := mcpcall.Options{TellNone: m.Tell == TellCode, Elicit: m.Elicit, Sampling: m.Sampling, Roots: m.Roots}
	if m.Approve != nil {
		options.Approve = func(t mcpcall.ToolInfo, input json.RawMessage) bool { return m.Approve(MCPTool(t), input) }
	}
	for _, s := range m.Servers {
		options.Servers = append(options.Servers, mcpcall.Declared{Allow: s.Allow, Repeat: s.Repeat, Declared: mcpclient.Declared{
			Name: s.Name, URL: s.URL, Header: s.Header,
			Client: mcpclient.Client{ID: s.Client.ID, SecretName: s.Client.Secret, Issuer: s.Client.Issuer},
		}})
	}
	return &servers{Servers: mcpcall.New(o, options), editable: m.Editable, revision: -1}
}

// ParentMCP is the option [Agent.MCP] of a helper that uses the servers of the conversation at its root,
// with the options of that agent. Requests are made there, so no header and no token of a server comes to
// the helper. A person approves what the root's agent wants approved. What a task says that it does is shown, but
// not how far any other call is.
var ParentMCP MCPOption = parentMCP{}

type parentMCP struct{}

// servers makes the servers of a helper. What they need at the root is linked here: the class of a helper
// makes its servers once when it is registered, which each instance of the module does before it opens an
// object.
func (parentMCP) servers(o author.Object) author.Servers {
	author.Linked.RootServices = mcpcall.Services
	return &servers{Servers: mcpcall.NewOfRoot(o), revision: -1}
}

// Offered implements [author.Servers].
func (s *servers) Offered(tx *durable.Tx) any {
	tools, revision := s.Tools(tx)
	if s.revision == revision {
		return s.made
	}
	s.made, s.revision = nil, revision
	for _, t := range tools {
		made := Tool{
			Name: t.Name, Description: t.Description, Schema: t.Schema, promise: t.Promise, readOnly: t.ReadOnly, Approval: t.Approval, digest: t.Digest,
			Run: func(c *Context, input json.RawMessage) (json.RawMessage, error) { return t.Run(c.of, input) },
		}
		if t.Explain != nil {
			made.Explain = func(input json.RawMessage) (Explanation, error) { return explanationOf(t.Explain(input)), nil }
		}
		s.made = append(s.made, made)
	}
	return s.made
}

func explanationOf(e mcpcall.Explanation) Explanation {
	explained := Explanation{Title: e.Title, Text: e.Text}
	if e.Risky {
		explained.Risk = RiskMedium
	}
	return explained
}
