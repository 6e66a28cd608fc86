package agent

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable/internal/author"
)

// Expose lets other programs use an agent as a server of the Model Context Protocol, at the address
// /agents/{agent}/{name}/mcp of each conversation. The front door lets in whom it lets in everywhere
// else, and a call works for the claims of its request.
//
// A call of a tool is code over a journal, as in a turn, and outlives the loss of its instance if its
// client takes a task for an answer. What the code asks with [Ask], and whether a call may run that
// [Tool.NeedsApproval], is asked of the person who uses the client. [Context.ReportProgress] goes to the
// client. The hooks of turns are not called: [Tool.Requires] says who may call a tool.
type Expose struct {
	// Tools are the names of those of [Agent.Tools] that can be called. Tools of browsers, and tools that
	// run code of a model, cannot be exposed.
	Tools []string
	// Tasks are the names of tools that take long: a call of one that does not end at once is answered
	// with a task, if the client takes tasks. OnlyTasks are the names of those that no other client can
	// call. A call of any other tool that takes longer than two seconds becomes a task as well.
	Tasks, OnlyTasks []string
	// Withhold says that a tool is not offered for now, by the state of the conversation or the claims of who asks, for
	// example. It is
	// asked again when that has changed, and clients are told of changes. A call that is under way goes on.
	// It may be nil, and must not change anything.
	Withhold func(c *Conversation, tool string) bool
	// Chat adds the tool ask, which puts a message into the conversation and returns the answer of the
	// turn.
	Chat bool
	// Prompts are templates of messages for the client's own model.
	Prompts []PromptTemplate
	// Resources has clients read the agent's state, its conversation and its runs, and be told when the
	// state has changed. Documents are what they can read besides.
	Resources bool
	Documents []Document
	// Version is what clients are told of the agent's version.
	Version string
}

// Exposed is what [Agent.Expose] takes: an [*Expose]. It is an interface so that the module of an agent
// that is not exposed has none of the protocol.
type Exposed interface {
	open(a Agent, o author.Object) author.MCPServer
	check(a Agent) error
}

// The URIs of what [Expose] has clients read. That of a run is [RunURI] and its id.
const (
	StateURI        = "agent://state"
	ConversationURI = "agent://conversation"
	RunURI          = "agent://runs/"
)

// askTool is the name of the tool of [Expose.Chat].
const askTool = "ask"

// endpointOf returns the endpoint of an agent, or nil if it is not exposed.
func endpointOf(a any, o author.Object) author.MCPServer {
	declared := a.(Agent)
	if declared.Expose == nil {
		return nil
	}
	return declared.Expose.open(declared, o)
}

// checkExposed says what is wrong with how an agent is exposed.
func checkExposed(a any) error {
	declared := a.(Agent)
	if declared.Expose == nil {
		return nil
	}
	return declared.Expose.check(declared)
}

// check implements [Exposed].
func (e *Expose) check(a Agent) error {
	if a.Helper {
		return errors.New("is a helper, and only agents that people talk to can be exposed")
	}
	var names []string
	for _, name := range append(e.Tasks[:len(e.Tasks):len(e.Tasks)], e.OnlyTasks...) {
		if !slices.Contains(e.Tools, name) {
			return fmt.Errorf("says of the tool %s how long it takes, and does not expose it", name)
		}
	}
	for _, name := range e.Tools {
		i := slices.IndexFunc(a.Tools, func(t Tool) bool { return t.Name == name })
		switch {
		case i < 0:
			return fmt.Errorf("exposes the tool %s, which it does not have", name)
		case a.Tools[i].Client || a.Tools[i].Run == nil || a.Tools[i].code != nil:
			return fmt.Errorf("exposes the tool %s, which runs in browsers or runs code of a model", name)
		}
		names = append(names, name)
	}
	if e.Chat {
		names = append(names, askTool)
	}
	for _, p := range e.Prompts {
		names = append(names, "the prompt "+p.Name)
	}
	for _, d := range e.Documents {
		if (d.URI == "") == (d.Template == "") {
			return fmt.Errorf("exposes the document %s, which needs either a URI or a template", d.Name)
		}
		names = append(names, d.URI+d.Template)
	}
	slices.Sort(names)
	for i, name := range names[min(1, len(names)):] {
		if name == names[i] {
			return fmt.Errorf("exposes %s twice", name)
		}
	}
	return nil
}
