package mcpserver

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/action"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	answers "github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

const (
	errRemoved failure = "it was removed while the call was under way"
	errDenied  failure = "the call was denied"
)

func invalid(message string) *mcp.Error {
	return &mcp.Error{Code: mcp.CodeInvalidParams, Message: message}
}

// tool returns a tool, also one that is withheld by now: a call of it goes on.
func (p *Server) tool(name string) (Tool, bool) { return named(p.config.Tools(), name) }

func named(tools []Tool, name string) (Tool, bool) {
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return tools[i], true
}

// callTool begins a call of a tool, or has one go on whose questions the client has answered.
func (p *Server) callTool(tx *durable.Tx, f from, c mcp.CallTool) (mcp.Result, *mcp.Error) {
	t, ok := named(p.offered(tx), c.Name)
	if !ok {
		return nil, invalid("unknown tool: " + mcp.Quote(c.Name, limit.ToolName))
	}
	if mcp.Modern(f.caller.Version) {
		if err := mcp.CheckParams(f.header, paramsOf(t.Tool), c.Arguments); err != nil {
			return nil, errorOf(err)
		}
	}
	r := row{method: mcp.MethodCallTool, name: c.Name, input: inputOf(c.Arguments)}
	if err := r.seal(); err != nil {
		return nil, invalid(err.Error())
	}
	if c.State != nil {
		return p.repeated(tx, f, r, c.Resume)
	}
	if !isKnown(f.claims) {
		if f.caller.Capabilities.Tasks = false; t.OnlyTask {
			return nil, errUnknown
		}
	}
	if missing, lacks := f.caller.Capabilities.Missing(mcp.ClientCapabilities{Tasks: true}); t.OnlyTask && lacks {
		if !mcp.Modern(f.caller.Version) {
			return nil, invalid("the tool " + t.Name + " is called as a task, which this version of the protocol does not have")
		}
		return nil, mcp.MissingCapability(missing)
	}
	if words := p.refusal(t, f, r.input); words != "" {
		return failedWith(words), nil
	}
	if err := p.mayCall(tx, f); err != nil {
		return nil, err
	}
	f.given = c.Responses
	p.begin(tx, f, r)
	return nil, nil
}

// seal sets the digest of what is called.
func (c *row) seal() error {
	digest, err := action.Digest(limit.MustMarshal(map[string]any{"method": c.method, "name": c.name, "arguments": c.input}))
	c.digest = digest
	return err
}

func inputOf(arguments mcp.Value) json.RawMessage {
	if !arguments.Exists() {
		return json.RawMessage("{}")
	}
	return json.RawMessage(arguments.JSON())
}

// refusal says in words why a call does not begin, or returns "".
func (p *Server) refusal(t Tool, f from, input json.RawMessage) string {
	if missing := p.config.Missing(f.claims, t.Scopes); len(missing) > 0 {
		return author.LacksScope(t.Name, missing).Error()
	}
	switch {
	case len(input) > limit.ToolInput:
		return "the arguments are too large"
	case t.Approval == nil || !t.Approval(input):
		return ""
	case !f.caller.Capabilities.Form:
		return "a person has to approve this call, and the client cannot ask one"
	}
	if missing := p.config.Missing(f.claims, t.ApproverScopes); len(missing) > 0 {
		return needsToApprove(missing)
	}
	return ""
}

// paramsOf returns the arguments of a tool that are also sent as headers.
func paramsOf(t mcp.Tool) []mcp.Param {
	var c mcp.Catalogue
	if _, err := c.Add(mcp.Tools{Tools: []mcp.Tool{t}}); err != nil || len(c.Tools) == 0 {
		return nil
	}
	return c.Tools[0].Params
}

// errorOf returns the error of the protocol that an error of package mcp is.
func errorOf(err error) *mcp.Error {
	var e *mcp.Error
	if errors.As(err, &e) {
		return e
	}
	return &mcp.Error{Code: mcp.CodeInternal, Message: "internal error"}
}

// approved returns the code of a tool, which begins when the client's person has approved the call.
func (t Tool) approved(p *Server) Code {
	return func(c *flow.Context, code author.Code, input json.RawMessage) (json.RawMessage, error) {
		if t.Approval != nil && t.Approval(input) {
			if err := p.askApproval(c, t, input); err != nil {
				return nil, err
			}
		}
		output, err := t.Run(c, code, input)
		if err == nil && t.Check != nil {
			err = t.Check(output)
		}
		return output, err
	}
}

// askApproval asks whether a call may run, and waits for the answer.
func (p *Server) askApproval(c *flow.Context, t Tool, input json.RawMessage) error {
	shown := limit.MustMarshal(map[string]string{"title": t.Explain(input)})
	data, err := c.Await(flow.Op{
		Name: "approval", Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			p.Ask(tx, key, author.Question{Input: shown, Expires: stateAge, Scopes: t.ApproverScopes})
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { p.Withdraw(tx, key) },
	}).Wait()
	if err != nil {
		return err
	}
	var a answers.Answer
	if err := json.Unmarshal(data, &a); err != nil {
		return err
	}
	if a.Denied {
		return errDenied
	}
	return nil
}
