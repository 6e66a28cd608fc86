package remote

import (
	"errors"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/mcp"
)

// This file reads what a server offers: its tools, prompts and resources, page by page.

// listTools begins to read what a server offers.
func (r *Servers) listTools(tx *durable.Tx, s *Server, x *exchange) error {
	x.step, x.version = listing, s.Version
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
	case mcp.SessionEnded(s.Version, x.receiver.Status, a.Error) && !x.anew:
		x.anew = true
		r.initialize(tx, s, x, mcp.LegacyVersion)
		return nil
	case a.Error != nil && x.list.What != mcp.MethodTools:
		return r.nextList(tx, s, x, nil)
	case a.Error != nil:
		return a.Error
	case !a.Result.Exists():
		return errors.New(statusWords(x.receiver.Status))
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
			return err
		}
		return r.nextList(tx, s, x, next)
	case mcp.Prompts:
		for _, one := range p.Prompts[:min(len(p.Prompts), maxListed-len(x.offer.Prompts))] {
			x.offer.Prompts = append(x.offer.Prompts, promptOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	case mcp.Resources:
		for _, one := range p.Resources[:min(len(p.Resources), maxListed-len(x.offer.Resources))] {
			x.offer.Resources = append(x.offer.Resources, resourceOf(one))
		}
		return r.nextList(tx, s, x, p.Next)
	}
	return nil
}

// maxPages is how many pages are read of prompts and resources together.
const maxPages = 2 * mcp.MaxPages

// nextList goes on with the next page, or with what is listed next.
func (r *Servers) nextList(tx *durable.Tx, s *Server, x *exchange, next *string) error {
	if next != nil && x.pages < maxPages {
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
