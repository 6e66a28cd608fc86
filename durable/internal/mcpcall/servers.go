// Package mcpcall makes the calls of the servers that an agent uses: requests, questions of a server on the way, tasks,
// and what a model is told of a result. Package mcpclient knows the servers. The code of a call is code over a journal.
package mcpcall

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/mcpsignin"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Options are those of agent.MCP, in the words of this package.
type Options struct {
	Servers []Declared
	// Approve says whether a person has to approve a call, or is nil.
	Approve func(t ToolInfo, input json.RawMessage) bool
	// TellNone says that the model is told of none of the tools.
	TellNone bool
	// Elicit answers a form of a legacy server at once, or is nil.
	Elicit          func(server, message string, schema, defaults json.RawMessage) (answer json.RawMessage, ok bool)
	Sampling, Roots bool
}

// Declared is a server that an agent's author names. Allow are the tools that are used, nil for all, and Repeat those
// of which a call can be made twice, each with * at the end for any rest.
type Declared struct {
	mcpclient.Declared
	Allow, Repeat []string
}

// ToolInfo is a tool of a server, with the fields of agent.MCPTool.
type ToolInfo struct {
	Server, Name, Title, Description  string
	ReadOnly, Destructive, Idempotent bool
	Changed                           bool
}

// Tool is a tool of a server as a tool of the agent.
type Tool struct {
	Name, Description string
	// Schema is the JSON Schema of the input, and Promise that of the results, or nil.
	Schema, Promise json.RawMessage
	ReadOnly        bool
	Run             func(c *author.Context, input json.RawMessage) (json.RawMessage, error)
	// Approval says whether a person has to approve a call, and Explain what the person is told. Both are nil if nobody
	// is asked. Digest is that of the tool, for the question.
	Approval func(input json.RawMessage) bool
	Explain  func(input json.RawMessage) Explanation
	Digest   string
}

// maxOffered is how many tools of servers a model can call itself. Its code can call the others.
const maxOffered = 128

// remoteTool names a tool of a server.
type remoteTool struct{ server, tool string }

// Servers are the servers of an object. With the methods for clients, which package agent adds, they are an
// [author.Servers].
type Servers struct {
	*mcpclient.Servers
	options Options
	object  author.Object
	signIns *mcpsignin.SignIns
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

// New makes the servers of an object. It panics if the options cannot be used.
func New(o author.Object, options Options) *Servers {
	c := mcpclient.Config{
		Development: func() bool { return o.Vars()["TRIBUTARY_ENV"] == "development" },
		Sampling:    options.Sampling, Roots: options.Roots, Resume: o.Resume, ResumeTurn: o.CallModel,
		Paused: o.Loop().Paused,
		Asker:  func(tx *durable.Tx) string { return mcpclient.PersonOf(o.Acting(tx)) },
	}
	for i, s := range options.Servers {
		switch {
		case !isServerName(s.Name):
			panic(fmt.Errorf("agent: %.80q is no name for a server", s.Name))
		case slices.ContainsFunc(options.Servers[:i], func(have Declared) bool { return mcpclient.Clash(have.Name, s.Name) }):
			panic(fmt.Errorf("agent: there is a server already whose name, or whose variables, are those of the server %s", s.Name))
		}
		c.Declared = append(c.Declared, s.Declared)
	}
	s := &Servers{options: options, object: o, revision: -1}
	c.SignIn = s.signInWith(mcpsignin.Config{Declared: c.Declared, Development: c.Development, Path: o.Path, Var: o.Var, HasSecret: o.HasSecret})
	c.Offers, c.Shared, c.NotifyHelpers = s.isOffered, s.shared, func(tx *durable.Tx) { o.Runs().NotifyWaiting(tx) }
	c.Consents = s.consents
	s.Servers = mcpclient.New(c)
	return s
}

// signInWith returns what makes the sign-ins of the servers.
func (s *Servers) signInWith(c mcpsignin.Config) func(*mcpclient.Servers) mcpclient.SignIn {
	return func(servers *mcpclient.Servers) mcpclient.SignIn {
		s.signIns = mcpsignin.New(servers, c)
		return s.signIns
	}
}

// Askers implements [author.Servers].
func (s *Servers) Askers(tx *durable.Tx) []string { return s.signIns.Askers(tx) }

// TakeSignature implements [author.Servers].
func (s *Servers) TakeSignature(signature string) { s.signIns.TakeSignature(signature) }

// Respond implements [author.Servers].
func (s *Servers) Respond(tx *durable.Tx, e durable.RequestReceived, who string) {
	s.signIns.Respond(tx, e, who)
}

// AuthURL returns the link for a server that waits for a person, as far as who is told it, or "".
func (s *Servers) AuthURL(tx *durable.Tx, r *mcpclient.Server, who string) string {
	return s.signIns.AuthURL(tx, r, who)
}

// Calls returns the servers themselves, also where they are a part of something.
func (s *Servers) Calls() *Servers { return s }

// Check implements [author.Servers].
func (s *Servers) Check(variable func(name string) string, hasSecret func(name string) bool) error {
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
func (s *Servers) Open(tx *durable.Tx) { s.OpenRelayed(tx) }

// HandleDue implements [author.Servers].
func (s *Servers) HandleDue(tx *durable.Tx, due durable.Due) {
	if due.Kind == mcpclient.DueReport {
		s.reportDue(tx, due.ID)
		return
	}
	s.Servers.HandleDue(tx, due)
}

// Notice implements [author.Servers].
func (s *Servers) Notice(tx *durable.Tx) string {
	var text strings.Builder
	for _, r := range s.List(tx) {
		if r.State != mcpclient.Ready && r.ReadAt == 0 {
			fmt.Fprintf(&text, "\n\nThe tools of the server %q are not available now.", r.Name)
		}
	}
	return text.String()
}

// declared returns what the author says of a server.
func (s *Servers) declared(r *mcpclient.Server) Declared {
	for _, d := range s.options.Servers {
		if r.Declared && d.Name == r.ID {
			return d
		}
	}
	return Declared{}
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

// Tools returns the tools of all servers, and the number of their revision.
func (s *Servers) Tools(tx *durable.Tx) ([]Tool, int) {
	if revision := s.Revision(tx); s.revision != revision {
		s.made, s.offered, s.offeredOf, s.revision = nil, map[string]bool{}, map[remoteTool]bool{}, revision
		s.make(tx)
	}
	return s.made, s.revision
}

// IsOfRoot says that the servers are those of the root.
func (s *Servers) IsOfRoot() bool { return s.ofRoot }

// NewCall begins a call of a server by an author's code, which asks nobody for an approval. tool is the tool that it
// calls, or "".
func (s *Servers) NewCall(c *author.Context, server, tool string) *Call {
	k := s.newCall(c, server, tool)
	k.unasked = true
	return k
}

// Offers implements [author.Servers].
func (s *Servers) Offers(tx *durable.Tx, tool string) bool {
	s.Tools(tx)
	offered, ours := s.offered[tool]
	return offered || !ours
}

// isOffered says whether the model can call a tool of a server itself.
func (s *Servers) isOffered(tx *durable.Tx, server, tool string) bool {
	s.Tools(tx)
	return s.offeredOf[remoteTool{server, tool}]
}

// make makes the tools of all servers.
func (s *Servers) make(tx *durable.Tx) {
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
			s.offered[name] = !s.options.TellNone && len(s.made) < maxOffered
			s.offeredOf[remoteTool{r.ID, tools[i].Name}] = s.offered[name]
			s.made = append(s.made, s.tool(r, name, tools[i]))
		}
	}
}

// tool makes a tool of the agent of one of a server.
func (s *Servers) tool(r *mcpclient.Server, name string, t mcpclient.Tool) Tool {
	info, server := infoOfTool(r, t), r.ID
	made := Tool{Name: name, Description: t.Description, Schema: t.Input, ReadOnly: t.ReadOnly}
	if len(t.Output) > 0 {
		made.Promise = t.Output
	}
	made.Run = func(c *author.Context, input json.RawMessage) (json.RawMessage, error) {
		return s.callTool(c, server, t.Name, input)
	}
	if s.options.Approve != nil {
		made.Approval = func(input json.RawMessage) bool { return t.Changed || s.options.Approve(info, input) }
		made.Explain = func(input json.RawMessage) Explanation { return explain(info, input, false) }
		made.Digest = shownDigest(r.ID, t.Digest)
	}
	return made
}

func infoOfTool(r *mcpclient.Server, t mcpclient.Tool) ToolInfo {
	return ToolInfo{
		Server: r.Name, Name: t.Name, Title: t.Title, Description: t.Description,
		ReadOnly: t.ReadOnly, Destructive: t.Destructive, Idempotent: t.Idempotent, Changed: t.Changed,
	}
}
