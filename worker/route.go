package worker

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// Prefix is the first path segment of every agent.
const Prefix = "agents"

// MaxName is the longest name of an object, in bytes, as it stands in the path.
const MaxName = 256

// What Route refuses. An unknown agent is told over HTTP even to an upgrade, as the published router does.
var (
	ErrNotFound     = &Refusal{Status: http.StatusNotFound, Text: "Not found"}
	ErrUnknownAgent = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request", Plain: true}
	ErrLongName     = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request: the name is longer than 256 bytes"}
	ErrControlName  = &Refusal{Status: http.StatusBadRequest, Text: "Invalid request: the name holds a control character"}
)

// Address is one object that a request asks for.
type Address struct {
	Agent   string // the path segment, kebab case
	Binding string // the Durable Object binding whose kebab form Agent is
	Name    string // the object's name, raw: exactly the bytes of the path, percent signs included
}

// Table finds the binding of an agent's path segment.
type Table map[string]string

// NewTable returns the table of the given binding names. Of two with the same kebab form the first one is reached.
func NewTable(bindings []string) Table {
	t := make(Table, len(bindings))
	for _, binding := range bindings {
		segment := protocol.Kebab(binding)
		if _, taken := t[segment]; !taken && segment != "" {
			t[segment] = binding
		}
	}
	return t
}

// Route returns the object that a URL asks for, or a [*Refusal]. Empty path segments do not count. What follows the name
// is the object's own affair.
func (t Table) Route(u *url.URL) (Address, error) {
	segments := strings.FieldsFunc(rawPath(u), func(r rune) bool { return r == '/' })
	if len(segments) < 3 || segments[0] != Prefix {
		return Address{}, ErrNotFound
	}
	agent, name := segments[1], segments[2]
	binding, known := t[agent]
	if !known {
		return Address{}, ErrUnknownAgent
	}
	if err := checkName(name); err != nil {
		return Address{}, err
	}
	return Address{Agent: agent, Binding: binding, Name: name}, nil
}

// rawPath returns the path as the client sent it. EscapedPath alone is not that: it writes characters such as | anew
// that browsers leave alone, and the object would have another name than with the published router.
func rawPath(u *url.URL) string {
	if u.RawPath != "" {
		return u.RawPath
	}
	return u.EscapedPath()
}

func checkName(raw string) error {
	if len(raw) > MaxName {
		return ErrLongName
	}
	decoded, err := url.PathUnescape(raw)
	if err != nil {
		return ErrUnknownAgent
	}
	if strings.ContainsFunc(decoded, unicode.IsControl) {
		return ErrControlName
	}
	return nil
}
