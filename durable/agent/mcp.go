package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/mcp"
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

// maxOffered is how many tools of servers a model can call itself. Its code can call the others.
const maxOffered = 128

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

// remoteTool names a tool of a server.
type remoteTool struct{ server, tool string }

// servers are the servers of an object. They implement [author.Servers].
type servers struct {
	*mcpclient.Servers
	option *MCP
	object author.Object
	// made are the tools of a revision. offered has their names, with true for those that the model can call itself.
	// offeredOf has these by the names that their servers have for them.
	made      []Tool
	offered   map[string]bool
	offeredOf map[remoteTool]bool
	revision  int
	// samples are the answers of the model for servers, and reports the progress of calls.
	samples map[string]*sample
	reports map[string]*report
	// ofRoot says that the servers are those of the root.
	ofRoot bool
}

// servers makes the servers of an object. It panics if the option cannot be used.
func (m *MCP) servers(o author.Object) author.Servers {
	c := mcpclient.Config{
		Development: func() bool { return o.Vars()["TRIBUTARY_ENV"] == "development" },
		Sampling:    m.Sampling, Roots: m.Roots, Resume: o.Resume, ResumeTurn: o.CallModel,
		Path: o.Path, Var: o.Var, HasSecret: o.HasSecret, Paused: o.Loop().Paused,
		Asker: func(tx *durable.Tx) string { return mcpclient.PersonOf(o.Acting(tx)) },
	}
	for i, s := range m.Servers {
		switch {
		case !isServerName(s.Name):
			panic(fmt.Errorf("agent: %.80q is no name for a server", s.Name))
		case slices.ContainsFunc(m.Servers[:i], func(have MCPServer) bool { return mcpclient.Clash(have.Name, s.Name) }):
			panic(fmt.Errorf("agent: there is a server already whose name, or whose variables, are those of the server %s", s.Name))
		}
		c.Declared = append(c.Declared, mcpclient.Declared{
			Name: s.Name, URL: s.URL, Header: s.Header, Client: mcpclient.Client{ID: s.Client.ID, SecretName: s.Client.Secret, Issuer: s.Client.Issuer},
		})
	}
	s := &servers{option: m, object: o, revision: -1}
	c.Offers, c.Shared, c.NotifyHelpers = s.isOffered, s.shared, func(tx *durable.Tx) { o.Runs().NotifyWaiting(tx) }
	c.Consents = s.consents
	s.Servers = mcpclient.New(c)
	return s
}

// Check implements [author.Servers].
func (s *servers) Check(variable func(name string) string, hasSecret func(name string) bool) error {
	var errs []error
	for _, d := range s.Declared() {
		if secret, issuer := d.Unnamed(variable, hasSecret); secret != "" {
			errs = append(errs, fmt.Errorf("the secret %s, for signing in to the server %s, is for no authorization server that is named: set the variable %s, or the field Issuer", secret, d.Name, issuer))
		}
	}
	return errors.Join(errs...)
}

func isServerName(name string) bool {
	bad := func(c rune) bool {
		return !(c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	return name != "" && len(name) <= 32 && !strings.ContainsFunc(name, bad)
}

// Open implements [author.Servers].
func (s *servers) Open(tx *durable.Tx) { s.OpenRelayed(tx) }

// Fetched implements [author.Servers].
func (s *servers) Fetched(tx *durable.Tx, name string, event durable.Event) bool {
	if !mcpclient.IsFetch(name) {
		return s.sampled(tx, name, event)
	}
	s.Servers.Fetched(tx, name, event)
	return true
}

// HandleDue implements [author.Servers].
func (s *servers) HandleDue(tx *durable.Tx, due durable.Due) bool {
	if due.Kind == dueReport {
		s.reportDue(tx, due.ID)
		return true
	}
	if !mcpclient.IsDue(due.Kind) {
		return false
	}
	s.Servers.HandleDue(tx, due)
	return true
}

// Notice implements [author.Servers].
func (s *servers) Notice(tx *durable.Tx) string {
	var text strings.Builder
	for _, r := range s.List(tx) {
		if r.State != mcpclient.Ready && r.ReadAt == 0 {
			fmt.Fprintf(&text, "\n\nThe tools of the server %q are not available now.", r.Name)
		}
	}
	return text.String()
}

// declared returns what the author says of a server.
func (s *servers) declared(r *mcpclient.Server) MCPServer {
	for _, d := range s.option.Servers {
		if r.Declared && d.Name == r.ID {
			return d
		}
	}
	return MCPServer{}
}

// matches says whether a name is among names that may end in *.
func matches(names []string, name string) bool {
	return slices.ContainsFunc(names, func(want string) bool {
		if begin, any := strings.CutSuffix(want, "*"); any {
			return strings.HasPrefix(name, begin)
		}
		return want == name
	})
}

// Offered implements [author.Servers].
func (s *servers) Offered(tx *durable.Tx) any {
	if revision := s.Revision(tx); s.revision != revision {
		s.made, s.offered, s.offeredOf, s.revision = nil, map[string]bool{}, map[remoteTool]bool{}, revision
		s.make(tx)
	}
	return s.made
}

// Offers implements [author.Servers].
func (s *servers) Offers(tx *durable.Tx, tool string) bool {
	s.Offered(tx)
	offered, ours := s.offered[tool]
	return offered || !ours
}

// isOffered says whether the model can call a tool of a server itself.
func (s *servers) isOffered(tx *durable.Tx, server, tool string) bool {
	s.Offered(tx)
	return s.offeredOf[remoteTool{server, tool}]
}

// make makes the tools of all servers.
func (s *servers) make(tx *durable.Tx) {
	taken := func(name string) bool {
		_, ours := s.offered[name]
		return ours || s.object.Tool(name) != nil
	}
	for _, r := range s.List(tx) {
		var tools []mcpclient.Tool
		var names []string
		d := s.declared(r)
		for _, t := range r.Offer.Tools {
			if d.Allow == nil || matches(d.Allow, t.Name) {
				tools, names = append(tools, t), append(names, t.Name)
			}
		}
		for i, name := range mcp.Identifiers(r.Name, names, taken) {
			s.offered[name] = s.option.Tell == TellAll && len(s.made) < maxOffered
			s.offeredOf[remoteTool{r.ID, tools[i].Name}] = s.offered[name]
			s.made = append(s.made, s.tool(r, name, tools[i]))
		}
	}
}

// tool makes a tool of the agent of one of a server.
func (s *servers) tool(r *mcpclient.Server, name string, t mcpclient.Tool) Tool {
	info, server := infoOfTool(r, t), r.ID
	made := Tool{Name: name, Description: t.Description, Schema: t.Input, readOnly: t.ReadOnly}
	if len(t.Output) > 0 {
		made.promise = t.Output
	}
	made.Run = func(c *Context, input json.RawMessage) (json.RawMessage, error) {
		return s.callTool(c, server, t.Name, input)
	}
	if s.option.Approve != nil {
		made.Approval = func(input json.RawMessage) bool { return t.Changed || s.option.Approve(info, input) }
		made.Explain = func(input json.RawMessage) (Explanation, error) { return explain(info, input, false), nil }
		made.digest = shownDigest(r.ID, t.Digest)
	}
	return made
}

func infoOfTool(r *mcpclient.Server, t mcpclient.Tool) MCPTool {
	return MCPTool{
		Server: r.Name, Name: t.Name, Title: t.Title, Description: t.Description,
		ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, Changed: t.Changed,
	}
}
