package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// Server is the in-memory part of an object that is exposed. What it keeps can be rebuilt from rows,
// but for the requests that wait, which end with the object's memory.
type Server struct {
	config Config
	// calls are those that are under way, in the order in which they have come into memory.
	calls []*call
	// resumable are the calls that are to go on and are not in memory.
	resumable []string
	// listeners are the streams of clients that want to be told of changes.
	listeners []*listener
	// watched says that the object is woken for calls that wait for responses.
	watched bool
	// beat is when the timer goes off that keeps streams open, in milliseconds, or 0 if it does not run.
	// skipped says that the last time was for the streams of calls alone.
	beat    int64
	skipped bool
}

// Config is what an endpoint needs of its agent.
type Config struct {
	Info         mcp.Info
	Instructions string
	// Object is the conversation.
	Object author.Object
	// Tools returns what the tools are at the moment, ordered by name. Withheld says that clients are not
	// offered one for now, or is nil.
	Tools    func() []Tool
	Withheld func(tx *durable.Tx, tool string) bool
	Prompts  []Prompt
	// Resources returns what can be read at the moment, ordered by URI.
	Resources func(tx *durable.Tx) []Resource
	// Templates are the patterns of URIs that can be read besides.
	Templates []Resource
	// Read returns the contents of a resource. found is false if there is none.
	Read func(tx *durable.Tx, uri, claims string) (contents mcp.Contents, found bool, err error)
	// Subject names the person of granted claims, or is "". Missing returns which scopes they lack. Package
	// claims compares whose they are.
	Subject func(claims string) string
	Missing func(claims string, scopes []string) []string
	// Development says whether the object runs on a developer's machine, and CORS which pages of other
	// hosts may use it.
	Development func() bool
	CORS        func() string
}

// Code is the code of a call.
type Code func(c *flow.Context, code author.Code, input json.RawMessage) (json.RawMessage, error)

// Tool is a tool that can be called.
type Tool struct {
	mcp.Tool
	// Approval says whether the client's person has to approve a call with this input, or is nil. Explain
	// says what the person is asked.
	Approval func(input json.RawMessage) bool
	Explain  func(input json.RawMessage) string
	// Scopes are what a client needs to call it, and ApproverScopes what it needs besides to approve.
	Scopes, ApproverScopes []string
	// Long says that a call becomes a task at once, and OnlyTask that it has no other answer.
	Long, OnlyTask bool
	// Check says what is wrong with an output, or is nil.
	Check func(output json.RawMessage) error
	Run   Code
}

// Prompt is a prompt that can be asked for.
type Prompt struct {
	mcp.Prompt
	Run Code
	// Complete returns what an argument could be.
	Complete func(argument, begun string, others map[string]string) []string
}

// Resource is what can be read. Complete returns what a variable of a template could be, or is nil.
type Resource struct {
	mcp.Resource
	Complete func(variable, begun string, others map[string]string) []string
}

// New returns an endpoint without calls.
func New(c Config) *Server { return &Server{config: c} }

// Owns says whether a routine is that of a call.
func Owns(routine string) bool { return strings.HasPrefix(routine, routineOf) }

// Completed implements [author.MCPServer].
func (p *Server) Completed(routine string) bool {
	id, ours := strings.CutPrefix(routine, routineOf)
	if ours && p.inMemory(id) == nil {
		p.resumable = append(p.resumable, id)
	}
	return ours
}

// Resume implements [author.MCPServer].
func (p *Server) Resume(tx *durable.Tx) {
	for len(p.resumable) > 0 {
		id := p.resumable[0]
		p.resumable = p.resumable[1:]
		p.load(tx, id)
	}
	for _, k := range slices.Clone(p.calls) {
		if k.routine != nil {
			p.proceed(tx, k)
		}
	}
}

func (p *Server) inMemory(id string) *call {
	for _, k := range p.calls {
		if k.id == id {
			return k
		}
	}
	return nil
}

// ofKey returns the call whose code awaits something, or nil.
func (p *Server) ofKey(key flow.Key) *call {
	return p.inMemory(strings.TrimPrefix(key.Routine, routineOf))
}

// ofRequest returns the call that a request waits for, or nil.
func (p *Server) ofRequest(request string) *call {
	for _, k := range p.calls {
		if k.waiter != nil && k.waiter.request == request {
			return k
		}
	}
	return nil
}

// Load implements [author.MCPServer].
func (p *Server) Load() (bytes int, busy bool) {
	for _, k := range p.calls {
		if k.routine != nil {
			bytes += k.routine.Bytes()
		}
		busy = busy || k.waiter != nil || k.inMemory()
	}
	return bytes, busy || len(p.listeners) > 0
}

// Drop implements [author.MCPServer].
func (p *Server) Drop() {
	for _, k := range p.calls {
		if k.routine != nil {
			k.routine.Drop()
		}
	}
}
