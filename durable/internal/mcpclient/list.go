package mcpclient

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file reads what a server offers: its tools, prompts and resources, page by page.

// listTools begins to read what a server offers.
func (r *Servers) listTools(tx *durable.Tx, s *Server, x *exchange) error {
	x.step, x.version = listing, s.Version
	tx.Schedule(Due, s.ID, x.tried+exchangeTime)
	x.tools, x.offer, x.pages = mcp.Catalogue{}, Offer{}, 0
	r.enter(tx, s, x, Discovering)
	if x.offers == (mcp.ServerCapabilities{}) { // a session goes on
		x.offers = mcp.ServerCapabilities{Tools: true, Prompts: strings.Contains(s.Capabilities, `"prompts"`), Resources: strings.Contains(s.Capabilities, `"resources"`)}
	}
	for _, what := range []string{mcp.MethodTools, mcp.MethodPrompts, mcp.MethodResources} {
		if x.asks(what) {
			r.ask(tx, s, x, mcp.List{What: what})
			return nil
		}
	}
	return r.ready(tx, s, x)
}

// asks says whether a server offers something that can be listed.
func (x *exchange) asks(what string) bool {
	switch what {
	case mcp.MethodTools:
		return x.offers.Tools
	case mcp.MethodPrompts:
		return x.offers.Prompts
	}
	return x.offers.Resources
}

func (r *Servers) ask(tx *durable.Tx, s *Server, x *exchange, list mcp.List) {
	x.list = list
	r.call(tx, s, x, list)
}

func (r *Servers) listed(tx *durable.Tx, s *Server, x *exchange) error {
	a := x.receiver.Answer
	switch {
	case !x.shaken && mcp.SessionEnded(s.Version, true, x.receiver.Status, a.Error):
		r.initialize(tx, s, x, mcp.LegacyVersion)
		return nil
	case a.Error != nil && x.list.What != mcp.MethodTools:
		return r.nextList(tx, s, x, nil)
	case a.Error != nil:
		return a.Error
	case !a.Result.Exists():
		return x.receiver.refused()
	}
	page, err := mcp.ParseOutcome(x.list, mcp.ClientCapabilities{}, a.Result)
	if err != nil {
		return err
	}
	x.pages++
	switch p := page.(type) {
	case mcp.Tools:
		next, err := x.tools.Add(p)
		if err != nil {
			return err // the tools before it are used
		}
		return r.nextList(tx, s, x, next)
	case mcp.Prompts:
		for _, one := range p.Prompts {
			x.offer.addPrompt(promptOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	case mcp.Resources:
		for _, one := range p.Resources {
			x.offer.addResource(resourceOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	}
	return nil
}

// cutShort goes on without the rest of a list that cannot be read: what was read of it is used. It is an error if no
// tools were read, or if the server was not asked for a list.
func (r *Servers) cutShort(tx *durable.Tx, s *Server, x *exchange, why error) error {
	if x.step != listing || x.list.What == mcp.MethodTools && x.pages == 0 {
		return why
	}
	tx.Log(durable.Warn, "the rest of a list of a server was not read", "server", s.Name, "list", x.list.What, "reason", Words(why))
	return r.nextList(tx, s, x, nil)
}

// addPrompt adds a prompt, unless there is one of its name or there are too many. A page may come twice.
func (o *Offer) addPrompt(p Prompt) {
	if len(o.Prompts) < maxListed && !slices.ContainsFunc(o.Prompts, func(have Prompt) bool { return have.Name == p.Name }) {
		o.Prompts = append(o.Prompts, p)
	}
}

// addResource does the same for a resource, by its URI.
func (o *Offer) addResource(r Resource) {
	if len(o.Resources) < maxListed && !slices.ContainsFunc(o.Resources, func(have Resource) bool { return have.URI == r.URI }) {
		o.Resources = append(o.Resources, r)
	}
}

// maxPages is how many pages are read of prompts and resources together.
const maxPages = 2 * mcp.MaxPages

// nextList goes on with the next page, or with what is listed next.
func (r *Servers) nextList(tx *durable.Tx, s *Server, x *exchange, next *string) error {
	stays := next != nil && x.list.Cursor != nil && *next == *x.list.Cursor // it leads to the same page again
	if next != nil && x.pages < maxPages && !stays {
		r.ask(tx, s, x, mcp.List{What: x.list.What, Cursor: next})
		return nil
	}
	after := []string{mcp.MethodPrompts, mcp.MethodResources}
	switch x.list.What {
	case mcp.MethodPrompts:
		after = after[1:]
	case mcp.MethodResources:
		after = nil
	}
	for _, what := range after {
		if x.asks(what) {
			r.ask(tx, s, x, mcp.List{What: what})
			return nil
		}
	}
	return r.ready(tx, s, x)
}
