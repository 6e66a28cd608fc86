// Package about is what a page asks a deployment before it shows anything: which agents people can
// talk to, and how to introduce them. A build writes it as about.json, and the front door answers it
// as GET /tributary.json.
package about

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/internal/version"
)

// MaxSize is the longest about.json that a front door reads, in bytes.
const MaxSize = 64 << 10

// About is the answer. Its lists are never null.
type About struct {
	// Version is the version of the framework that the deployment was built with.
	Version string `json:"version"`
	// Roots are the agents that people can talk to, the first one by default.
	Roots []Root `json:"roots"`
	// Features names what a page may use beyond a conversation.
	Features []string `json:"features"`
	// Dev is the address of the event stream of the tool that watches the sources, or "".
	Dev string `json:"dev,omitempty"`
}

// Root is an agent that people can talk to.
type Root struct {
	// Agent is the agent's path segment, such as "my-agent" in /agents/my-agent/NAME.
	Agent string `json:"agent"`
	// Class is the name that Go has for it, such as "MyAgent".
	Class string `json:"class"`
	// Title is what a page calls it, the name of the class if the agent has no title.
	Title string `json:"title"`
	// Description introduces the agent, or is "".
	Description string `json:"description"`
	// Suggestions are first messages that a page offers.
	Suggestions []string `json:"suggestions"`
	// Methods are the names of the methods that clients can call, in order.
	Methods []string `json:"methods"`
	// Exposed says that other programs reach a conversation with it at /agents/{agent}/{name}/mcp, by the
	// Model Context Protocol.
	Exposed bool `json:"exposed,omitempty"`
}

// Of returns what there is to say of classes. Helpers are left out.
func Of(classes ...durable.Class) About {
	var roots []Root
	for _, c := range classes {
		if !c.Helper {
			roots = append(roots, Root{Class: c.Name, Title: c.Title, Description: c.Description, Suggestions: c.Suggestions, Methods: c.Methods, Exposed: c.Exposed})
		}
	}
	return New(roots...)
}

// New returns what there is to say of roots. Their agents and titles follow from their classes where
// they are "".
func New(roots ...Root) About { return About{Roots: roots}.complete() }

// Parse reads an about.json.
func Parse(text string) (About, error) {
	if len(text) > MaxSize {
		return About{}, fmt.Errorf("about: %d bytes are more than %d", len(text), MaxSize)
	}
	var a About
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return About{}, fmt.Errorf("about: %w", err)
	}
	a.Dev = "" // of the server that answers, and never of a build
	return a.complete(), nil
}

// complete fills what follows from the rest, in lists of its own.
func (a About) complete() About {
	if a.Version == "" {
		a.Version = version.Version
	}
	a.Roots = append([]Root{}, a.Roots...)
	a.Features = append([]string{}, a.Features...)
	for i, r := range a.Roots {
		if r.Agent == "" {
			r.Agent = protocol.Kebab(r.Class)
		}
		if strings.TrimSpace(r.Title) == "" {
			r.Title = r.Class
		}
		r.Suggestions = append([]string{}, r.Suggestions...)
		r.Methods = append([]string{}, r.Methods...)
		a.Roots[i] = r
	}
	return a
}
