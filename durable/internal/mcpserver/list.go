package mcpserver

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// shortly is how long lists stay good: five minutes.
var shortly = mcp.Cache{TTL: 300_000}

// offers returns what the endpoint can do in a version.
func (p *Server) offers(version string) mcp.ServerCapabilities {
	resources, tools := p.config.Read != nil, len(p.config.Tools()) > 0
	return mcp.ServerCapabilities{
		Tools: tools, ToolsChanged: tools, Logging: true, Tasks: mcp.Modern(version), Resources: resources, ResourcesSubscribe: resources,
		Prompts: len(p.config.Prompts) > 0, Completions: len(p.config.Prompts) > 0 || len(p.config.Templates) > 0,
	}
}

// list returns what there is, in one page.
func (p *Server) list(tx *durable.Tx, f from, c mcp.List) (mcp.Result, *mcp.Error) {
	if c.Cursor != nil {
		return nil, invalid("there is one page only")
	}
	switch c.What {
	case mcp.MethodTools:
		if f.session != nil {
			f.session.know(tx, p.toolsDigest(tx))
		}
		return p.listTools(tx), nil
	case mcp.MethodPrompts:
		r := mcp.Prompts{Prompts: []mcp.Prompt{}, Cache: shortly}
		for _, o := range p.config.Prompts {
			r.Prompts = append(r.Prompts, o.Prompt)
		}
		return r, nil
	case mcp.MethodTemplates:
		return mcp.Templates{Templates: bareOf(p.config.Templates), Cache: shortly}, nil
	}
	if p.config.Read == nil {
		return mcp.Resources{Resources: []mcp.Resource{}, Cache: shortly}, nil
	}
	return mcp.Resources{Resources: bareOf(p.config.Resources(tx)), Cache: shortly}, nil
}

// offered returns the tools that can be called now.
func (p *Server) offered(tx *durable.Tx) []Tool {
	return slices.DeleteFunc(p.config.Tools(), func(t Tool) bool { return p.config.Withheld != nil && p.config.Withheld(tx, t.Name) })
}

func (p *Server) listTools(tx *durable.Tx) mcp.Tools {
	r := mcp.Tools{Tools: []mcp.Tool{}, Cache: shortly}
	for _, t := range p.offered(tx) {
		r.Tools = append(r.Tools, t.Tool)
	}
	return r
}

func bareOf(all []Resource) []mcp.Resource {
	list := []mcp.Resource{}
	for _, r := range all {
		list = append(list, r.Resource)
	}
	return list
}

// read returns the contents of a resource. They change at any time.
func (p *Server) read(tx *durable.Tx, f from, c mcp.ReadResource) (mcp.Result, *mcp.Error) {
	if p.config.Read == nil {
		return nil, mcp.NoResource(f.caller.Version, c.URI)
	}
	contents, found, err := p.config.Read(tx, c.URI, f.claims)
	switch {
	case err != nil:
		return nil, &mcp.Error{Code: mcp.CodeInternal, Message: err.Error()}
	case !found:
		return nil, mcp.NoResource(f.caller.Version, c.URI)
	}
	return mcp.ReadResult{Contents: []mcp.Contents{contents}}, nil
}

// getPrompt begins to make the messages of a prompt, which is code like that of a tool.
func (p *Server) getPrompt(tx *durable.Tx, f from, c mcp.GetPrompt) (mcp.Result, *mcp.Error) {
	i := slices.IndexFunc(p.config.Prompts, func(o Prompt) bool { return o.Name == c.Name })
	if i < 0 {
		return nil, invalid("unknown prompt: " + mcp.Quote(c.Name, limit.ToolName))
	}
	for _, a := range p.config.Prompts[i].Arguments {
		if a.Required && !c.Arguments.Get(a.Name).Exists() {
			return nil, invalid("the argument " + a.Name + " is missing")
		}
	}
	r := row{method: mcp.MethodGetPrompt, name: c.Name, input: inputOf(c.Arguments)}
	if err := r.seal(); err != nil {
		return nil, invalid(err.Error())
	}
	if c.State != nil {
		return p.repeated(tx, f, r, c.Resume)
	}
	if err := p.mayCall(tx, f); err != nil {
		return nil, err
	}
	f.given = c.Responses
	p.begin(tx, f, r)
	return nil, nil
}

// complete returns what an argument could be.
func (p *Server) complete(c mcp.Complete) (mcp.Result, *mcp.Error) {
	others := map[string]string{}
	for i, name := range c.Others.Names() {
		others[name] = c.Others.Items()[i].Text()
	}
	var complete func(argument, begun string, others map[string]string) []string
	known := false
	for _, o := range p.config.Prompts {
		if o.Name == c.Prompt {
			complete, known = o.Complete, true
		}
	}
	for _, t := range p.config.Templates {
		if c.Prompt == "" && t.Template == c.Template {
			complete, known = t.Complete, true
		}
	}
	if !known {
		return nil, invalid("there is no such prompt or template")
	}
	r := mcp.Completion{Values: []string{}}
	if complete != nil {
		r.Values = append(r.Values, complete(c.Argument, c.Begun, others)...)
	}
	return r, nil
}
